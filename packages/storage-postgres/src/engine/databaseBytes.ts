import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import type { Connection } from "./Connection.ts"
import type { Database } from "./Database.ts"
import type { DatabaseError } from "./DatabaseError.ts"

const ownSql = "SELECT pg_database_size(current_database()) AS bytes"

/** A worker that is away must not fail the read. */
const allServersSql = `
  SELECT (pg_database_size(current_database()) + coalesce((
    SELECT sum(citus_total_relation_size(logicalrelid, fail_on_error => false)) FROM pg_dist_partition
  ), 0))::bigint AS bytes`

/** Reads the bytes of the database on disk: of all servers if its tables are distributed. */
export const readBytes = (connection: Connection): Effect.Effect<number, DatabaseError> =>
  Effect.map(connection.query(connection.rowForm === "keyed" ? allServersSql : ownSql), ([row]) =>
    integer(row?.["bytes"]),
  )

/** Reads the bytes of the database on disk. */
export const databaseBytes = (
  database: Pick<Database["Service"], "read">,
): Effect.Effect<number, StoreUnavailable> => database.read("read its size", readBytes)
