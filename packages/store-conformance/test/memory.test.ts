import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Memory from "@inlet/storage-memory/Memory"
import { plainDigest } from "@inlet/store-conformance/digest"
import { storeConformance } from "@inlet/store-conformance/StoreConformance"

const store = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the memory store", () => {
  for (const { check, name } of storeConformance) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
