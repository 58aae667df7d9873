import { env } from "node:process"
import { compareRules } from "@inlet/store-conformance/segments/compareRules"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { slowStore } from "./temporary.ts"

it.effect(
  "rules have the same effects on the SQLite store and on the memory store, however commands are batched",
  () =>
    Effect.gen(function* () {
      const failure = yield* compareRules(slowStore, {
        runs: 60 * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
      })
      if (failure !== undefined) assert.fail(failure)
    }),
)
