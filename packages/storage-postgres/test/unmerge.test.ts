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
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

const comparison = {
  runs: 10 * Number(env["INLET_TEST_RUNS"] ?? 1),
  seed: env["INLET_TEST_SEED"] ?? "inlet",
  replay: env["INLET_TEST_REPLAY"],
}

describeServers("ends of merges", (server) => {
  it.live.each([
    ["undoing a merge at once leaves everybody as they were", compareRoundTrips],
    ["undoing a merge after random work gives what the model says", compareUnmerges],
    ["deleting a person who was merged in between erases all of their values", compareErasures],
    ["deleting by an identifier that a merge freed leaves nothing of the merged person", compareFreed],
    ["contract §16 erasure receipts: a receipt counts everything that a deletion erases", compareErasedRows],
    ["a backup from while a person was merged brings back nothing of theirs", compareRestoredMerges],
  ] as const)("%s, on the PostgreSQL store", ([, compare]) =>
    Effect.gen(function* () {
      const { failure } = yield* compare(emptyStore(server, { sweepRowsMax: 7 }), comparison)
      if (failure !== null) assert.fail(failure)
    }),
  )
})
