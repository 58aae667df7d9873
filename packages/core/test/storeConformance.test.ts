import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Memory from "../src/memory/Memory.ts"
import { plainDigest } from "../src/testing/digest.ts"
import { storeConformance } from "../src/testing/StoreConformance.ts"

const store = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the memory store", () => {
  for (const { check, name } of storeConformance) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
