import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compare } from "@inlethq/store-conformance/differential/differential"
import { describeServers, partOn } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("the differential test", (server) => {
  it.live(
    "the PostgreSQL store and the memory store show the same data, however commands are batched and whenever housekeeping runs",
    comparing(15, (scripts) => compare(emptyStore(server, { sweepRowsMax: 7 }), partOn(server, scripts))),
  )
})
