import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareHistory } from "@inlethq/store-conformance/history/compareHistory"
import { describeServers, partOn } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("history", (server) => {
  it.live(
    "the entries of people lead back to the document at every position, on the PostgreSQL store",
    comparing(5, (scripts) =>
      compareHistory(emptyStore(server, { sweepRowsMax: 7 }), partOn(server, scripts)),
    ),
  )
})
