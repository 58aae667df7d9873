import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { text } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"

/**
 * If a workspace has at most this many different event names, a search by name compares each of these names. If a
 * workspace has more names, the search reads the log.
 */
const namesMax = 1000

/**
 * The query jumps in the index from each name to the next different name, so its cost does not depend on the number of
 * entries.
 */
const namesSql = `
  WITH RECURSIVE names (name, place) AS (
    (SELECT ${indexedName}, 1 FROM activity WHERE workspace = $1 AND name IS NOT NULL ORDER BY ${indexedName} LIMIT 1)
    UNION ALL
    SELECT (
      SELECT ${indexedName} FROM activity WHERE workspace = $1 AND name IS NOT NULL AND ${indexedName} > names.name
      ORDER BY ${indexedName} LIMIT 1
    ), place + 1
    FROM names WHERE names.name IS NOT NULL AND place <= $2
  )
  SELECT name FROM names WHERE name IS NOT NULL`

/**
 * Returns the event names in a workspace's log that may match a search, or undefined if the log has too many names. The
 * index contains only the first characters of a long name, which are not enough to test the name. Therefore the result
 * also contains the first characters of every long name, whether the name matches or not.
 */
export const findNames = (
  connection: Connection,
  workspace: WorkspaceId,
  isNamed: (stored: string) => boolean,
): Effect.Effect<ReadonlyArray<string> | undefined, DatabaseError> =>
  Effect.map(connection.queryByIndex(namesSql, [workspace, namesMax]), (rows) => {
    if (rows.length > namesMax) return undefined
    return rows
      .map(([name]) => text(name))
      .filter((name) => Array.from(name).length >= indexedNameLength || isNamed(name))
  })
