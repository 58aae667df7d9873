import { describe, it } from "@effect/vitest"
import * as Memory from "@inlet/storage-memory/Memory"
import { plainDigest } from "@inlet/store-conformance/digest"
import { auditLaws } from "@inlet/store-conformance/auditLaws"
import { Effect, Layer } from "effect"

const store = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the audit log of the memory store", () => {
  for (const { check, name } of auditLaws) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
