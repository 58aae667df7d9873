import { describe, it } from "@effect/vitest"
import * as MemoryKafkaCursors from "@inlet/storage-memory/kafkaCursors"
import { kafkaLaws } from "@inlet/store-conformance/kafkaLaws"
import { Effect } from "effect"

describe("the Kafka cursors in memory", () => {
  for (const { check, name } of kafkaLaws) {
    it.effect(name, () => Effect.provide(check, MemoryKafkaCursors.layer, { local: true }))
  }
})
