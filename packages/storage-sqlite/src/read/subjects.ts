import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text, type Row } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { subjectFromRow } from "@inlethq/storage/rows/subjectRows"
import type { ReadDatabase } from "../engine/Database.ts"
import { rowId, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"

/** The SQL columns that `subjectFromRow` decodes. The query must name the table as `subjects AS found`. */
export const subjectColumns = `${sqlNumber("found.id")} AS key, ${sqlWorkspace("found.id")} AS workspace, found.state AS state,
  found.owner AS owner, found.created AS created, found.updated AS updated, found.name AS name, found.doc AS doc`

export type ReadSubjects = (workspace: WorkspaceId, keys: Iterable<SubjectKey>) => ReadonlyArray<Subject>

/** Reads the people, objects and other subjects with the given keys in one statement. */
export const readSubjects = (database: ReadDatabase): ReadSubjects => {
  const rowsOf = readSubjectRows(database)
  return (workspace, keys) => rowsOf(workspace, keys).map(subjectAt)
}

/** Reads rows of the table `subjects` by their keys in one statement. `subjectAt` decodes a row. */
export const readSubjectRows = (
  database: ReadDatabase,
): ((workspace: WorkspaceId, keys: Iterable<SubjectKey>) => ReadonlyArray<Row>) => {
  const statement = database.prepareByPlace(
    `SELECT ${subjectColumns} FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.id = wanted.value`,
  )
  return (workspace, keys) => {
    // Rows are stored in the order of their ids. With sorted ids, SQLite looks up each page of the file only once.
    const wanted = Float64Array.from(keys, (key) => rowId(workspace, key)).toSorted()
    return wanted.length === 0 ? [] : statement.all(`[${wanted.join()}]`)
  }
}

/** Returns a row of `subjectColumns` by name. SQLite gives the columns by place in two thirds of the time. */
export const rowAt = (row: Row): Row => ({
  key: row[0],
  workspace: row[1],
  state: row[2],
  owner: row[3],
  created: row[4],
  updated: row[5],
  name: row[6],
  doc: row[7],
})

/** Decodes a row that `readSubjectRows` read. */
export const subjectAt = (row: Row): Subject => subjectFromRow(rowAt(row))

export const keyAt = (row: Row): SubjectKey => subjectKey(integer(row[0]))

export const documentLengthAt = (row: Row): number => text(row[7]).length
