import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareRestored } from "@inlet/store-conformance/restoredErasures"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

const comparison = {
  runs: 10 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

describeServers("a restored database", (server) => {
  it.live("contract §16 erasure ledger: restored data show nobody whom the newer ledger names", () =>
    Effect.gen(function* () {
      const { failure } = yield* compareRestored(emptyStore(server, { sweepRowsMax: 7 }), comparison)
      if (failure !== null) assert.fail(failure)
    }),
  )
})
