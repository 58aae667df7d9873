import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Latch } from "effect"
import { isAtMost, type LogPosition } from "./LogFile.ts"

/**
 * Starts a sync of the write-ahead log. At most one sync runs in each slot at a time. Calls `done` when the sync has
 * ended.
 */
export type StartSync = (slot: number, done: (error: Error | null) => void) => void

/**
 * The number of recent syncs whose durations are stored. The shortest of these durations decides whether syncs are
 * slow.
 */
const timedSyncs = 16

/** Syncs that take at least this many milliseconds are slow. */
const slowMs = 1

interface Waiting {
  readonly position: LogPosition
  readonly operation: string
  readonly resume: (result: Effect.Effect<void, StoreUnavailable>) => void
}

/**
 * Syncs the write-ahead log after commits, and resumes fibers once their commits are durable. Several syncs may
 * overlap. Commits follow one another in the log, so a successful sync makes durable all commits that were made before
 * the sync began. After a sync has failed, all fibers wait until `recovered` or `refuse` is called.
 */
export class Syncs {
  private readonly start: StartSync
  private readonly slots: number
  private readonly onFailure: (cause: Error) => void
  private readonly measure: (ms: number) => void
  private readonly free: Array<number> = []
  /** A latch that is open while no sync is running. */
  private readonly idle = Latch.makeUnsafe(true)
  private committedTo: LogPosition
  private begunTo: LogPosition
  private durableTo: LogPosition
  private waiting: Array<Waiting> = []
  private hasFailed = false
  private recoveries = 0
  /**
   * The durations of the last syncs in milliseconds. A duration ends when the main thread notices the end of the sync.
   */
  private readonly times: Array<number> = []
  private readonly now: () => number

  constructor(
    start: StartSync,
    slots: number,
    durableTo: LogPosition,
    onFailure: (cause: Error) => void,
    measure: (ms: number) => void,
    now = () => performance.now(),
  ) {
    this.now = now
    this.start = start
    this.slots = slots
    this.onFailure = onFailure
    this.measure = measure
    this.committedTo = this.begunTo = this.durableTo = durableTo
    for (let slot = 0; slot < slots; slot++) this.free.push(slot)
  }

  /** The last commit that is durable. */
  get durable(): LogPosition {
    return this.durableTo
  }

  /**
   * Returns whether syncs take long. The shortest of the last syncs decides, because a busy main thread notices the ends
   * of most syncs late.
   */
  get areSlow(): boolean {
    return this.times.length === timedSyncs && Math.min(...this.times) >= slowMs
  }

  /** Waits until no sync is running. */
  get ended(): Effect.Effect<void> {
    return this.idle.await
  }

  /**
   * Records a commit. Starts a sync if a slot is free. If all slots are in use, the next sync begins when a running
   * sync ends.
   */
  committed(position: LogPosition): void {
    this.committedTo = position
    // The write-ahead log starts over only after a checkpoint has moved all pages of the log to the database file and
    // has synced the database file.
    if (position.round !== this.durableTo.round) this.advance({ round: position.round, frames: 0 })
    this.startNext()
  }

  /**
   * Returns an effect that waits until everything committed so far is durable. Fails if one of these commits was lost.
   * The error names `operation`.
   */
  untilDurable(operation: string): Effect.Effect<void, StoreUnavailable> {
    const { committedTo: position, recoveries } = this
    if (!this.hasFailed && isAtMost(position, this.durableTo)) return Effect.void
    return Effect.callback((resume) => {
      if (recoveries !== this.recoveries) resume(Effect.fail(lost(operation)))
      else if (!this.hasFailed && isAtMost(position, this.durableTo)) resume(Effect.void)
      else this.waiting.push({ position, operation, resume })
    })
  }

  /** Records that a sync has failed. No further sync starts until `recovered` is called. */
  fail(cause: Error): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.onFailure(cause)
  }

  /** Fails all effects that wait for durability. Their error names the cause. */
  refuse(cause: unknown): void {
    const { waiting } = this
    this.waiting = []
    for (const { operation, resume } of waiting)
      resume(Effect.fail(new StoreUnavailable({ operation, cause })))
  }

  /**
   * Ends a recovery, which has removed all commits after the commit `kept` from the log and opened the database again.
   * Resumes the waiting fibers: those that wait for a removed commit fail, and the others succeed. The log now ends at
   * `durableTo`.
   */
  recovered(kept: LogPosition, durableTo: LogPosition): void {
    const { waiting } = this
    this.waiting = []
    this.hasFailed = false
    this.recoveries++
    this.committedTo = this.begunTo = this.durableTo = durableTo
    for (const { operation, position, resume } of waiting)
      resume(isAtMost(position, kept) ? Effect.void : Effect.fail(lost(operation)))
  }

  private startNext(): void {
    if (this.hasFailed || isAtMost(this.committedTo, this.begunTo)) return
    const slot = this.free.pop()
    if (slot === undefined) return
    const position = this.committedTo
    this.begunTo = position
    this.idle.closeUnsafe()
    const startedAt = this.now()
    this.start(slot, (error) => {
      const ms = this.now() - startedAt
      this.measure(ms)
      if (this.times.push(ms) > timedSyncs) this.times.shift()
      this.free.push(slot)
      if (error !== null) this.fail(error)
      if (!this.hasFailed) this.advance(position)
      this.startNext()
      if (this.free.length === this.slots) this.idle.openUnsafe()
    })
  }

  private advance(to: LogPosition): void {
    if (isAtMost(to, this.durableTo)) return
    this.durableTo = to
    const durable = this.waiting.filter(({ position }) => isAtMost(position, to))
    this.waiting = this.waiting.filter(({ position }) => !isAtMost(position, to))
    for (const { resume } of durable) resume(Effect.void)
  }
}

const lost = (operation: string): StoreUnavailable =>
  new StoreUnavailable({ operation, cause: "the disk did not store it" })
