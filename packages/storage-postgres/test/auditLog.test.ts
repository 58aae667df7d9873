import { it } from "@effect/vitest"
import { auditLaws } from "@inlet/store-conformance/auditLaws"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the audit log of PostgreSQL", (server) => {
  for (const { check, name } of auditLaws) {
    it.live(name, () => Effect.provide(check, emptyStore(server), { local: true }))
  }
})
