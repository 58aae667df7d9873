import { it } from "@effect/vitest"
import { sessionLaws } from "@inlet/store-conformance/sessionLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the signed-out sessions of PostgreSQL", (server) => {
  for (const { check, name } of sessionLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
