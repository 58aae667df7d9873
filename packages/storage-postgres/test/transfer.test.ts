import { assert, it } from "@effect/vitest"
import { transferTables } from "@inlet/storage/transfer/transferTables"
import { Effect } from "effect"
import { ownTable } from "../src/transfer/rowCodecs.ts"
import { describeServers, sessionTo } from "./server.ts"
import { emptyTables } from "./stores.ts"

/** A copy leaves these tables out, because they describe one database and the servers that use it. */
const ownTables = ["installation", "leases", "migrations", "writers"]

describeServers("a copy", (server) => {
  it.live("a copy moves every table and column, except for tables with the state of the servers", () =>
    Effect.gen(function* () {
      const session = yield* sessionTo(yield* emptyTables(server()))
      const rows = yield* session.query(
        "SELECT table_name::text AS name, column_name::text AS column FROM information_schema.columns WHERE table_schema = 'public'",
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
        assert.deepStrictEqual(
          tables.get(table.name)?.toSorted(),
          [workspaceColumn, ...own].toSorted(),
          table.name,
        )
      }
    }),
  )
})
