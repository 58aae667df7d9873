import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { compareRestored } from "@inlet/store-conformance/restoredErasures"
import { Effect } from "effect"
import { slowStore } from "./temporary.ts"

const comparison = {
  runs: 40 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

it.effect("contract §16 erasure ledger: restored data show nobody whom the newer ledger names", ({ task }) =>
  Effect.gen(function* () {
    const { discards, failure, runs } = yield* compareRestored(slowStore, comparison)
    Object.assign(task.meta, { runs, discards })
    if (failure !== null) assert.fail(failure)
  }),
)
