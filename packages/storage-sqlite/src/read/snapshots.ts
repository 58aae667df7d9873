import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { snapshotMsMax, type Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Digest } from "@inlethq/core/ports/Digest"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Clock, Effect, type Scope } from "effect"
import { blockFromBytes } from "../engine/Checkpoints.ts"
import { Connection } from "../engine/Connection.ts"
import { Database } from "../engine/Database.ts"
import type { Durability } from "../engine/Durability.ts"
import { attempt } from "../engine/sqliteErrors.ts"
import { makeCatalog, type ReadGuard } from "./catalog.ts"

/**
 * Snapshots end when the write-ahead log has this many bytes. The log cannot start over while a snapshot reads from the
 * log. If the log reached `blockFromBytes`, commits would wait.
 */
const logBytesMax = blockFromBytes * (3 / 4)

/** The cache of a snapshot's connection in KiB. The cache is small because the operating system caches the file too. */
const cacheKiB = 2 * 1024

/** Opens snapshots. Each snapshot is a read transaction on its own connection. */
export const makeSnapshots = (
  { durability, file }: Database,
  digest: Digest["Service"],
  turns: ReadTurns,
): Snapshots["Service"] => ({
  open: () =>
    Effect.gen(function* () {
      const connection = yield* openConnection(file, durability)
      const database = yield* Effect.flatten(
        durability.attempt("open a snapshot", () => {
          const snapshot = new SnapshotDatabase(connection, file, -1, durability)
          // BEGIN alone does not start to read a snapshot. The first SELECT does.
          connection.current.exec("BEGIN; SELECT 1 FROM migrations")
          return Effect.as(durability.untilDurable("open a snapshot"), snapshot)
        }),
      )
      const until = (yield* Clock.currentTimeMillis) + snapshotMsMax
      const check = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (!connection.isOpen)
          return ended("read further from a snapshot, because a sync of its database failed")
        if (now > until)
          return ended(`read from one snapshot for more than ${snapshotMsMax / 60_000} minutes`)
        return logBytes(file) > logBytesMax ? ended(tooManyCommits) : Effect.void
      })
      const guard: ReadGuard = {
        attempt: (operation, run) => Effect.andThen(check, attempt(operation, run)),
        untilDurable: () => Effect.void,
      }
      return makeCatalog(database, digest, turns, guard)
    }),
})

const tooManyCommits =
  "read further from a snapshot, because its write-ahead log has grown too long since the snapshot was opened"

const ended = (operation: string) =>
  Effect.fail(new StoreUnavailable({ operation, cause: "the snapshot has ended" }))

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

/** A connection with an open read transaction, so that all reads see the state of one moment. */
class SnapshotDatabase extends Database {
  override read<A>(body: () => A): A {
    return body()
  }
}

/**
 * Opens a connection for reads. The connection is closed when the scope closes. The connection is also closed after a
 * failed sync to disk, because the connection could still show commits that were lost.
 */
const openConnection = (
  file: string,
  durability: Durability,
): Effect.Effect<Connection, StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    durability.attempt("open a snapshot", () => {
      const connection = new Connection(connect(file), () => connect(file))
      durability.addReader(connection)
      return connection
    }),
    (connection) =>
      Effect.sync(() => {
        durability.removeReader(connection)
        connection.close()
      }),
  )

const connect = (file: string): DatabaseSync => {
  const opened = new DatabaseSync(file, { readOnly: true })
  opened.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA query_only = ON`)
  return opened
}
