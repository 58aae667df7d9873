import { it } from "@effect/vitest"
import { tokenLaws } from "@inlet/store-conformance/tokenLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the management tokens of PostgreSQL", (server) => {
  for (const { check, name } of tokenLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
