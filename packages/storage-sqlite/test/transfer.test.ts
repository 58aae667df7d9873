import { assert, it } from "@effect/vitest"
import { transferTables } from "@inlethq/storage/columns/transferTables"
import { compareCopiedBack, dividedCopiesAreRefused } from "@inlethq/store-conformance/copies/copiedBack"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareCopied } from "@inlethq/store-conformance/copies/copies"
import { Effect } from "effect"
import { openDatabase } from "../src/openDatabase.ts"
import { openSource, openTarget } from "@inlethq/storage-sqlite/transfer/openForCopy"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/**
 * Tables that are not copied: indexes of the log, which the target builds itself, and tables about a single database
 * file.
 */
const ownTables = ["counters", "facets", "log_counts", "migrations", "probe", "timeline"]

/** Columns that are not copied: how far the log is indexed, and the mark of deleted workspaces, which are not copied. */
const ownColumns = new Set(["deleted_at", "indexed_runs", "timeline_runs"])

it.effect("copying a store copies every table, except for tables that the target builds itself", () =>
  Effect.gen(function* () {
    const database = yield* openDatabase(yield* temporaryDirectory)
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all()
      .map(({ name }) => name)
    const copied = transferTables.map(({ name }) => name)
    assert.deepStrictEqual(tables, [...ownTables, ...copied].toSorted())
    for (const { columns, name } of transferTables) {
      const found = database
        .prepare("SELECT name FROM pragma_table_info(?)")
        .all(name)
        .map((column) => String(column["name"]))
        .filter((column) => column !== "workspace" && column !== "id" && !ownColumns.has(column))
      const expected = columns.map((column) => column.name).filter((column) => column !== "id")
      const key = new Set(["subjects", "sizes", "activity"]).has(name) ? expected.slice(1) : expected
      assert.deepStrictEqual(found.toSorted(), key.toSorted(), name)
    }
  }),
)

const newStore = Effect.map(temporaryDirectory, (directory) => ({
  services: storeIn(directory, { sweepRowsMax: 7 }),
  source: openSource(directory),
  target: openTarget(directory),
}))

it.live(
  "a store that is copied to memory and from there to another store shows the same data, and decides later commands in the same way",
  comparing(20, (scripts) => compareCopied(newStore, scripts)),
)

it.live(
  "contract §16 erasure ledger: a copy of an older store shows nobody whom the target has erased since",
  comparing(20, (scripts) => compareCopiedBack(newStore, scripts)),
)

it.live.each(["far", "near"] as const)(
  "a copy is refused if the target erased people and the source has changed since in another way (%s)",
  (division) =>
    Effect.gen(function* () {
      assert.match(
        yield* dividedCopiesAreRefused(newStore, division),
        /^the target has erased people of workspace 2, and/,
      )
    }),
)
