import { it } from "@effect/vitest"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the store", (server) => {
  for (const { check, name } of storeConformance) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
