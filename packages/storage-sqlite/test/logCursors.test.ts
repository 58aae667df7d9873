import { describe, it } from "@effect/vitest"
import { cursorLaws } from "@inlet/store-conformance/cursorLaws"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the cursors of the SQLite store", () => {
  for (const { check, name } of cursorLaws) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
