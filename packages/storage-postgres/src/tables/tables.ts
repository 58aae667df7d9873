import { integer, integerOrNull, textOrNull } from "@inlethq/storage/columns/columns"
import type { Statements, Tables, Value } from "@inlethq/storage/tables/Tables"
import { columnsOf, type TransferTableName } from "@inlethq/storage/columns/transferTables"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { chunksOf } from "../engine/chunks.ts"
import { isDeleted, lastDeletedSql, saveLastDeleted } from "./deletedWorkspaces.ts"

/** The column `workspace` is an INTEGER. */
const workspaceMax = 2 ** 31 - 1

/** Makes the access to the tables beside people and their log. */
export const makeTables = (database: Database["Service"]): Tables => {
  const write: Tables["write"] = (operation, owner, body) =>
    database.write(operation, owner, (connection) => body(statementsOn(connection)))
  return {
    workspaceMax,
    read: (operation, sql, ...values) => database.query(operation, sql, values),
    write,
    writeUnsynced: write,
  }
}

/** Runs statements in a transaction that is open. */
export const statementsOn = (connection: Connection): Statements<DatabaseError> => ({
  rows: (sql, ...values) => connection.query(sql, values),
  run: (sql, ...values) => connection.execute(sql, values),
  runEach: (sql, rows) =>
    Effect.forEach(rows, (values) => connection.execute(sql, values), {
      concurrency: "unbounded",
      discard: true,
    }),
  insert: (table, rows) =>
    Effect.forEach(chunksOf(rows, lengthOf), (chunk) => insertChunk(connection, table, chunk), {
      discard: true,
    }),
  isDeleted: (workspace) => isDeleted(connection, workspace),
  lastDeleted: Effect.map(connection.query(`SELECT ${lastDeletedSql} AS id`), ([row]) =>
    integer(row?.["id"]),
  ),
  saveLastDeleted: (workspace) => Effect.asVoid(saveLastDeleted(connection, workspace)),
  lockWorkspaces: Effect.asVoid(connection.execute("LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE")),
  workspaceMax,
  forUpdate: "FOR UPDATE",
  skipLocked: "FOR UPDATE SKIP LOCKED",
})

const lengthOf = (row: ReadonlyArray<Value>): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0)

const insertChunk = (
  connection: Connection,
  table: TransferTableName,
  rows: ReadonlyArray<ReadonlyArray<Value>>,
): Effect.Effect<number, DatabaseError> => {
  const columns = [{ name: "workspace", type: "integer" } as const, ...columnsOf(table)]
  const arrays = columns.map(({ type }, place) => `$${place + 1}::${type === "text" ? "text" : "bigint"}[]`)
  return connection.execute(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})`,
    columns.map(({ type }, place) =>
      type === "text"
        ? texts(rows.map((row) => textOrNull(row[place] ?? null)))
        : int8s(rows.map((row) => integerOrNull(row[place] ?? null))),
    ),
  )
}
