import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { RecordedNode } from "@inlethq/core/ports/RecordedNodes"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer } from "@inlethq/storage/columns/columns"
import { Clock, Effect, Schedule, type Scope } from "effect"
import manifest from "../../package.json" with { type: "json" }
import type { NamedRow } from "../engine/Connection.ts"
import { silentSecondsMax } from "../engine/bounds.ts"
import { installation, type Database } from "../engine/Database.ts"
import { newestFormat } from "../migrations/released.ts"

/** The time in seconds between two updates of a node's record. */
const intervalSeconds = silentSecondsMax / 3

/** The longest time for which a stopping node tries to remove its record from the database. */
const removalMax = "2 seconds"

/** The largest number of nodes that are listed. The nodes that were seen last are listed. */
const listedMax = 100

const recordSql = `
  INSERT INTO nodes (id, host, version, started_at, format, seen, clock_ahead_ms)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp(), $6::bigint - (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, clock_ahead_ms = excluded.clock_ahead_ms
`

/** The record of a node that was killed stays for a day, so that operators see when it was lost. */
const pruneSql = "DELETE FROM nodes WHERE seen < clock_timestamp() - interval '1 day'"

const removeSql = "DELETE FROM nodes WHERE id = $1"

const listSql = `
  SELECT id, host, version, started_at, clock_ahead_ms,
    (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint AS silent_ms
  FROM (SELECT * FROM nodes ORDER BY seen DESC LIMIT ${listedMax}) AS newest ORDER BY host, started_at, id
`

/** Saves the record of this node, and lists all nodes that share its database. */
export interface NodeRecords {
  /** Records that this node runs, and removes the records of nodes that have been silent for a day. */
  readonly record: Effect.Effect<void, StoreUnavailable>
  /** Removes the record of this node. */
  readonly remove: Effect.Effect<void, StoreUnavailable>
  readonly list: Effect.Effect<ReadonlyArray<RecordedNode>, StoreUnavailable>
}

/** Makes the service that records this node. The current time is recorded as the start time of the node. */
export const makeNodeRecords = (database: Database["Service"]): Effect.Effect<NodeRecords> =>
  Effect.map(Clock.currentTimeMillis, (startedAt) => {
    const id = randomUUID()
    const self = [id, hostname(), manifest.version, startedAt, newestFormat()] as const
    return {
      record: database.write("record this node", installation, (connection) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* connection.execute(recordSql, [...self, now])
          yield* connection.execute(pruneSql)
        }),
      ),
      remove: Effect.asVoid(
        database.write("remove the record of this node", installation, (connection) =>
          connection.execute(removeSql, [id]),
        ),
      ),
      list: Effect.map(database.query("read the nodes", listSql), (rows) =>
        rows.map((row) => recordOf(row, id)),
      ),
    }
  })

/**
 * Records a node at intervals until the scope closes, and then removes its record. While the database cannot be reached,
 * other nodes see this node as silent.
 */
export const recordForever = ({ record, remove }: NodeRecords): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(remove, removalMax)))
    const recorded = Effect.ignore(record).pipe(
      Effect.ignoreCause({ log: "Error", message: "this node could not be recorded" }),
    )
    yield* Effect.forkScoped(Effect.repeat(recorded, Schedule.spaced(`${intervalSeconds} seconds`)))
  })

const recordOf = (row: NamedRow, self: string): RecordedNode => ({
  id: String(row["id"]),
  host: String(row["host"]),
  version: String(row["version"]),
  startedAt: integer(row["started_at"]),
  silentMs: integer(row["silent_ms"]),
  clockAheadMs: integer(row["clock_ahead_ms"]),
  isSelf: row["id"] === self,
})
