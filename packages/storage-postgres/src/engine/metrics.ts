import { Duration, Effect, Metric, type Scope } from "effect"
import type { DatabaseError } from "./DatabaseError.ts"

const retries = Metric.counter("inlet_database_retries_total", {
  description: "Transactions that ran again after a failure, by kind of failure and reason",
  incremental: true,
})

const brokenCommits = Metric.counter("inlet_database_broken_commits_total", {
  description: "Commits whose connection broke, by the outcome that was found",
  incremental: true,
})

const connections = Metric.gauge("inlet_database_connections", {
  description: "Connections in use by this node, and calls that wait for a connection, by state",
})
const connectionsInUse = Metric.withAttributes(connections, { state: "in_use" })
const callsWaiting = Metric.withAttributes(connections, { state: "waiting" })

const durationBoundaries = Metric.exponentialBoundaries({ start: 0.0005, factor: 2, count: 14 })

const connectionWaitSeconds = Metric.histogram("inlet_database_connection_wait_seconds", {
  description: "Time until a call gets a connection, including the time for connecting",
  boundaries: durationBoundaries,
})

const transactionSeconds = Metric.histogram("inlet_database_transaction_duration_seconds", {
  description: "Time from BEGIN to COMMIT or ROLLBACK of one attempt, by mode",
  boundaries: durationBoundaries,
})
const durations = {
  read: Metric.withAttributes(transactionSeconds, { mode: "read" }),
  write: Metric.withAttributes(transactionSeconds, { mode: "write" }),
}

/** PostgreSQL's names of the failures that occur when transactions run at the same time. */
const reasons: ReadonlyMap<string | null, string> = new Map([
  ["23505", "unique_violation"],
  ["40001", "serialization_failure"],
  ["40P01", "deadlock_detected"],
  ["55P03", "lock_not_available"],
])

/** Exports the metrics of transactions from the start, with 0 for the failures that may occur. */
export const registerMetrics = Effect.gen(function* () {
  for (const reason of [...reasons.values(), "other"]) yield* Metric.value(retriesOf("conflict", reason))
  yield* Metric.value(retriesOf("lost", "other"))
  for (const outcome of ["committed", "rolled back", "unknown"]) {
    yield* Metric.value(Metric.withAttributes(brokenCommits, { outcome }))
  }
  for (const metric of [connectionWaitSeconds, durations.read, durations.write]) yield* Metric.value(metric)
})

const retriesOf = (kind: string, reason: string) => Metric.withAttributes(retries, { kind, reason })

/** Counts one repetition of a transaction, by the failure that caused the repetition. */
export const countRetry = ({ kind, sqlState }: DatabaseError): Effect.Effect<void> =>
  Metric.update(retriesOf(kind, reasons.get(sqlState) ?? "other"), 1)

/** Counts one commit during which the connection broke, by the outcome of the commit. */
export const countBrokenCommit = (outcome: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(brokenCommits, { outcome }), 1)

/** Measures how long a call waits for a connection. During the wait, the metric of waiting calls includes this call. */
export const measureWait = <A, E, R>(connection: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Metric.modify(callsWaiting, 1),
    () => Effect.trackDuration(connection, connectionWaitSeconds, Duration.toSeconds),
    () => Metric.modify(callsWaiting, -1),
  )

/** Counts a connection as in use until the scope closes. */
export const countInUse: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Metric.modify(connectionsInUse, 1),
  () => Metric.modify(connectionsInUse, -1),
)

/** Measures the duration of a transaction. */
export const measureTransaction = <A, E, R>(
  mode: keyof typeof durations,
  transaction: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => Effect.trackDuration(transaction, durations[mode], Duration.toSeconds)
