import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import { integer, text, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import type { Database } from "../engine/Database.ts"

/** Reads the subjects with some keys in one statement. */
export const readSubjects = (
  database: Database,
): ((keys: Iterable<SubjectKey>) => ReadonlyArray<Subject>) => {
  const rowsOf = readSubjectRows(database)
  return (keys) => rowsOf(keys).map(subjectAt)
}

/** Reads the rows of the subjects with some keys in one statement. Decode them with `subjectAt`. */
export const readSubjectRows = (database: Database): ((keys: Iterable<SubjectKey>) => ReadonlyArray<Row>) => {
  const statement = database.prepareByPlace(`
    SELECT found.key, found.workspace, found.state, found.owner, found.created, found.updated, found.name, found.doc
    FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value`)
  return (keys) => {
    // The keys are sorted in the order of the file, so that each page of the file is looked up once.
    const wanted = Float64Array.from(keys).toSorted()
    return wanted.length === 0 ? [] : statement.all(`[${wanted.join()}]`)
  }
}

/** Decodes a row that `readSubjectRows` read. */
export const subjectAt = (row: Row): Subject =>
  subjectFromRow({
    key: row[0],
    workspace: row[1],
    state: row[2],
    owner: row[3],
    created: row[4],
    updated: row[5],
    name: row[6],
    doc: row[7],
  })

export const keyAt = (row: Row): SubjectKey => subjectKey(integer(row[0]))

export const documentLengthAt = (row: Row): number => text(row[7]).length
