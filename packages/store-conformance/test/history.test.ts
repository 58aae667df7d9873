import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareHistory } from "@inlet/store-conformance/history/compareHistory"
import { memoryStore } from "@inlet/store-conformance/differential"
import { Effect } from "effect"

it.effect("the entries of people lead back to the document at every position, on the memory store", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareHistory(memoryStore, {
      runs: 60 * Number(env["INLET_TEST_RUNS"] ?? 1),
      seed: env["INLET_TEST_SEED"] ?? "inlet",
      replay: env["INLET_TEST_REPLAY"],
    })
    if (failure !== null) assert.fail(failure)
  }),
)
