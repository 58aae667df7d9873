import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryLogCursors from "@inlet/storage-memory/logCursors"
import * as Memory from "@inlet/storage-memory/Memory"
import * as MemorySignedOutSessions from "@inlet/storage-memory/signedOutSessions"
import * as MemoryWebhooks from "@inlet/storage-memory/webhooks"
import { plainDigest } from "@inlet/store-conformance/script/digest"
import { storeConformance } from "@inlet/store-conformance/StoreConformance"

const store = Layer.mergeAll(
  Memory.layer,
  MemoryWebhooks.layer,
  MemoryLogCursors.layer,
  MemorySignedOutSessions.layer,
).pipe(Layer.provide(plainDigest))

describe("the memory store", () => {
  for (const { check, name } of storeConformance) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
