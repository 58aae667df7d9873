import { webhookErasureLaws } from "@inlet/store-conformance/webhookErasureLaws"
import { webhookLaws } from "@inlet/store-conformance/webhookLaws"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the SQLite store of webhooks", () => {
  for (const { check, name } of [...webhookLaws, ...webhookErasureLaws]) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
