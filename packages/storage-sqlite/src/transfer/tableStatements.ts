import type { SQLInputValue } from "node:sqlite"
import { workspaceId } from "@inlethq/storage/columns/ids"
import {
  unitedTables,
  type RowOwner,
  type TransferCursor,
  type TransferRow,
  type TransferTable,
  type Value,
} from "@inlethq/storage/columns/transferTables"
import type { Database } from "../engine/Database.ts"
import { packedTables, rowIdRange, sqlNumber, sqlRowId } from "../engine/rowIds.ts"

/** Lazily reads rows of a workspace or of the installation after a cursor, in the order of their keys. */
export type ReadRows = (workspace: RowOwner, after: TransferCursor, limit: number) => Iterable<TransferRow>

/** Prepares the statement that reads a table. */
export const tableReader = (database: Database, table: TransferTable): ReadRows => {
  const { columns, keyColumns, name } = table
  const names = columns.map((column) => column.name)
  if (packedTables.has(name)) {
    const [, ...others] = names
    const statement = database.prepareByPlace(
      `SELECT ${[sqlNumber("id"), ...others].join(", ")} FROM ${name} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`,
    )
    return (workspace, [after = 0], limit) =>
      rowsOf(statement.iterate(...rowIdRange(workspaceId(workspace), Number(after) + 1, Infinity), limit))
  }
  const workspaceColumn = name === "workspaces" ? "id" : "workspace"
  if (keyColumns === 0) {
    const statement = database.prepareByPlace(
      `SELECT ${names.join(", ")} FROM ${name} WHERE ${workspaceColumn} = ?`,
    )
    return (workspace) => rowsOf(statement.iterate(workspace))
  }
  const key = names.slice(0, keyColumns)
  const places = key.map(() => "?").join(", ")
  const statement = database.prepareByPlace(
    `SELECT ${names.join(", ")} FROM ${name} WHERE ${workspaceColumn} = ? AND (${key.join(", ")}) > (${places}) ORDER BY ${key.join(", ")} LIMIT ?`,
  )
  return (workspace, after, limit) => rowsOf(statement.iterate(workspace, ...after, limit))
}

function* rowsOf(rows: Iterable<unknown>): Iterable<TransferRow> {
  for (const row of rows) yield Object.values(Object(row)).map(valueOf)
}

const valueOf = (value: unknown): Value => {
  if (typeof value === "string" || typeof value === "number" || value === null) return value
  throw new TypeError("a column of the database must hold a text, a number or null")
}

/** Writes one row of a workspace or of the installation. */
export type WriteRow = (workspace: RowOwner, row: TransferRow) => void

/** Prepares the statement that writes a table. */
export const tableWriter = (database: Database, table: TransferTable): WriteRow => {
  const { columns, name } = table
  const names = columns.map((column) => column.name)
  const others = names.slice(1)
  if (packedTables.has(name)) {
    const statement = database.prepare(
      `INSERT INTO ${name} (id, ${others.join(", ")}) VALUES (${sqlRowId("?", "?")}, ${placesOf(others)})`,
    )
    return (workspace, row) => void statement.run(workspace, ...inputs(row))
  }
  // API keys are numbered across all workspaces of an installation, so the target gives them new numbers.
  const written = name === "keys" ? others : names
  const workspaceColumn = name === "workspaces" ? "id" : "workspace"
  const statement = database.prepare(
    `INSERT ${unitedTables.has(name) ? "OR IGNORE " : ""}INTO ${name} (${[workspaceColumn, ...written].join(", ")}) VALUES (?, ${placesOf(written)})`,
  )
  const skipped = names.length - written.length
  return (workspace, row) => void statement.run(workspace, ...inputs(row.slice(skipped)))
}

const inputs = (row: TransferRow): ReadonlyArray<SQLInputValue> => row

const placesOf = (names: ReadonlyArray<string>): string => names.map(() => "?").join(", ")
