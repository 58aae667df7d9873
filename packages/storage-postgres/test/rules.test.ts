import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { checkMembership } from "@inlethq/store-conformance/segments/checkMembership"
import { compareRules } from "@inlethq/store-conformance/segments/compareRules"
import { describeServers, partOn } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("rules", (server) => {
  it.live(
    "rules have the same effects on the PostgreSQL store and on the memory store, however commands are batched",
    comparing(15, (scripts) =>
      compareRules(emptyStore(server, { sweepRowsMax: 7 }), partOn(server, scripts)),
    ),
  )

  it.live(
    "exactly the people are in a segment on the PostgreSQL store for whom its rule holds, and entries tell so",
    comparing(8, (scripts) => checkMembership(emptyStore(server), partOn(server, scripts))),
  )
})
