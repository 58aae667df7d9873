import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareDuplicates } from "@inlet/store-conformance/history/compareDuplicates"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("duplicates", (server) => {
  it.live(
    "a pair of people is listed exactly if an operation names both or they are alike, on the PostgreSQL store",
    () =>
      Effect.gen(function* () {
        const { failure } = yield* compareDuplicates(emptyStore(server, { sweepRowsMax: 7 }), {
          runs: 6 * Number(env["INLET_TEST_RUNS"] ?? 1),
          seed: env["INLET_TEST_SEED"] ?? "inlet",
          replay: env["INLET_TEST_REPLAY"],
        })
        if (failure !== null) assert.fail(failure)
      }),
  )
})
