import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { Effect, Metric, Schedule, type Scope } from "effect"
import type { Database } from "../engine/Database.ts"
import { databaseBytes } from "../engine/databaseBytes.ts"

/** The pause between two measurements. Prometheus usually collects metrics at such intervals. */
const interval = "15 seconds"

const bytes = Metric.gauge("inlet_database_bytes", {
  description: "Size of the database on disk, of all servers if its tables are distributed",
})

const connections = Metric.gauge("inlet_database_server_connections", {
  description: "Connections to all databases of the PostgreSQL server",
})

const connectionsMax = Metric.gauge("inlet_database_server_connections_max", {
  description: "The setting max_connections of the PostgreSQL server",
})

const lockWaits = Metric.gauge("inlet_database_lock_waits", {
  description: "Transactions in the database that wait for a lock, of all nodes",
})

const standbys = Metric.gauge("inlet_database_standbys", {
  description: "Standbys that are connected to the PostgreSQL server",
})

const standbyLagBytes = Metric.gauge("inlet_database_standby_lag_bytes", {
  description: "The most bytes of log that a connected standby has not written to disk yet",
})

/** Only users with the role `pg_monitor` or `pg_read_all_stats` see how far the standbys are behind. */
const serverSql = `
  SELECT (SELECT sum(numbackends)::bigint FROM pg_stat_database WHERE datid <> 0) AS connections,
    current_setting('max_connections')::bigint AS connections_max,
    (SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS lock_waits,
    (SELECT count(*) FROM pg_stat_replication) AS standbys,
    CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN
      (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)), 0)::bigint
        FROM pg_stat_replication)
    END AS lag_bytes
`

/** Records the size, connections, lock waits and standbys of the database server in the metrics, once. */
export const measureServer = (database: Database["Service"]): Effect.Effect<void, StoreUnavailable> =>
  Effect.gen(function* () {
    yield* Metric.update(bytes, yield* databaseBytes(database))
    const [row = {}] = yield* database.query("read its metrics", serverSql)
    yield* Metric.update(connections, integer(row["connections"]))
    yield* Metric.update(connectionsMax, integer(row["connections_max"]))
    yield* Metric.update(lockWaits, integer(row["lock_waits"]))
    yield* Metric.update(standbys, integer(row["standbys"]))
    const lag = integerOrNull(row["lag_bytes"])
    if (lag !== null) yield* Metric.update(standbyLagBytes, lag)
  })

/** Measures the database server at intervals until the scope closes. While the server is away, the metrics keep their values. */
export const measureServerForever = (
  database: Database["Service"],
): Effect.Effect<void, never, Scope.Scope> => {
  const measured = Effect.ignore(measureServer(database)).pipe(
    Effect.ignoreCause({ log: "Error", message: "the database server could not be measured" }),
  )
  return Effect.asVoid(Effect.forkScoped(Effect.repeat(measured, Schedule.spaced(interval))))
}
