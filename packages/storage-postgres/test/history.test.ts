import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareHistory } from "@inlet/store-conformance/history/compareHistory"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

describeServers("history", (server) => {
  it.live("the entries of people lead back to the document at every position, on the PostgreSQL store", () =>
    Effect.gen(function* () {
      const { failure } = yield* compareHistory(emptyStore(server, { sweepRowsMax: 7 }), {
        runs: 5 * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
      })
      if (failure !== null) assert.fail(failure)
    }),
  )
})
