import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Memory from "@inlet/storage-memory/Memory"
import * as MemoryWebhooks from "@inlet/storage-memory/webhooks"
import { plainDigest } from "@inlet/store-conformance/digest"
import { webhookErasureLaws } from "@inlet/store-conformance/webhookErasureLaws"
import { webhookLaws } from "@inlet/store-conformance/webhookLaws"

const store = Layer.merge(Memory.layer, MemoryWebhooks.layer).pipe(Layer.provide(plainDigest))

describe("the memory store of webhooks", () => {
  for (const { check, name } of [...webhookLaws, ...webhookErasureLaws]) {
    it.effect(name, () => Effect.provide(check, store, { local: true }))
  }
})
