import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareHistory } from "@inlet/store-conformance/history/compareHistory"
import { Effect } from "effect"
import { slowStore } from "./temporary.ts"

it.effect("the entries of people lead back to the document at every position, on the SQLite store", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareHistory(slowStore, {
      runs: 40 * Number(env["INLET_TEST_RUNS"] ?? 1),
      seed: env["INLET_TEST_SEED"] ?? "inlet",
      replay: env["INLET_TEST_REPLAY"],
    })
    if (failure !== null) assert.fail(failure)
  }),
)
