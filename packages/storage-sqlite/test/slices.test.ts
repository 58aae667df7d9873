import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite"
import { join } from "node:path"
import { Catalog, noFilter, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import { ReadTurns, Turns, type InTurn } from "@inlethq/engine/reads/ReadTurns"
import { Sequence } from "@inlethq/core/values/Identifier"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { nameSearch } from "@inlethq/core/log/NameSearch"
import { byAnonymousId, byId, event, first, identify, noon } from "@inlethq/store-conformance/script/commands"
import { apply, people, personBy, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { kindCodes, outcomeCodes, sourceCodes } from "@inlethq/storage/columns/codes"
import { rowId } from "../src/engine/rowIds.ts"
import { listedNamesMax } from "../src/log/facets.ts"
import { runEntries } from "../src/log/runs.ts"
import { rowsPerQueryMax, sliceDocumentsMax, sliceRowsMax } from "@inlethq/storage/budgets/ReadBudget"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/** Counts the rows that SQLite returns in each slice of a read. */
class CountingTurns extends ReadTurns {
  readonly rowsOfSlices: Array<number> = []
  private rows = 0

  count(rows: number): void {
    this.rows += rows
  }

  override reading<A, E>(body: (inTurn: InTurn) => Effect.Effect<A, E>) {
    return super.reading((inTurn) =>
      body((slice) =>
        inTurn(
          Effect.suspend(() => {
            this.rows = 0
            return Effect.tap(slice, () => Effect.sync(() => this.rowsOfSlices.push(this.rows)))
          }),
        ),
      ),
    )
  }
}

const entries = 100_000
const rareEvery = 33_000
const bobEvery = 40_000
const ofCookie = 20_001
/** The length of the part of the log with very many names, in runs. */
const runsOfManyNames = 3

/**
 * Writes a long log with SQL: most entries share one name, a few entries have a rare name, and a part of the log has
 * very many names. Most entries are about the first person of the workspace, and few about Bob and his visitor.
 */
const seed = (directory: string) => {
  const database = new DatabaseSync(join(directory, "inlet.db"))
  const insert = database.prepare(
    "INSERT INTO activity (id, subject, kind, name, source, outcome, at, received, processed, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')",
  )
  database.exec("BEGIN")
  for (let sequence = 2; sequence <= entries; sequence++) {
    const isRare = sequence % rareEvery === 0
    const inManyNames = sequence > entries / 2 && sequence < entries / 2 + runsOfManyNames * runEntries
    const name = isRare ? "rare" : inManyNames ? `one of many ${sequence}` : "usual"
    const kind = isRare ? kindCodes.page : kindCodes.event
    const outcome = isRare ? outcomeCodes.partial : outcomeCodes.applied
    insert.run(
      rowId(first.id, Sequence.make(sequence)),
      sequence === ofCookie ? 2 : sequence % bobEvery === 0 ? 3 : 1,
      kind,
      name,
      sourceCodes["track-v1"],
      outcome,
      noon,
      noon,
      noon,
    )
  }
  database.exec(`UPDATE heads SET next_sequence = ${entries + 1}; COMMIT`)
  database.close()
}

/** Runs a test on a store with the log from `seed`, and counts the rows that each slice reads. */
const onLongLog = <A, E>(
  test: (turns: CountingTurns) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof storeIn>>>,
) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const turns = new CountingTurns()
    yield* Effect.gen(function* () {
      yield* apply(identify(byId("ada")))
      seed(directory)
      yield* sweepAll(noon)
      const spies = [spyOnAll(turns), spyOnIterate(turns)]
      yield* Effect.ensuring(
        test(turns),
        Effect.sync(() => spies.forEach((spy) => spy.mockRestore())),
      )
    }).pipe(Effect.provide(storeIn(directory)), Effect.provideService(Turns, turns))
  })

type Given = [named: Record<string, SQLInputValue>, ...values: Array<SQLInputValue>]

const spyOnAll = (turns: CountingTurns) => {
  const { all } = StatementSync.prototype
  return vi.spyOn(StatementSync.prototype, "all").mockImplementation(function (
    this: StatementSync,
    ...given: Given
  ) {
    const rows = all.apply(this, given)
    turns.count(rows.length)
    return rows
  })
}

