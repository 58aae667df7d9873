import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { memoryStore } from "@inlet/store-conformance/differential"
import { compareRules } from "@inlet/store-conformance/segments/compareRules"

it.effect("rules have the same effects however commands are batched", () =>
  Effect.gen(function* () {
    const failure = yield* compareRules(memoryStore, {
      runs: 100 * Number(env["INLET_TEST_RUNS"] ?? 1),
      seed: env["INLET_TEST_SEED"] ?? "inlet",
      replay: env["INLET_TEST_REPLAY"],
    })
    if (failure !== undefined) assert.fail(failure)
  }),
)
