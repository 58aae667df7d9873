import { it } from "@effect/vitest"
import { webhookErasureLaws } from "@inlet/store-conformance/webhookErasureLaws"
import { webhookLaws } from "@inlet/store-conformance/webhookLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the store of webhooks", (server) => {
  for (const { check, name } of [...webhookLaws, ...webhookErasureLaws]) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
