import { it } from "@effect/vitest"
import { cursorLaws } from "@inlet/store-conformance/cursorLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the cursors of PostgreSQL", (server) => {
  for (const { check, name } of cursorLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
