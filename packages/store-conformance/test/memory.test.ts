import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemorySignedOutSessions from "@inlethq/storage-memory/signedOutSessions"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"

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
