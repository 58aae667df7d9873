import { describe, it } from "@effect/vitest"
import { auditLaws } from "@inlet/store-conformance/auditLaws"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the audit log of the SQLite store", () => {
  for (const { check, name } of auditLaws) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
