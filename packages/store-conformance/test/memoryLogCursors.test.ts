import { describe, it } from "@effect/vitest"
import * as MemoryLogCursors from "@inlet/storage-memory/logCursors"
import { cursorLaws } from "@inlet/store-conformance/cursorLaws"
import { Effect } from "effect"

describe("the cursors in memory", () => {
  for (const { check, name } of cursorLaws) {
    it.effect(name, () => Effect.provide(check, MemoryLogCursors.layer, { local: true }))
  }
})
