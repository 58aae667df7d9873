import type { ActivityEntry, EntryPart } from "@inlet/core/log/ActivityEntry"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { addParts, type EntriesWithParts } from "@inlet/storage/activityRecords"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import { subjectKey } from "@inlet/storage/ids"
import { partFromRow } from "@inlet/storage/partRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s } from "../engine/parameters.ts"

const partsSql = `
  SELECT sequence, subject, doc FROM entry_parts WHERE workspace = $1 AND sequence = ANY($2::bigint[])
  ORDER BY sequence, place`

const erasedSql = `
  SELECT wanted.key FROM unnest($2::bigint[]) AS wanted (key)
  WHERE EXISTS (SELECT FROM subjects WHERE workspace = $1 AND state = ${stateCodes.erased} AND key = wanted.key)`

/**
 * Adds the parts (effects on single people) to entries about objects, with two statements. Leaves out effects on
 * deleted people. These effects were recorded before the deletion, because later entries never contain the key of a
 * deleted person.
 */
export const withParts = (
  connection: Connection,
  workspace: WorkspaceId,
  entries: ReadonlyArray<ActivityEntry>,
  positions: ReadonlySet<Sequence>,
): Effect.Effect<EntriesWithParts, DatabaseError> =>
  Effect.gen(function* () {
    if (positions.size === 0) return { entries, cut: new Set() }
    const parts = new Map<Sequence, Array<EntryPart>>()
    const subjects = new Set<SubjectKey>()
    for (const row of yield* connection.query(partsSql, [workspace, int8s([...positions])])) {
      const sequence = sequenceIn(row)
      const part = partFromRow(row)
      const before = parts.get(sequence)
      if (before === undefined) parts.set(sequence, [part])
      else before.push(part)
      subjects.add(part.subject)
    }
    const rows = yield* connection.queryByIndex(erasedSql, [workspace, int8s([...subjects])])
    return addParts(entries, parts, new Set(rows.map(([key]) => subjectKey(integer(key)))))
  })
