import type { Effect } from "effect"
import type { Connection } from "./engine/Connection.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"

/** The largest number of rows of the table `writers` that one step of housekeeping removes. */
const removedMax = 1000

/**
 * Removes the rows of writers that have not written to a workspace for a day. Most of these writers belong to processes
 * that have ended. A process needs the row of its writer only until the process knows whether its transaction was
 * committed, which takes seconds. Returns the number of removed rows.
 */
export const pruneWriters = (
  connection: Connection,
  workspace: number,
): Effect.Effect<number, DatabaseError> => connection.execute(pruneSql, [workspace])

const pruneSql = `
  DELETE FROM writers WHERE workspace = $1 AND writer IN (
    SELECT writer FROM writers WHERE workspace = $1 AND at < now() - interval '1 day'
    ORDER BY writer LIMIT ${removedMax} FOR UPDATE SKIP LOCKED
  )
`
