import { describe, it } from "@effect/vitest"
import { tokenLaws } from "@inlet/store-conformance/tokenLaws"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the management tokens of the SQLite store", () => {
  for (const { check, name } of tokenLaws) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
