import type { Connection, Statement } from "./Connection.ts"
import type { Durability } from "./Durability.ts"
import { isSyncFailure } from "./resultCode.ts"

/** One connection to the database file of a data directory, and its transactions. Calls block the thread. */
export class Database {
  readonly file: string
  /** A file descriptor of `file`, open for reading and writing. */
  readonly descriptor: number
  readonly durability: Durability
  private readonly connection: Connection
  private readonly begin: Statement
  private readonly beginWrite: Statement
  private readonly commit: Statement
  private readonly rollback: Statement
  private readonly checkpoint: Statement

  constructor(connection: Connection, file: string, descriptor: number, durability: Durability) {
    this.file = file
    this.descriptor = descriptor
    this.durability = durability
    this.connection = connection
    this.begin = connection.prepare("BEGIN")
    this.beginWrite = connection.prepare("BEGIN IMMEDIATE")
    this.commit = connection.prepare("COMMIT")
    this.rollback = connection.prepare("ROLLBACK")
    this.checkpoint = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  prepare(sql: string): Statement {
    return this.connection.prepare(sql)
  }

  /**
   * Prepares a statement that returns rows as arrays instead of objects. For many rows, this takes two thirds of the
   * time.
   */
  prepareByPlace(sql: string): Statement {
    return this.connection.prepareByPlace(sql)
  }

  /** Runs reads that all see the same committed state. */
  read<A>(body: () => A): A {
    return this.transaction(this.begin, body)
  }

  /**
   * Runs writes in one transaction. If the body or the commit throws, all of the writes are rolled back. Returns before the writes are
   * durable, so await `durability` before telling anyone about them.
   */
  write<A>(body: () => A): A {
    const result = this.transaction(this.beginWrite, body)
    this.durability.committed(true)
    return result
  }

  /**
   * Runs writes in one transaction that nothing makes durable. The transaction survives a crash of the process, but a power failure may
   * undo it.
   */
  writeUnsynced<A>(body: () => A): A {
    const result = this.transaction(this.beginWrite, body)
    this.durability.committed(false)
    return result
  }

  /**
   * Moves all pages of the write-ahead log into the database file and truncates the log. Returns false if a reader in
   * another process prevents this.
   */
  emptyLog(): boolean {
    return this.checkpoint.get()?.["busy"] === 0
  }

  private transaction<A>(begin: Statement, body: () => A): A {
    this.abandon()
    begin.run()
    try {
      const result = body()
      this.commit.run()
      return result
    } catch (cause) {
      if (isSyncFailure(cause)) this.durability.fail(cause)
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
    if (this.connection.current.isTransaction) this.rollback.run()
  }
}
