import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compare } from "@inlet/store-conformance/differential"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

/** The seed is fixed unless `INLET_TEST_SEED` is set. `pnpm test:fuzz` sets random seeds and more runs. */
const comparison = {
  runs: 15 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

describeServers("the differential test", (server) => {
  it.live(
    "the PostgreSQL store and the memory store show the same data, however commands are batched and whenever housekeeping runs",
    ({ task }) =>
      Effect.gen(function* () {
        const smallSteps = emptyStore(server, { sweepRowsMax: 7 })
        const { discards, failure, runs } = yield* compare(smallSteps, comparison)
        Object.assign(task.meta, { runs, discards })
        if (failure !== null) assert.fail(failure)
      }),
  )
})
