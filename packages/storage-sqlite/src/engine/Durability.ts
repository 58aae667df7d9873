import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import type { Checkpoints } from "./Checkpoints.ts"
import type { Connection } from "./Connection.ts"
import type { LogFile, LogPosition } from "./LogFile.ts"
import { attempt } from "./sqliteErrors.ts"
import { OneAtATime } from "./OneAtATime.ts"
import { Syncs } from "./Syncs.ts"

/** The resources that `Durability` needs from the store. */
interface Parts {
  /** All connections of the store, except those of snapshots. */
  readonly connections: ReadonlyArray<Connection>
  readonly log: LogFile
  /** The number of syncs of the write-ahead log that may run at the same time. */
  readonly syncsMax: number
  readonly makeCheckpoints: (onSyncFailure: (cause: Error) => void) => Checkpoints
  /** Records the duration of a sync, in milliseconds. */
  readonly measureSync: (ms: number) => void
  /** Starts an effect in the background. */
  readonly fork: (effect: Effect.Effect<void>) => unknown
}

/**
 * SQLite writes commits without a sync. This class makes the commits durable (decision 22). After a failed sync, it is
 * unknown which writes since the last successful sync are on disk. The store then cuts the log to what is durable, as
 * after a power failure, and opens the database again.
 */
export class Durability {
  /** The largest number of syncs of the write-ahead log that run at the same time. */
  readonly syncsMax: number
  private readonly connections: ReadonlyArray<Connection>
  private readonly log: LogFile
  private readonly checkpoints: Checkpoints
  private readonly syncs: Syncs
  private readonly writes = new OneAtATime()
  private readonly listeners: Array<() => void> = []
  private readonly readers = new Set<Connection>()
  private readonly threads = new Set<() => Promise<void>>()
  private readonly fork: (effect: Effect.Effect<void>) => unknown
  /** The reason why the database is not open; undefined if it is open. */
  private failure: Error | undefined
  /**
   * The last commit that remained when the current recovery cut the log. Undefined before the cut, and if no recovery
   * is in progress.
   */
  private kept: LogPosition | undefined

  constructor({ connections, fork, log, makeCheckpoints, measureSync, syncsMax }: Parts) {
    this.syncsMax = syncsMax
    this.fork = fork
    this.connections = connections
    this.log = log
    this.checkpoints = makeCheckpoints((cause) => this.fail(cause))
    const position = log.position(this.checkpoints.measure().pages)
    this.syncs = new Syncs(
      (slot, done) => log.startSync(slot, done),
      syncsMax,
      position,
      (cause) => this.begin(cause),
      measureSync,
    )
  }

