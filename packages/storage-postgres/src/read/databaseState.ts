import type { DatabaseState, Standby } from "../nodes/DatabaseStatus.ts"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { Clock, Effect } from "effect"
import { readBytes } from "../engine/databaseBytes.ts"
import type { NamedRow } from "../engine/Connection.ts"
import { silentSecondsMax } from "../engine/bounds.ts"
import { connectionsNeeded } from "../engine/connectionsNeeded.ts"
import type { ConnectionSettings } from "../engine/ConnectionUrl.ts"
import { isPooled } from "../engine/startChecks.ts"
import type { Database } from "../engine/Database.ts"

/** Users without the role `pg_monitor` do not see which rows of `pg_stat_activity` are connections of clients. */
const stateSql = `
  SELECT current_setting('server_version') AS version, (SELECT max(id) FROM migrations) AS format,
    current_setting('synchronous_commit') AS level, current_setting('synchronous_standby_names') AS names,
    current_setting('max_connections')::bigint AS connections_max,
    (SELECT sum(numbackends) FROM pg_stat_database)::bigint AS connections,
    (SELECT count(*) FROM nodes WHERE seen > clock_timestamp() - interval '${silentSecondsMax} seconds') AS nodes,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`

const standbysMax = 100

/**
 * A user without the role `pg_monitor` or `pg_read_all_stats` can read the names of standbys. The other columns are null
 * for this user.
 */
const standbysSql = `
  SELECT application_name AS name, coalesce(state, 'unknown') AS state,
    sync_state IN ('sync', 'quorum') AS is_synchronous,
    pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::bigint AS bytes_behind
  FROM pg_stat_replication ORDER BY application_name LIMIT ${standbysMax}`

/** Reads the settings, the standbys, the connections and the clock of the database server. */
export const readDatabaseState = (
  database: Database["Service"],
  { poolSize, prepare }: Pick<ConnectionSettings, "poolSize" | "prepare">,
): Effect.Effect<DatabaseState, StoreUnavailable> =>
  database.read("read its state", (connection) =>
    Effect.gen(function* () {
      const standbys = yield* connection.query(standbysSql)
      const before = yield* Clock.currentTimeMillis
      const [row = {}] = yield* connection.query(stateSql)
      const after = yield* Clock.currentTimeMillis
      return {
        version: String(row["version"]),
        format: integer(row["format"]),
        synchronousCommit: String(row["level"]),
        synchronousStandbyNames: String(row["names"]),
        standbys: standbys.map(standbyOf),
        connections: integer(row["connections"]),
        connectionsMax: integer(row["connections_max"]),
        connectionsNeeded: connectionsNeeded(poolSize, Math.max(1, integer(row["nodes"]))),
        bytes: yield* readBytes(connection),
        isDistributed: connection.rowForm === "keyed",
        namesBehindPooler: prepare && (yield* isPooled(connection)),
        clockAheadMs: Math.round((before + after) / 2) - integer(row["now"]),
      }
    }),
  )

const standbyOf = (row: NamedRow): Standby => ({
  name: String(row["name"]),
  state: String(row["state"]),
  isSynchronous: typeof row["is_synchronous"] === "boolean" ? row["is_synchronous"] : null,
  bytesBehind: integerOrNull(row["bytes_behind"]),
})
