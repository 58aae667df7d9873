import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/**
 * If this table exists, data were copied into the database and the copying has not finished. The table contains the
 * plan and the progress of the copying.
 */
export const copyTable = "copy_progress"

/** Returns whether data were copied into a database and the copying has not finished. */
export const hasCopyTable = (connection: Connection): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(
    connection.query(`SELECT to_regclass('${copyTable}') IS NOT NULL AS found`),
    ([row]) => row?.["found"] === true,
  )
