import { describe, it } from "@effect/vitest"
import { sessionLaws } from "@inlet/store-conformance/sessionLaws"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the signed-out sessions of the SQLite store", () => {
  for (const { check, name } of sessionLaws) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
