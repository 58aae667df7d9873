import { describe, it } from "@effect/vitest"
import { kafkaLaws } from "@inlet/store-conformance/kafkaLaws"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

describe("the Kafka cursors of the SQLite store", () => {
  for (const { check, name } of kafkaLaws) {
    it.effect(name, () => Effect.provide(check, temporaryStore, { local: true }))
  }
})
