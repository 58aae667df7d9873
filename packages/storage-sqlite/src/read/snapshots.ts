import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { ReadTurns } from "@inlet/core/catalog/ReadTurns"
import { snapshotMsMax, type Snapshots } from "@inlet/core/catalog/Snapshots"
import type { Digest } from "@inlet/core/ports/Digest"
import { StoreUnavailable } from "@inlet/core/ports/Store"
import { Clock, Effect, type Scope } from "effect"
import { blockFromBytes, Checkpoints } from "../engine/Checkpoints.ts"
import { Database } from "../engine/Database.ts"
import { attempt } from "../engine/sqliteErrors.ts"
import { makeCatalog } from "./catalog.ts"

/**
 * Snapshots end when the write-ahead log has this many bytes. The log cannot start over while a snapshot reads from it,
 * and commits would wait if it reached `blockFromBytes`.
 */
const logBytesMax = blockFromBytes * (3 / 4)

/** The cache of a snapshot's connection in KiB. It is small because the operating system caches the file too. */
const cacheKiB = 2 * 1024

/** Opens snapshots. Each is a read transaction on its own connection. */
export const makeSnapshots = (
  file: string,
  digest: Digest["Service"],
  turns: ReadTurns,
): Snapshots["Service"] => ({
  open: () =>
    Effect.gen(function* () {
      const database = yield* openSnapshot(file)
      const until = (yield* Clock.currentTimeMillis) + snapshotMsMax
      const check = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now > until)
          return ended(`read from one snapshot for more than ${snapshotMsMax / 60_000} minutes`)
        return logBytes(file) > logBytesMax ? ended(tooManyCommits) : Effect.void
      })
      return makeCatalog(database, digest, turns, check)
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

const openSnapshot = (file: string): Effect.Effect<Database, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* Effect.acquireRelease(
      attempt("open a snapshot", () => new DatabaseSync(file, { readOnly: true })),
      (opened) => Effect.sync(() => opened.close()),
    )
    return yield* attempt("open a snapshot", () => {
      connection.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA query_only = ON`)
      const database = new SnapshotDatabase(connection, file, -1, new Checkpoints(connection, file))
      // BEGIN alone does not start to read a snapshot. The first SELECT does.
      connection.exec("BEGIN; SELECT 1 FROM migrations")
      return database
    })
  })
