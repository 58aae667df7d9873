import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { text } from "@inlet/storage/columns"
import { lookupTypesMax } from "@inlet/storage/namedSubjects"
import { fromStored } from "@inlet/storage/storedText"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"

/** The query jumps in the index from each type to the next. A long type is cut, and counts as too many types. */
const typesSql = `
  WITH RECURSIVE types (name, place) AS (
    (SELECT ${indexedName}, 1 FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} ORDER BY ${indexedName} LIMIT 1)
    UNION ALL
    SELECT (
      SELECT ${indexedName} FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} AND ${indexedName} > types.name
      ORDER BY ${indexedName} LIMIT 1
    ), place + 1
    FROM types WHERE types.name IS NOT NULL AND place <= $2
  )
  SELECT name FROM types WHERE name IS NOT NULL`

/** Lists the types of a workspace's objects, or returns undefined if there are too many. */
export const readObjectTypes = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<ReadonlyArray<string> | undefined, DatabaseError> =>
  Effect.map(connection.queryByIndex(typesSql, [workspace, lookupTypesMax]), (rows) => {
    const types = rows.map(([name]) => text(name))
    const isCut = types.some((type) => Array.from(type).length >= indexedNameLength)
    return isCut || types.length > lookupTypesMax ? undefined : types.map(fromStored)
  })
