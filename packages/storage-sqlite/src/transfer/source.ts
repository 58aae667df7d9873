import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text } from "@inlethq/storage/columns/columns"
import { ownerOf, workspaceId } from "@inlethq/storage/columns/ids"
import type { TransferSource } from "@inlethq/storage/transfer/Transfer"
import {
  transferLengthMax,
  transferRowsMax,
  transferTables,
  type RowOwner,
  type TransferCursor,
  type TransferRow,
  type TransferTable,
} from "@inlethq/storage/columns/transferTables"
import { lastWorkspace } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { attempt } from "../engine/sqliteErrors.ts"
import { tableReader } from "./tableStatements.ts"

/**
 * Reads the data to copy from a database in a directory that this process has locked, so that nothing changes between
 * two pages.
 */
export const transferSource = (database: Database): TransferSource => {
  const readers = new Map(transferTables.map((table) => [table.name, tableReader(database, table)]))
  return {
    lastDeleted: attempt("read the last deleted workspace", readLastDeleted(database)),
    workspaces: attempt("read workspaces", readWorkspaces(database)),
    owners: ({ name }) => attempt(`read the owners of ${name}`, readOwners(database, name)),
    read: (table, workspace, after) =>
      attempt(`read ${table.name}`, () => {
        const rows: Array<TransferRow> = []
        let length = 0
        for (const row of readers.get(table.name)?.(workspace, after, transferRowsMax) ?? []) {
          rows.push(row)
          length += lengthOf(table, row)
          if (length >= transferLengthMax) break
        }
        return { rows, cursor: cursorOf(table, rows) }
      }),
  }
}

const readLastDeleted = (database: Database): (() => number) => {
  const statement = database.prepareByPlace(
    `SELECT coalesce(max(value), 0) FROM counters WHERE name = '${lastWorkspace}'`,
  )
  return () => integer(statement.get()?.[0])
}

/** Returns a function that reads the ids of all workspaces that are set up or have data, except deleted ones. */
const readWorkspaces = (database: Database): (() => ReadonlyArray<WorkspaceId>) => {
  const statement = database.prepareByPlace(
    "SELECT id FROM workspaces UNION SELECT workspace FROM heads WHERE deleted_at IS NULL ORDER BY 1",
  )
  return () => statement.all().map((row) => workspaceId(integer(row[0])))
}

const readOwners = (database: Database, table: string): (() => ReadonlyArray<RowOwner>) => {
  const statement = database.prepareByPlace(`SELECT DISTINCT workspace FROM ${table} ORDER BY 1`)
  return () => statement.all().map((row) => ownerOf(integer(row[0])))
}

const lengthOf = ({ columns, longTexts }: TransferTable, row: TransferRow): number =>
  longTexts.reduce((sum, name) => {
    const value = row[columns.findIndex((column) => column.name === name)]
    return sum + (typeof value === "string" ? value.length : 0)
  }, 0)

const cursorOf = ({ columns, keyColumns }: TransferTable, rows: ReadonlyArray<TransferRow>): TransferCursor =>
  (rows.at(-1) ?? [])
    .slice(0, keyColumns)
    .map((value, place) => (columns[place]?.type === "text" ? text(value) : integer(value)))
