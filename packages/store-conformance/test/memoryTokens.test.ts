import { describe, it } from "@effect/vitest"
import * as Memory from "@inlet/storage-memory/Memory"
import { plainDigest } from "@inlet/store-conformance/digest"
import { tokenLaws } from "@inlet/store-conformance/tokenLaws"
import { Effect, Layer } from "effect"

const store = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the management tokens of the memory store", () => {
  for (const { check, name } of tokenLaws) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
