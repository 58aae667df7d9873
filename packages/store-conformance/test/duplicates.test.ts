import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareDuplicates } from "@inlet/store-conformance/history/compareDuplicates"
import { memoryStore } from "@inlet/store-conformance/differential"
import { Effect } from "effect"

it.effect(
  "a pair of people is listed exactly if an operation names both or they are alike, on the memory store",
  () =>
    Effect.gen(function* () {
      const { failure } = yield* compareDuplicates(memoryStore, {
        runs: 60 * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
      })
      if (failure !== null) assert.fail(failure)
    }),
)