const spyOnIterate = (turns: CountingTurns) => {
  const { iterate } = StatementSync.prototype
  return vi.spyOn(StatementSync.prototype, "iterate").mockImplementation(function* (
    this: StatementSync,
    ...given: Given
  ) {
    for (const row of iterate.apply(this, given)) {
      turns.count(1)
      yield row
    }
    return undefined
  })
}

/**
 * The largest number of rows that are read for one entry: one row of the entry, and two rows (size and document) for
 * each of up to three people or visitors. These are the subject of the entry, the person to whom the subject now
 * belongs, and the person into whom that person was merged.
 */
const rowsPerEntry = 7

const boundOfSlice = sliceRowsMax + rowsPerQueryMax + rowsPerEntry * sliceDocumentsMax

const rarePositions = [99_000, 66_000, 33_000]

const sequencesOf = (filter: Partial<ActivityFilter>, limit: number) =>
  Effect.gen(function* () {
    const page = { limit, after: null, order: "desc" } as const
    const { items } = yield* (yield* Catalog).activity(first.id, { ...noFilter, ...filter }, page)
    return items.map(({ entry }) => Number(entry.sequence))
  })

describe("reading a long log", () => {
  it.effect("each slice of a read of the log reads a bounded number of rows, whatever the filter", () =>
    onLongLog((turns) =>
      Effect.gen(function* () {
        const ada = yield* personBy({ kind: "id", value: "ada" })
        const worst = nameSearch(`${"*a".repeat(300)}*b`)
        assert.deepStrictEqual(yield* sequencesOf({ search: worst }, 50), [])
        assert.deepStrictEqual(yield* sequencesOf({ name: "nobody did this" }, 50), [])
        assert.deepStrictEqual(yield* sequencesOf({ search: (name) => name.endsWith("70000") }, 50), [])
        assert.strictEqual((yield* sequencesOf({}, 1000)).length, 1000)
        assert.strictEqual((yield* sequencesOf({ person: ada }, 1000)).length, 1000)
        assert.deepStrictEqual(yield* sequencesOf({ person: ada, name: "rare" }, 50), rarePositions)
        yield* (yield* Catalog).follow(first.id, { ...noFilter, name: "nobody did this" }, null)
        assert.isAtMost(Math.max(...turns.rowsOfSlices), boundOfSlice)
        assert.isAbove(turns.rowsOfSlices.length, entries / boundOfSlice)
      }),
    ),
  )

  it.effect(
    "reading the log with a filter for a rare name, kind or outcome reads only a few rows of the index",
    () =>
      onLongLog((turns) =>
        Effect.gen(function* () {
          const filters: ReadonlyArray<Partial<ActivityFilter>> = [
            { name: "rare" },
            { kind: "page" },
            { outcome: "partial" },
            { kind: "page", name: "rare", outcome: "partial" },
          ]
          for (const filter of filters) {
            turns.rowsOfSlices.length = 0
            assert.deepStrictEqual(yield* sequencesOf(filter, 3), rarePositions)
            const rows = turns.rowsOfSlices.reduce((sum, of) => sum + of, 0)
            // The newest entries are not indexed yet, so they are read one by one.
            assert.isAtMost(rows, runEntries + (entries / runEntries) * 20)
          }
        }),
      ),
  )

  it.effect("a filter for a name skips the runs without it, in both orders", () =>
    onLongLog(() =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        for (const order of ["asc", "desc"] as const) {
          const named = (name: string) =>
            catalog.activity(first.id, { ...noFilter, name }, { limit: 50, after: null, order })
          const rare = (yield* named("rare")).items.map(({ entry }) => Number(entry.sequence))
          assert.deepStrictEqual(rare, order === "asc" ? rarePositions.toReversed() : rarePositions)
          assert.deepStrictEqual((yield* named("nobody did this")).items, [])
        }
        const newestIndexed = Sequence.make(Math.floor(entries / runEntries) * runEntries)
        const page = { limit: 50, after: newestIndexed, order: "desc" } as const
        const gets = vi.spyOn(StatementSync.prototype, "get")
        yield* catalog.activity(first.id, { ...noFilter, name: "nobody did this" }, page)
        const looked = gets.mock.contexts.filter(
          (statement) =>
            statement instanceof StatementSync && statement.sourceSQL.startsWith("SELECT positions"),
        )
        gets.mockRestore()
        // Two bitmaps of each run whose names are indexed by their hashes only.
        assert.strictEqual(looked.length, 2 * runsOfManyNames)
      }),
    ),
  )

  it.effect("a filter for a person skips the runs without the person, in both orders", () =>
    onLongLog(() =>
      Effect.gen(function* () {
        yield* apply(
          event(byAnonymousId("cookie"), "seen"),
          identify(byId("bob"), [], { anonymousId: "cookie" }),
        )
        const bob = yield* personBy({ kind: "id", value: "bob" })
        const indexed = [2 * bobEvery, bobEvery, ofCookie]
        for (const order of ["asc", "desc"] as const) {
          const page = { limit: 50, after: null, order }
          const all = vi.spyOn(StatementSync.prototype, "all")
          const found = yield* (yield* Catalog).activity(first.id, { ...noFilter, person: bob }, page)
          const looked = all.mock.contexts.filter(
            (statement) =>
              statement instanceof StatementSync &&
              statement.sourceSQL.startsWith("SELECT sequence FROM timeline"),
          )
          all.mockRestore()
          const positions = found.items.map(({ entry }) => Number(entry.sequence))
          const own = [entries + 2, entries + 1, ...indexed]
          assert.deepStrictEqual(positions, order === "asc" ? own.toReversed() : own)
          // One of each of his two keys.
          assert.strictEqual(looked.length, 2 * indexed.length)
        }
      }),
    ),
  )

  it.effect("whole runs are added up without reading their entries or bitmaps", () =>
    onLongLog((turns) =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const steps = { from: noon - hourMs, stepMs: hourMs, steps: 2 }
        turns.rowsOfSlices.length = 0
        const counted = yield* catalog.counts(first.id, steps)
        const rows = turns.rowsOfSlices.reduce((sum, of) => sum + of, 0)
        assert.isAtMost(rows, entries / runEntries)
        const rare = rarePositions.length
        assert.deepStrictEqual(
          counted.counts.map(({ count, kind, outcome }) => [kind, outcome, count]).toSorted(),
          [
            ["event", "applied", entries - 1 - rare],
            ["identify", "created", 1],
            ["page", "partial", rare],
          ],
        )
      }),
    ),
  )

  it.effect(
    "a filter finds a name in a run (a block of log entries) that has too many names for an index of names",
    () =>
      onLongLog(() =>
        Effect.gen(function* () {
          assert.isAbove(runEntries, listedNamesMax)
          const at = entries / 2 + 1000
          assert.deepStrictEqual(yield* sequencesOf({ name: `one of many ${at}` }, 50), [at])
          assert.deepStrictEqual(yield* sequencesOf({ search: nameSearch(`*many ${at}`) }, 50), [at])
        }),
      ),
  )
})

describe("searching many people", () => {
  it.effect("each slice of a search for people reads a bounded number of rows", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const turns = new CountingTurns()
      yield* Effect.gen(function* () {
        const crowd = Array.from({ length: 5000 }, (_, i) => identify(byId(`crowd ${i}`)))
        const others = Array.from({ length: 5000 }, (_, i) => identify(byId(`other ${i}`)))
        yield* apply(...crowd)
        yield* apply(...others)
        const spies = [spyOnAll(turns), spyOnIterate(turns)]
        const found = yield* people("crowd", { limit: 1000, order: "desc" })
        for (const spy of spies) spy.mockRestore()
        assert.strictEqual(found.length, crowd.length)
        assert.isAtMost(Math.max(...turns.rowsOfSlices), boundOfSlice)
      }).pipe(Effect.provide(storeIn(directory)), Effect.provideService(Turns, turns))
    }),
  )
})
