import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareDuplicates } from "@inlet/store-conformance/history/compareDuplicates"
import { Effect } from "effect"
import { slowStore } from "./temporary.ts"

it.effect(
  "a pair of people is listed exactly if an operation names both or they are alike, on the SQLite store",
  () =>
    Effect.gen(function* () {
      const { failure } = yield* compareDuplicates(slowStore, {
        runs: 40 * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
      })
      if (failure !== null) assert.fail(failure)
    }),
)
