import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { inSlices, type Slices } from "@inlethq/core/Slices"
import { Effect } from "effect"
import type { Connection, Statement } from "./Connection.ts"
import type { Durability } from "./Durability.ts"
import { isSyncFailure } from "./resultCode.ts"

/** What reads need of a database. */
export type ReadDatabase = Pick<Database, "prepare" | "prepareByPlace" | "read">

/** One connection to the database file of a data directory, and its transactions. Calls block the thread. */
export class Database {
  readonly file: string
  /** A file descriptor of `file`, open for reading and writing. */
  readonly descriptor: number
  readonly durability: Durability
  /** The same database on a second connection, for reads only. These reads do not see uncommitted writes. */
  readonly reads: Database
  private readonly connection: Connection
  private readonly begin: Statement
  private readonly beginWrite: Statement
  private readonly commit: Statement
  private readonly rollback: Statement
  private readonly checkpoint: Statement

  /** `reads` runs the reads. If it is left out, the reads run on `connection`. */
  constructor(
    connection: Connection,
    file: string,
    descriptor: number,
    durability: Durability,
    reads?: Database,
  ) {
    this.reads = reads ?? this
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
   * Prepares a statement that returns rows as arrays. For many rows, this takes two thirds of the time of returning
   * rows as objects.
   */
  prepareByPlace(sql: string): Statement {
    return this.connection.prepareByPlace(sql)
  }

  /** Runs reads that all see the same committed state. */
  read<A>(body: () => A): A {
    return this.transaction(this.begin, body)
  }

  /**
   * Runs writes in one transaction. If the body or the commit throws, all of the writes are rolled back. Returns before
   * the writes are durable, so await `durability` before reporting the writes as done.
   */
  write<A>(body: () => A): A {
    const result = this.transaction(this.beginWrite, body)
    this.durability.committed(true)
    return result
  }

  /**
   * Runs writes in slices of one transaction, while no other write runs. The returned effect waits until the writes are
   * durable. If a slice or the commit throws, all of the writes are rolled back. Calls `committed` before another write can run.
   */
  writeInSlices<A>(
    operation: string,
    work: () => Slices<A>,
    committed: () => void,
  ): Effect.Effect<Effect.Effect<A, StoreUnavailable>, StoreUnavailable> {
    const { durability } = this
    const run = <B>(body: () => B) => durability.attempt(operation, () => this.observed(body))
    return durability.inTurn(
      Effect.acquireUseRelease(
        run(() => this.start(this.beginWrite)),
        () =>
          Effect.flatMap(inSlices(work(), run), (result) =>
            run(() => {
              this.commit.run()
              committed()
              durability.committed(true)
              return Effect.as(durability.untilDurable(operation), result)
            }),
          ),
        () => Effect.sync(() => this.tryToAbandon()),
      ),
    )
  }

  /**
   * Runs writes in one transaction without syncing them. The transaction survives a crash of the process, but a power
   * failure may undo it.
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
    this.start(begin)
    try {
      return this.observed(() => {
        const result = body()
        this.commit.run()
        return result
      })
    } finally {
      this.tryToAbandon()
    }
  }

  private start(begin: Statement): void {
    this.abandon()
    begin.run()
  }

  /**
   * Runs calls of SQLite, which syncs the write-ahead log itself when it starts the log over. If such a sync fails,
   * reports the failure to `durability`.
   */
  private observed<A>(run: () => A): A {
    try {
      return run()
    } catch (cause) {
      if (isSyncFailure(cause)) this.durability.fail(cause)
      throw cause
    }
  }

  private tryToAbandon(): void {
    try {
      this.abandon()
    } catch {
      // Ignore this error, because the caller throws the error of the transaction. The next transaction tries to roll
      // back again.
    }
  }

  /**
   * Rolls back the transaction if it is still open. SQLite itself rolls back after some failures, but not after all.
   */
  private abandon(): void {
    if (this.connection.current.isTransaction) this.rollback.run()
  }
}
