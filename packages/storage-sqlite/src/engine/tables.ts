import { integer } from "@inlethq/storage/columns/columns"
import { workspaceMax } from "./rowIds.ts"
import type { Statements, Tables } from "@inlethq/storage/tables/Tables"
import { columnsOf, type TransferTableName } from "@inlethq/storage/columns/transferTables"
import { Effect } from "effect"
import type { Statement } from "./Connection.ts"
import type { Database, ReadDatabase } from "./Database.ts"
import { lastWorkspace, raiseCounter } from "./counters.ts"
import { readIsDeleted } from "./deletedWorkspaces.ts"

/** Makes the access to the tables beside people and their log. Each statement is prepared when it is first used. */
export const makeTables = (database: Database): Tables => {
  const { durability } = database
  const reading = statementsOn(database.reads)
  const writing = statementsOn(database)
  return {
    workspaceMax,
    read: (operation, sql, ...values) =>
      durability.read(operation, () => Effect.runSync(reading.rows(sql, ...values))),
    write: (operation, _, body) =>
      durability.write(operation, () => database.write(() => Effect.runSync(body(writing)))),
    writeUnsynced: (operation, _, body) =>
      durability.inTurn(
        durability.attempt(operation, () => database.writeUnsynced(() => Effect.runSync(body(writing)))),
      ),
  }
}

/** Runs statements in the transaction that is open. */
export const statementsOn = (database: ReadDatabase): Statements<never> => {
  const prepared = new Map<string, Statement>()
  const of = (sql: string): Statement => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(numbered(sql))
    prepared.set(sql, statement)
    return statement
  }
  const isDeleted = readIsDeleted(database)
  const raise = raiseCounter(database)
  return {
    rows: (sql, ...values) => Effect.sync(() => of(sql).all(...values)),
    run: (sql, ...values) => Effect.sync(() => Number(of(sql).run(...values).changes)),
    runEach: (sql, rows) =>
      Effect.sync(() => {
        for (const values of rows) of(sql).execute(...values)
      }),
    insert: (table, rows) =>
      Effect.sync(() => {
        const statement = of(insertSql(table))
        for (const values of rows) statement.execute(...values)
      }),
    isDeleted: (workspace) => Effect.sync(() => isDeleted(workspace)),
    lastDeleted: Effect.sync(() =>
      integer(
        of(`SELECT coalesce(max(value), 0) AS id FROM counters WHERE name = '${lastWorkspace}'`).get()?.[
          "id"
        ],
      ),
    ),
    saveLastDeleted: (workspace) => Effect.sync(() => raise(lastWorkspace, workspace)),
    // A transaction that writes is alone.
    lockWorkspaces: Effect.void,
    workspaceMax,
    forUpdate: "",
    skipLocked: "",
  }
}

/** Writes the parameters `$1` to `$n` as SQLite numbers them. */
export const numbered = (sql: string): string => sql.replaceAll(/\$(\d+)/g, "?$1")

const insertSql = (table: TransferTableName): string => {
  const names = ["workspace", ...columnsOf(table).map(({ name }) => name)]
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`
}
