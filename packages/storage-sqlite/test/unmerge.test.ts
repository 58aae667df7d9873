import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import {
  compareErasures,
  compareRestoredMerges,
  compareRoundTrips,
  compareUnmerges,
} from "@inlet/store-conformance/history/compareUnmerge"
import { compareErasedRows } from "@inlet/store-conformance/history/compareErasedRows"
import { compareFreed } from "@inlet/store-conformance/history/compareFreed"
import { Effect } from "effect"
import { slowStore } from "./temporary.ts"

const comparison = {
  runs: 30 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

it.effect.each([
  ["undoing a merge at once leaves everybody as they were", compareRoundTrips],
  ["undoing a merge after random work gives what the model says", compareUnmerges],
  ["deleting a person who was merged in between erases all of their values", compareErasures],
  ["deleting by an identifier that a merge freed leaves nothing of the merged person", compareFreed],
  ["contract §16 erasure receipts: a receipt counts everything that a deletion erases", compareErasedRows],
  ["a backup from while a person was merged brings back nothing of theirs", compareRestoredMerges],
] as const)("%s, on the SQLite store", ([, compare]) =>
  Effect.gen(function* () {
    const { failure } = yield* compare(slowStore, comparison)
    if (failure !== null) assert.fail(failure)
  }),
)
