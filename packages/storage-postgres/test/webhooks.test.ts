import { it } from "@effect/vitest"
import { webhookLaws } from "@inlet/store-conformance/webhookLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the store of webhooks", (server) => {
  for (const { check, name } of webhookLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
