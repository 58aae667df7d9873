import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Effect } from "effect"
import type { Checkpoints } from "./Checkpoints.ts"

/** One connection to the database file of a data directory, and its transactions. Calls block the thread. */
export class Database {
  readonly file: string
  /** A file descriptor of `file`, open for reading and writing. */
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

  /**
   * Prepares a statement that returns rows as arrays instead of objects. For many rows, this takes two thirds of the
   * time.
   */
  prepareByPlace(sql: string): StatementSync {
    const statement = this.connection.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }

  /** Runs reads that all see the same committed state. */
  read<A>(body: () => A): A {
    return this.transaction(this.begin, body)
  }

  /** Waits while the write-ahead log is too long for new writes. Await this effect before deciding what to write. */
  get waitForRoom(): Effect.Effect<void, StoreUnavailable> {
    return this.checkpoints.waitForRoom
  }

  /** Runs writes in one durable transaction. If the body or the commit throws, all of the writes are rolled back. */
  write<A>(body: () => A): A {
    const result = this.transaction(this.beginWrite, body)
    this.checkpoints.afterCommit()
    return result
  }

  /**
   * Runs writes in one transaction without waiting until the disk has stored it. The transaction survives a crash of the process, but
   * a power failure may undo it.
   */
  writeUnsynced<A>(body: () => A): A {
    this.connection.exec("PRAGMA synchronous = NORMAL")
    try {
      return this.write(body)
    } finally {
      this.connection.exec("PRAGMA synchronous = FULL")
    }
  }

  /**
   * Moves all pages of the write-ahead log into the database file and truncates the log. Returns false if a reader in
   * another process prevents this.
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
        // Keep the first error, since it is the one to report. The next transaction tries to roll back again.
      }
      throw cause
    }
  }

  /**
   * Rolls back the transaction if it is still open. SQLite itself rolls back after some failures, but not after all.
   */
  private abandon(): void {
    if (this.connection.isTransaction) this.rollback.run()
  }
}
