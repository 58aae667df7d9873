import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareRules } from "@inlet/store-conformance/segments/compareRules"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("rules", (server) => {
  it.live(
    "rules have the same effects on the PostgreSQL store and on the memory store, however commands are batched",
    () =>
      Effect.gen(function* () {
        const failure = yield* compareRules(emptyStore(server, { sweepRowsMax: 7 }), {
          runs: 15 * Number(env["INLET_TEST_RUNS"] ?? 1),
          seed: env["INLET_TEST_SEED"] ?? "inlet",
          replay: env["INLET_TEST_REPLAY"],
        })
        if (failure !== undefined) assert.fail(failure)
      }),
  )
})
