import { it } from "@effect/vitest"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareRestored } from "@inlethq/store-conformance/copies/restoredErasures"
import { describeServers, partOn } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("a restored database", (server) => {
  it.live(
    "contract §16 erasure ledger: restored data show nobody whom the newer ledger names",
    comparing(10, (scripts) =>
      compareRestored(emptyStore(server, { sweepRowsMax: 7 }), partOn(server, scripts)),
    ),
  )
})
