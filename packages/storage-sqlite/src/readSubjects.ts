import type { SubjectKey } from "@inlet/core/Identifier"
import type { Subject } from "@inlet/core/Subject"
import type { Database } from "./Database.ts"
import { subjectOf } from "./subjects.ts"

/** Reads the subjects that have one of the keys, in one statement. */
export const readSubjects = (
  database: Database,
): ((keys: Iterable<SubjectKey>) => ReadonlyArray<Subject>) => {
  const statement = database.prepare(
    "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value",
  )
  return (keys) => {
    const wanted = [...keys]
    if (wanted.length === 0) return []
    return statement.all(JSON.stringify(wanted)).map(subjectOf)
  }
}
