import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { memoryStore } from "@inlet/store-conformance/differential"
import { compareRestored } from "@inlet/store-conformance/restoredErasures"

const comparison = {
  runs: 60 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

it.effect("contract §16 erasure ledger: restored data show nobody whom the newer ledger names", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareRestored(memoryStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)
