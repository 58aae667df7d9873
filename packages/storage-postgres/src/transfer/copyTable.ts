import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/**
 * The table that marks a database as the target of an unfinished copy. The table contains the plan of the copy and its
 * progress.
 */
export const copyTable = "copy_progress"

/** Returns whether a database is the target of an unfinished copy. */
export const hasCopyTable = (connection: Connection): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(
    connection.query(`SELECT to_regclass('${copyTable}') IS NOT NULL AS found`),
    ([row]) => row?.["found"] === true,
  )
