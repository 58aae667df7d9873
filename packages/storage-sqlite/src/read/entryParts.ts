import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { addParts, partsIn, type EntriesWithParts } from "@inlet/storage/activityRecords"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import type { Database } from "../engine/Database.ts"
import { rowId, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"

/**
 * Adds the parts of entries about objects (their effects on single people) with two statements. Leaves out effects on
 * deleted people.
 */
export const partReader = (
  database: Database,
): ((
  workspace: WorkspaceId,
  entries: ReadonlyArray<ActivityEntry>,
  withParts: ReadonlySet<Sequence>,
) => EntriesWithParts) => {
  const statement = database.prepare(
    "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN entry_parts AS found ON found.workspace = ? AND found.sequence = wanted.value ORDER BY found.sequence, found.place",
  )
  const erasedAmong = erasedReader(database)
  return (workspace, entries, withParts) => {
    if (withParts.size === 0) return { entries, cut: new Set() }
    const found = partsIn(statement.all(JSON.stringify([...withParts]), workspace))
    return addParts(entries, found, erasedAmong(workspace, found.subjects))
  }
}

/**
 * Returns which of the given people and visitors are deleted. Reads the small index of deleted subjects, because a
 * lookup in the table of all people costs far more. An entry never contains the key of a person who was deleted before
 * the entry was recorded. Therefore every recorded effect on a deleted person is older than the deletion and counts as
 * erased, and its log position need not be compared with that of the deletion.
 */
const erasedReader = (
  database: Database,
): ((workspace: WorkspaceId, keys: ReadonlySet<SubjectKey>) => ReadonlySet<SubjectKey>) => {
  const statement = database.prepareByPlace(
    `SELECT ${sqlNumber("found.id")} FROM json_each(?) AS wanted CROSS JOIN subjects AS found INDEXED BY erased ON ${sqlWorkspace("found.id")} = ? AND found.id = wanted.value WHERE state = ${stateCodes.erased}`,
  )
  return (workspace, keys) => {
    if (keys.size === 0) return keys
    const wanted = JSON.stringify(Array.from(keys, (key) => rowId(workspace, key)))
    return new Set(statement.all(wanted, workspace).map((row) => subjectKey(integer(row[0]))))
  }
}
