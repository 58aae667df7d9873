import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MemoryWebhooks from "@inlet/core/memory/webhooks"
import { webhookLaws } from "@inlet/store-conformance/webhookLaws"

describe("the memory store of webhooks", () => {
  for (const { check, name } of webhookLaws) {
    it.effect(name, () => Effect.provide(check, MemoryWebhooks.layer, { local: true }))
  }
})