  /**
   * Runs a write while no other write runs. First waits while the write-ahead log is too long for new writes. If the
   * database is not open after a failed sync, tries to open it.
   */
  inTurn<A>(write: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> {
    return Effect.andThen(this.room, this.writes.run(Effect.andThen(this.recovered, write)))
  }

  /** Runs blocking calls of SQLite while no other write runs. Then waits until the written data are durable. */
  write<A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> {
    return Effect.flatten(
      this.inTurn(
        this.attempt(operation, () => {
          const result = run()
          return Effect.as(this.syncs.untilDurable(operation), result)
        }),
      ),
    )
  }

  /** Runs blocking calls of SQLite. Fails at once while the database is not open. */
  attempt<A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> {
    return Effect.suspend(() =>
      this.failure === undefined
        ? attempt(operation, run)
        : Effect.fail(new StoreUnavailable({ operation, cause: this.failure })),
    )
  }

  /** Runs blocking reads of SQLite. Then waits until all commits that the reads may have seen are durable. */
  read<A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> {
    return Effect.flatten(
      this.attempt(operation, () => {
        const result = run()
        return Effect.as(this.syncs.untilDurable(operation), result)
      }),
    )
  }

  /** Returns an effect that waits until everything committed so far is durable. */
  untilDurable(operation: string): Effect.Effect<void, StoreUnavailable> {
    return this.syncs.untilDurable(operation)
  }

  /** Returns whether syncs of the write-ahead log take long. */
  get hasSlowSyncs(): boolean {
    return this.syncs.areSlow
  }

  /** Records that SQLite has committed. Starts a sync, unless the commit needs no sync. */
  committed(needsSync: boolean): void {
    try {
      const length = this.checkpoints.measure()
      if (needsSync) this.syncs.committed(this.log.position(length.pages))
      this.checkpoints.movePages(length)
    } catch (cause) {
      this.fail(cause instanceof Error ? cause : new Error(String(cause)))
      throw cause
    }
  }

  /**
   * Records that some commits may be lost. Starts a recovery in the background, which cuts the log to what is durable
   * and opens the database again.
   */
  fail(cause: Error): void {
    this.syncs.fail(cause)
  }

  /** Registers a function that each recovery calls, for example to drop cached data of lost commits. */
  onRecovery(listener: () => void): void {
    this.listeners.push(listener)
  }

  /**
   * Registers the connection of a snapshot. A recovery closes the connection, because the snapshot may show commits
   * that were lost.
   */
  addReader(connection: Connection): void {
    this.readers.add(connection)
  }

  removeReader(connection: Connection): void {
    this.readers.delete(connection)
  }

  /**
   * Registers a function that closes the connection of another thread. A recovery calls it before it opens the database
   * again, because SQLite shows lost commits as long as a connection is open that has seen them.
   */
  addThread(close: () => Promise<void>): void {
    this.threads.add(close)
  }

  removeThread(close: () => Promise<void>): void {
    this.threads.delete(close)
  }

  /** Waits until no sync is running, stops the checkpoint thread and closes the log. */
  readonly close: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    yield* this.writes.run(this.syncs.ended)
    yield* Effect.promise(() => this.checkpoints.stop())
    this.log.close()
  })

  private begin(cause: Error): void {
    this.failure = cause
    this.fork(Effect.ignore(this.writes.run(this.recovered)))
  }

  private readonly room: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() =>
    this.failure === undefined ? this.checkpoints.waitForRoom : Effect.void,
  )

  /** If a sync has failed, recovers from the failure. No write may run during a recovery. */
  private readonly recovered: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() =>
    this.failure === undefined ? Effect.void : this.recover,
  )

  private readonly recover: Effect.Effect<void, StoreUnavailable> = Effect.gen({ self: this }, function* () {
    yield* Effect.logError("a sync of the database failed, so the latest commits are undone", this.failure)
    yield* this.syncs.ended
    yield* Effect.promise(() => this.checkpoints.stop())
    yield* Effect.promise(() => Promise.all(Array.from(this.threads, (close) => close())))
    const { end, kept } = yield* this.reopened
    for (const listener of this.listeners) listener()
    this.failure = undefined
    this.syncs.recovered(kept, end)
    yield* Effect.logInfo("the database is open again after a failed sync")
  })

  private readonly reopened = Effect.try({
    try: () => this.reopen(),
    catch: (cause) => new StoreUnavailable({ operation: "open its database again", cause }),
  }).pipe(Effect.tapError(({ cause }) => Effect.sync(() => this.syncs.refuse(cause))))

  /**
   * Cuts the log to what is durable and opens the database again. If this function throws an error, the caller may call
   * it again.
   */
  private reopen(): { readonly kept: LogPosition; readonly end: LogPosition } {
    const kept = (this.kept ??= this.log.cut(this.syncs.durable))
    for (const connection of [...this.readers, ...this.connections]) connection.close()
    const frames = this.log.frames()
    this.log.close()
    for (const connection of this.connections) connection.open()
    const { pages } = this.checkpoints.measure()
    if (pages !== frames) throw new Error(`the write-ahead log has ${pages} pages instead of ${frames}`)
    this.log.open()
    const end = this.log.position(pages)
    this.kept = undefined
    return { kept, end }
  }
}
