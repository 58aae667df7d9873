import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Memory from "../src/memory/Memory.ts"
import { storeConformance } from "../src/testing/StoreConformance.ts"

describe("the memory store", () => {
  for (const { check, name } of storeConformance) {
    it.effect(name, () => Effect.provide(check, Memory.layer, { local: true }))
  }
})
