import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"
import { DatabaseSync } from "node:sqlite"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, type Scope } from "effect"
import { Checkpoints, logPagesMax } from "./engine/Checkpoints.ts"
import { Connection } from "./engine/Connection.ts"
import { Database } from "./engine/Database.ts"
import { Durability } from "./engine/Durability.ts"
import { LogFile, type Sync } from "./engine/LogFile.ts"
import { attemptOn, checkDatabase, expectFile } from "./engine/databaseCheck.ts"
import { makePrivate } from "./engine/DataDirectory.ts"
import {
  UnfinishedCopy,
  type DataTooNew,
  type DataTooOld,
  type UnusableDatabase,
} from "./engine/openErrors.ts"
import { attempt } from "./engine/sqliteErrors.ts"
import { measureSyncs } from "./engine/syncMetrics.ts"
import { migrate } from "./migrations/migrate.ts"
import { hasCopyTable } from "./engine/copyTable.ts"

/** The longest time in milliseconds that SQLite waits for a lock of another process. Waiting blocks the thread. */
const busyTimeoutMs = 50

/**
 * The page size of new databases in bytes. A commit that changes people all over a large database reads and writes one
 * page for each person, so small pages are faster.
 */
const pageBytes = 2048

/** The size of SQLite's own cache. The cache is small because the operating system caches the file too. */
const cacheKiB = 8 * 1024

/** The size of SQLite's cache on the connection for reads. Each commit empties this cache. */
const readCacheKiB = 2 * 1024

/** The size to which the write-ahead log is truncated when it starts over. */
const logBytesMax = 64 * 1024 * 1024

/** The number of threads in Node's pool. Node has four threads by default. */
const poolThreads = Number.parseInt(env["UV_THREADPOOL_SIZE"] ?? "", 10) || 4

/**
 * The largest number of syncs of the write-ahead log that run at the same time. Each sync occupies a thread of Node's
 * pool. At least one thread is left for other work.
 */
const defaultSyncsMax = Math.max(1, Math.min(8, poolThreads - 1))

export type DatabaseError = DataTooNew | DataTooOld | UnfinishedCopy | UnusableDatabase | StoreUnavailable

export interface OpenOptions {
  /** If true, opening fails if the database is missing. If false, opening then creates an empty database. */
  readonly mustExist?: boolean
  /** If true, the database can be opened even if a copy of data into it was started and has not finished. */
  readonly isCopyTarget?: boolean
  /** Replaces the function that syncs the write-ahead log. */
  readonly sync?: Sync | undefined
  /** The largest number of syncs of the write-ahead log that run at the same time. */
  readonly syncsMax?: number | undefined
}

/**
 * Opens the database of a data directory that this process has locked, and migrates it to the newest format. Closes the
 * database when the scope closes.
 */
export const openDatabase = (
  directory: string,
  { isCopyTarget = false, mustExist = false, sync, syncsMax = defaultSyncsMax }: OpenOptions = {},
): Effect.Effect<Database, DatabaseError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(directory, "inlet.db")
    if (mustExist) yield* expectFile(file)
    yield* attempt(`open ${file}`, () => makePrivate(file))
    const descriptor = yield* Effect.acquireRelease(
      attempt(`open ${file}`, () => openSync(file, "r+")),
      (opened) => Effect.sync(() => closeSync(opened)),
    )
    // The connection must close before the descriptor, because closing any descriptor of a file drops all locks that
    // the process has on the file.
    const connection = yield* Effect.acquireRelease(
      attemptOn(file, () => new Connection(new DatabaseSync(file), () => connect(file))),
      (opened) => Effect.sync(() => opened.close()),
    )
    const { current } = connection
    yield* attemptOn(file, () => current.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`))
    // `pragmas` sets the journal mode, which writes to the file. First check that the file belongs to Inlet.
    yield* checkDatabase(current, file, mustExist)
    if (!isCopyTarget && (yield* attemptOn(file, () => hasCopyTable(current)))) {
      return yield* new UnfinishedCopy({ directory })
    }
    yield* attemptOn(file, () => current.exec(pragmas))
    yield* migrate(current, directory)
    const readConnection = yield* Effect.acquireRelease(
      attemptOn(file, () => new Connection(connectForReads(file), () => connectForReads(file))),
      (opened) => Effect.sync(() => opened.close()),
    )
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const measureSync = yield* measureSyncs
    const durability = yield* Effect.acquireRelease(
      attemptOn(file, () => {
        const log = new LogFile(file, syncsMax, sync)
        log.open()
        const makeCheckpoints = (onSyncFailure: (cause: Error) => void) =>
          new Checkpoints(connection, file, onSyncFailure)
        return new Durability({
          connections: [connection, readConnection],
          log,
          syncsMax,
          makeCheckpoints,
          measureSync,
          fork,
        })
      }),
      (opened) => opened.close,
    )
    const reads = new Database(readConnection, file, descriptor, durability)
    return new Database(connection, file, descriptor, durability, reads)
  })

const connect = (file: string): DatabaseSync => {
  const connection = new DatabaseSync(file)
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${pragmas}`)
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

const connectForReads = (file: string): DatabaseSync => {
  const connection = new DatabaseSync(file, { readOnly: true })
  connection.exec(`PRAGMA cache_size = -${readCacheKiB}; PRAGMA temp_store = MEMORY`)
  return connection
}

/**
 * `synchronous = NORMAL` makes commits return without a sync (see `Durability`). SQLite then still syncs before and after a checkpoint, and
 * when the log starts over. `secure_delete` overwrites deleted rows in the file, and `temp_store` keeps sorted rows out
 * of temporary files.
 */
const pragmas = `
  PRAGMA page_size = ${pageBytes};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -${cacheKiB};
  PRAGMA wal_autocheckpoint = ${logPagesMax};
  PRAGMA journal_size_limit = ${logBytesMax};
`
