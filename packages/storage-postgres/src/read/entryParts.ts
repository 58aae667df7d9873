import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { addParts, partsIn, type EntriesWithParts } from "@inlet/storage/activityRecords"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
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
    const found = partsIn(yield* connection.query(partsSql, [workspace, int8s([...positions])]))
    const rows = yield* connection.queryByIndex(erasedSql, [workspace, int8s([...found.subjects])])
    return addParts(entries, found, new Set(rows.map(([key]) => subjectKey(integer(key)))))
  })
