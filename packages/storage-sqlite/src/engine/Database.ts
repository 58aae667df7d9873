import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, type Scope } from "effect"
import { Checkpoints, logPagesMax } from "./Checkpoints.ts"
import { attemptOn, checkDatabase, expectFile, type UnusableDatabase } from "./databaseCheck.ts"
import { makePrivate } from "./DataDirectory.ts"
import { migrate, type DataTooNew, type DataTooOld } from "../migrations/migrations.ts"
import { attempt } from "./sqliteErrors.ts"

/** How long to wait for an outside tool that holds a lock; the wait blocks the thread. */
const busyTimeoutMs = 50

/** A commit that changes people anywhere in a large store writes, and reads, a page for each. A store keeps those it began with. */
const pageBytes = 2048

/** Pages kept in memory; the operating system keeps more of them. */
const cacheKiB = 8 * 1024

/** What the write-ahead log is cut back to once it has grown beyond. */
const logBytesMax = 64 * 1024 * 1024

/** One connection to the database of a data directory, and its transactions. */
export class Database {
  /** The path of the database file, and a descriptor of it. */
  readonly file: string
  readonly descriptor: number
  private readonly connection: DatabaseSync
  private readonly begin: StatementSync
  private readonly beginWrite: StatementSync
  private readonly commit: StatementSync
  private readonly rollback: StatementSync
  private readonly checkpoint: StatementSync
  private readonly checkpoints: Checkpoints

  constructor(connection: DatabaseSync, file: string, descriptor: number, checkpoints: Checkpoints) {
    this.file = file
    this.descriptor = descriptor
    this.connection = connection
    this.checkpoints = checkpoints
    this.begin = connection.prepare("BEGIN")
    this.beginWrite = connection.prepare("BEGIN IMMEDIATE")
    this.commit = connection.prepare("COMMIT")
    this.rollback = connection.prepare("ROLLBACK")
    this.checkpoint = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  prepare(sql: string): StatementSync {
    return this.connection.prepare(sql)
  }

  /** For reading many rows: a row has its columns by place, which takes two thirds of the time that names take. */
  prepareByPlace(sql: string): StatementSync {
    const statement = this.connection.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }

  /** Reads one consistent view. */
  read<A>(body: () => A): A {
    return this.transaction(this.begin, body)
  }

  /** Waits while the write-ahead log is too long to grow on; whoever decides what to write waits first. */
  get keptUp(): Effect.Effect<void, StoreUnavailable> {
    return this.checkpoints.keptUp
  }

  /** Writes durably: all that the body wrote, or nothing where it or the commit throws. */
  write<A>(body: () => A): A {
    const result = this.transaction(this.beginWrite, body)
    this.checkpoints.look()
    return result
  }

  /**
   * Moves the whole write-ahead log into the database file and empties it. False where a reader outside keeps it from
   * being emptied.
   */
  emptyLog(): boolean {
    return this.checkpoint.get()?.["busy"] === 0
  }

  private transaction<A>(begin: StatementSync, body: () => A): A {
    this.abandon()
    begin.run()
    try {
      const result = body()
      this.commit.run()
      return result
    } catch (cause) {
      try {
        this.abandon()
      } catch {
        // The first error says why; the next transaction abandons this one first.
      }
      throw cause
    }
  }

  /** Leaves no transaction open: SQLite ends some by itself when they fail, and not others. */
  private abandon(): void {
    if (this.connection.isTransaction) this.rollback.run()
  }
}

/** Why a database cannot be opened. */
export type DatabaseError = DataTooNew | DataTooOld | UnusableDatabase | StoreUnavailable

/**
 * Opens the database of a data directory that is held, in the newest format, until the scope closes. Makes a new one where
 * there is none, unless `mustExist`.
 */
export const openDatabase = (
  directory: string,
  mustExist = false,
): Effect.Effect<Database, DatabaseError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(directory, "inlet.db")
    if (mustExist) yield* expectFile(file)
    yield* attempt(`open ${file}`, () => makePrivate(file))
    const descriptor = yield* Effect.acquireRelease(
      attempt(`open ${file}`, () => openSync(file, "r+")),
      (opened) => Effect.sync(() => closeSync(opened)),
    )
    // Closed before the descriptor: closing a descriptor of a file drops the locks that this process has on it.
    const connection = yield* Effect.acquireRelease(
      attemptOn(file, () => new DatabaseSync(file)),
      (opened) => Effect.sync(() => opened.close()),
    )
    // Setting the journal mode writes to the file, which may not be ours.
    yield* attemptOn(file, () => connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`))
    yield* checkDatabase(connection, file, mustExist)
    yield* attemptOn(file, () => connection.exec(pragmas))
    yield* migrate(connection, directory)
    const checkpoints = yield* Effect.acquireRelease(
      Effect.sync(() => new Checkpoints(connection, file)),
      (opened) => Effect.promise(() => opened.close()),
    )
    return new Database(connection, file, descriptor, checkpoints)
  })

/** Nothing that was deleted stays in a file: `secure_delete` for the database, `temp_store` for what is sorted. */
const pragmas = `
  PRAGMA page_size = ${pageBytes};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -${cacheKiB};
  PRAGMA wal_autocheckpoint = ${logPagesMax};
  PRAGMA journal_size_limit = ${logBytesMax};
`
