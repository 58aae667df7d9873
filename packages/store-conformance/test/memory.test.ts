import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryConsoleSessions from "@inlethq/storage-memory/consoleSessions"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { fullOfSignIns } from "@inlethq/store-conformance/tables/sessionLaws"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"

const store = Layer.mergeAll(
  Memory.layer,
  MemoryWebhooks.layer,
  MemoryForwards.layer,
  MemoryLogCursors.layer,
  MemoryConsoleSessions.layer,
).pipe(Layer.provide(plainDigest))

describe("the memory store", () => {
  for (const { check, name } of [...storeConformance, fullOfSignIns]) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
