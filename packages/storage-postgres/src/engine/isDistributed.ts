import { Effect } from "effect"
import type { Connection } from "./Connection.ts"
import type { DatabaseError } from "./DatabaseError.ts"

/** The table that all other distributed tables are placed with, so that the rows of a workspace are on one server. */
export const headsTable = "heads"

const distributedSql = `
  SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('${headsTable}')) AS found`

/** Returns whether the tables of a database with Citus are distributed. */
export const isDistributed = (connection: Pick<Connection, "query">): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(connection.query(distributedSql), ([row]) => row?.["found"] === true)
