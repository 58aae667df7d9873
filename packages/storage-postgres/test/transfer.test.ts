import { assert, it } from "@effect/vitest"
import { transferTables } from "@inlethq/storage/columns/transferTables"
import {
  compareCopiedBack,
  copiesAreErased,
  dividedCopiesAreRefused,
} from "@inlethq/store-conformance/copies/copiedBack"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareCopied } from "@inlethq/store-conformance/copies/copies"
import { Effect } from "effect"
import { ownTable } from "../src/transfer/rowCodecs.ts"
import { transferSource } from "../src/transfer/source.ts"
import { transferTarget } from "../src/transfer/target.ts"
import { databaseAt, describeServers, partOn, sessionTo } from "./server.ts"
import { emptyTables, nodeAt } from "./stores.ts"

/** These tables are not copied: they describe one database and the servers that use it, or each database derives them. */
const ownTables = [
  "export_parts",
  "import_parts",
  "installation",
  "leases",
  "log_counts",
  "migrations",
  "nodes",
  "writers",
]

const storeAt = (url: string) => ({
  services: nodeAt(url, { sweepRowsMax: 7 }),
  source: Effect.flatMap(databaseAt(url), (database) =>
    Effect.map(database.snapshot("read a consistent copy", 60_000), transferSource),
  ),
  target: Effect.map(databaseAt(url), transferTarget),
})

describeServers("a copy", (server) => {
  const newUrl = Effect.suspend(() => emptyTables(server()))
  const newStore = Effect.map(newUrl, storeAt)

  it.live(
    "copying a store copies every table and column, except for generated columns and the tables that describe the servers on one database",
    () =>
      Effect.gen(function* () {
        const session = yield* sessionTo(yield* emptyTables(server()))
        const rows = yield* session.query(
          "SELECT table_name::text AS name, column_name::text AS column FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'",
        )
        const tables = new Map<string, Array<string>>()
        for (const { column, name } of rows) {
          const columns = tables.get(String(name)) ?? []
          tables.set(String(name), [...columns, String(column)])
        }
        const copied = transferTables.map(({ name }) => name)
        assert.deepStrictEqual([...tables.keys()].toSorted(), [...ownTables, ...copied].toSorted())
        for (const table of transferTables) {
          const workspaceColumn = table.name === "workspaces" ? "id" : "workspace"
          const own = ownTable(table).columns.map(({ name }) => name)
          // Deleted workspaces and the progress of counting are not copied.
          if (table.name === "heads") own.push("deleted_at", "counted_to")
          assert.deepStrictEqual(
            tables.get(table.name)?.toSorted(),
            [workspaceColumn, ...own].toSorted(),
            table.name,
          )
        }
      }),
  )

  it.live(
    "a store that is copied to memory and from there to another store shows the same data, and decides later commands in the same way",
    comparing(5, (scripts) => compareCopied(newStore, partOn(server, scripts))),
  )

  it.live(
    "contract §16 erasure ledger: a copy of an older store shows nobody whom the target has erased since",
    comparing(5, (scripts) => compareCopiedBack(newStore, partOn(server, scripts))),
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

  it.live(
    "a copy removes the rows of erased people although a copy that was killed still has the lease",
    () =>
      Effect.gen(function* () {
        const url = yield* newUrl
        const session = yield* sessionTo(url)
        const take = session.execute(`
        UPDATE leases SET holder = 'killed', token = token + 1, until = clock_timestamp() + interval '3 seconds'
        WHERE name = 'housekeeping'`)
        yield* copiesAreErased(yield* newStore, storeAt(url), take)
      }),
  )
})
