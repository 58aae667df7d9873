import type { SubjectKey } from "@inlet/core/Identifier"
import type { Subject } from "@inlet/core/Subject"
import type { Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { subjectOf } from "./subjects.ts"

/** Reads the subjects that have one of the keys, in one statement. */
export const readSubjects = (
  database: Database,
): ((keys: Iterable<SubjectKey>) => ReadonlyArray<Subject>) => {
  const statement = database.prepareByPlace(`
    SELECT found.key, found.workspace, found.state, found.owner, found.created, found.updated, found.name, found.doc
    FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value`)
  return (keys) => {
    // In their order in the file, so that each page is looked for once.
    const wanted = Float64Array.from(keys).toSorted()
    if (wanted.length === 0) return []
    return statement.all(`[${wanted.join()}]`).map(subjectAt)
  }
}

const subjectAt = (row: Row): Subject =>
  subjectOf({
    key: row[0],
    workspace: row[1],
    state: row[2],
    owner: row[3],
    created: row[4],
    updated: row[5],
    name: row[6],
    doc: row[7],
  })
