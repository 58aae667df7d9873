import { DatabaseSync, StatementSync } from "node:sqlite"
import { decideAll } from "@inlet/core/Batch"
import { Store } from "@inlet/core/Store"
import { apply, byId, event, identify } from "@inlet/core/testing/scenario"
import { needsOf } from "@inlet/core/WorkingSet"
import { assert, layer, vi } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryStore } from "./temporary.ts"

/** Counts calls of a method of `node:sqlite` while an effect runs. */
const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => ({
      prepared: vi.spyOn(DatabaseSync.prototype, "prepare"),
      read: vi.spyOn(StatementSync.prototype, "all"),
      readOne: vi.spyOn(StatementSync.prototype, "get"),
      written: vi.spyOn(StatementSync.prototype, "run"),
    })),
    ({ prepared, read, readOne, written }) =>
      Effect.map(effect, (value) => ({
        value,
        prepared: prepared.mock.calls.length,
        read: read.mock.calls.length + readOne.mock.calls.length,
        written: written.mock.calls.length,
      })),
    (spies) => Effect.sync(() => Object.values(spies).forEach((spy) => spy.mockRestore())),
  )

const batchOf = (size: number) =>
  Array.from({ length: size }, (_, i) => [
    identify(byId(`somebody ${i % 50}`), [["plan", i]], { deduplicationKey: `${size} identify ${i}` }),
    event(byId(`somebody ${i}`), "bought", { deduplicationKey: `${size} event ${i}` }),
  ]).flat()

layer(temporaryStore)("a batch", (it) => {
  it.effect("is read in as many statements as any other, and written a row once", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* apply(identify(byId("somebody 0")))
      const costs = yield* Effect.forEach([50, 500], (size) =>
        Effect.gen(function* () {
          const commands = batchOf(size)
          const load = yield* counted(store.load(needsOf(commands)))
          const { seen } = decideAll(load.value, commands)
          const commit = yield* counted(store.commit({ seen, changes: [], entries: [] }))
          const { entries, identifiers, subjects } = seen.written
          return {
            loadReads: load.read,
            loadWrites: load.written,
            prepared: load.prepared + commit.prepared,
            commitReads: commit.read,
            // An update that finds nothing to update is followed by an insert.
            beyondRows: commit.written - entries.length - identifiers.size - subjects.size,
          }
        }),
      )
      const expected = { loadReads: 4, loadWrites: 2, prepared: 0, commitReads: 1, beyondRows: 4 }
      assert.deepStrictEqual(costs, [expected, expected])
    }),
  )
})
