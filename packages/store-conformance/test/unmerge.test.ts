import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import {
  compareErasures,
  compareRestoredMerges,
  compareRoundTrips,
  compareUnmerges,
} from "@inlet/store-conformance/history/compareUnmerge"
import { compareErasedRows } from "@inlet/store-conformance/history/compareErasedRows"
import { memoryStore } from "@inlet/store-conformance/differential"
import { Effect } from "effect"

const comparison = {
  runs: 200 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

it.effect("undoing a merge at once leaves everybody as they were, on the memory store", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareRoundTrips(memoryStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)

it.effect("undoing a merge after random work gives what the model says", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareUnmerges(memoryStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)

it.effect("deleting a person who was merged in between erases all of their values, on the memory store", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareErasures(memoryStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)

it.effect(
  "contract §16 erasure ledger: a backup from while a person was merged brings back nothing of theirs",
  () =>
    Effect.gen(function* () {
      const { failure } = yield* compareRestoredMerges(memoryStore, comparison)
      if (failure !== null) assert.fail(failure)
    }),
)

it.effect("contract §16 erasure receipts: a receipt counts everything that a deletion erases", () =>
  Effect.gen(function* () {
    const { failure } = yield* compareErasedRows(memoryStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)
