import { it } from "@effect/vitest"
import { kafkaLaws } from "@inlet/store-conformance/kafkaLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the Kafka cursors of PostgreSQL", (server) => {
  for (const { check, name } of kafkaLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
