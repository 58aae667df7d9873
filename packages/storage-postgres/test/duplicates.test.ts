import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareDuplicates } from "@inlethq/store-conformance/history/compareDuplicates"
import { describeServers, partOn } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("duplicates", (server) => {
  it.live(
    "a pair of people is listed exactly if an operation names both, on the PostgreSQL store",
    comparing(6, (scripts) =>
      compareDuplicates(emptyStore(server, { sweepRowsMax: 7 }), partOn(server, scripts)),
    ),
  )
})
