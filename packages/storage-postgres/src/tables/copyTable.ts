import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/**
 * If this table exists, a copy of data into this database was started and has not finished. The table contains the plan
 * and the progress of the copy.
 */
export const copyTable = "copy_progress"

/** Returns whether a copy of data into a database was started and has not finished. */
export const hasCopyTable = (connection: Connection): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(
    connection.query(`SELECT to_regclass('${copyTable}') IS NOT NULL AS found`),
    ([row]) => row?.["found"] === true,
  )
