import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { text } from "@inlet/storage/columns"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"

/** The most different names that a search compares one by one. In a workspace with more names it reads the log instead. */
const namesMax = 1000

/** Skips from each name in the index to the next one, so the cost does not depend on the number of entries. */
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
 * Returns the indexed beginnings of the names in a workspace's log that a search may match; undefined if there are too many names. The
 * rest of a name that is longer than the index is unknown, so such a name is always returned.
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
