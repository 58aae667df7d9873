import { Clock, Context, Effect } from "effect"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Slices } from "@inlethq/core/Slices"

/** The fraction of the main thread's time that all reads together may use while commits are running. */
const readShare = 1 / 4

/** For this many milliseconds after a commit has ended, reads pause as if the commit were still running. */
const busyMs = 50

/** Slices of one read share a turn until they have taken this many milliseconds together. */
const turnMs = 1

/** Rests (pauses of reads) below this duration are added to the next rest, because short timers are inaccurate. */
const restMsMin = 3

/** The largest number of reads that may wait to run. Further reads are refused. */
const waitingReadsMax = 1000

/** Runs a slice of a read when it is the turn of this read. */
export type InTurn = <A, E>(slice: Effect.Effect<A, E>) => Effect.Effect<A, E | StoreUnavailable>

interface Waiting {
  /** The number of slices that the read has already run. */
  readonly taken: number
  readonly resume: (turn: Effect.Effect<void>) => void
}

/**
 * Schedules reads on the main thread. A read runs in short slices, and all other ready work runs between two slices.
 * While commits are running, reads also pause ("rest"), so that they use only a fraction of the thread's time. The read
 * that has run the fewest slices goes first, so that short reads do not wait for long reads.
 */
export class ReadTurns {
  private readonly waiting: Array<Waiting> = []
  private isTaken = false
  private endedAt = 0
  /**
   * The time in milliseconds that reads must still pause, so that they use at most `readShare` of the thread's time.
   */
  private restDueMs = 0
  /** The milliseconds that the thread has worked for commits, as far as the store says so. */
  committedMs = 0
  private runningCommits = 0
  private committedAt = Number.NEGATIVE_INFINITY

  /** Runs a commit. Reads leave time for ingestion while a commit runs and shortly afterwards. */
  committing<A, E, R>(commit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.runningCommits++
      return Effect.ensuring(commit, this.committed)
    })
  }

  private readonly committed: Effect.Effect<void> = Effect.map(nowMs, (now) => {
    this.runningCommits--
    this.committedAt = now
  })

  /** Returns whether a commit is running, or ended within the last `busyMs` milliseconds. */
  readonly isCommitting: Effect.Effect<boolean> = Effect.map(
    nowMs,
    (now) => this.runningCommits > 0 || isWithin(now - this.committedAt, busyMs),
  )

  /** Runs a read to its end, one slice after the other. `around` wraps each slice, for example in a transaction. */
  run<A, E>(
    read: () => Slices<A>,
    around: <B>(slice: () => B) => Effect.Effect<B, E>,
  ): Effect.Effect<A, E | StoreUnavailable> {
    return Effect.suspend(() => {
      const slices = read()
      const slice = around(() => slices.next())
      const from = (taken: number): Effect.Effect<A, E | StoreUnavailable> =>
        Effect.flatMap(this.turn(taken, slice), (result) =>
          result.done === true ? Effect.succeed(result.value) : from(taken + 1),
        )
      return from(0)
    })
  }

  /**
   * Runs a read whose slices are effects. `body` passes each of them to the given function, and does
   * nothing else that takes long. Short slices share a turn of at least `turnMs` milliseconds, because to wait for a turn
   * costs more than a lookup by key.
   */
  reading<A, E>(body: (inTurn: InTurn) => Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      let taken = 0
      let spentMs = Number.POSITIVE_INFINITY
      const leave = () => {
        if (spentMs !== Number.POSITIVE_INFINITY) this.leave()
        spentMs = Number.POSITIVE_INFINITY
      }
      const enter = Effect.suspend(() => {
        leave()
        // An interruption must neither leave a waiting read behind nor lose the turn that it was given.
        const entered = Effect.map(this.enter(taken++), () => {
          spentMs = 0
        })
        return Effect.andThen(Effect.uninterruptible(entered), this.rest)
      })
      const inTurn: InTurn = (slice) =>
        Effect.suspend(() =>
          spentMs < turnMs
            ? this.measured(slice, (ms) => (spentMs += ms))
            : Effect.andThen(
                enter,
                this.measured(slice, (ms) => (spentMs += ms)),
              ),
        )
      return Effect.ensuring(body(inTurn), Effect.sync(leave))
    })
  }

  /**
   * Runs a read to its end, one slice after the other. Unlike `run`, runs each slice as it is, without an effect around
   * the slice.
   */
  work<A>(work: () => Slices<A>): Effect.Effect<A, StoreUnavailable> {
    return this.run(work, Effect.sync)
  }

  private turn<A, E>(taken: number, slice: Effect.Effect<A, E>): Effect.Effect<A, E | StoreUnavailable> {
    return Effect.acquireUseRelease(
      this.enter(taken),
      () => Effect.andThen(this.rest, this.measured(slice)),
      () => Effect.sync(() => this.leave()),
    )
  }

  private enter(taken: number): Effect.Effect<void, StoreUnavailable> {
    return Effect.callback((resume) => {
      if (!this.isTaken) {
        this.isTaken = true
        resume(Effect.void)
      } else if (this.waiting.length < waitingReadsMax) this.waiting.push({ taken, resume })
      else resume(Effect.fail(new StoreUnavailable({ operation: "accept more reads", cause: tooMany })))
    })
  }

  private leave(): void {
    let next: Waiting | undefined
    for (const one of this.waiting) if (next === undefined || one.taken < next.taken) next = one
    if (next === undefined) this.isTaken = false
    else {
      this.waiting.splice(this.waiting.indexOf(next), 1)
      next.resume(Effect.void)
    }
  }

  /** Yields to other work. While commits are running, also sleeps for the time that reads must pause. */
  private readonly rest: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    yield* Effect.yieldNow
    const now = yield* nowMs
    const rested = now - this.endedAt
    this.restDueMs = isWithin(rested, this.restDueMs) ? this.restDueMs - rested : 0
    if ((yield* this.isCommitting) && this.restDueMs > restMsMin) {
      yield* Effect.sleep(this.restDueMs)
      this.restDueMs = 0
    }
  })

  private measured<A, E>(
    slice: Effect.Effect<A, E>,
    spent: (ms: number) => void = () => undefined,
  ): Effect.Effect<A, E> {
    // A generator would live on with everything that its slice has read, because V8 keeps the map of each generator
    // function until the next full collection of garbage.
    return Effect.flatMap(nowMs, (from) =>
      Effect.flatMap(slice, (result) =>
        Effect.map(nowMs, (to) => {
          this.endedAt = to
          this.restDueMs += (to - from) * (1 / readShare - 1)
          spent(to - from)
          return result
        }),
      ),
    )
  }
}

/**
 * Returns whether a duration is below a bound. Returns false for a negative duration, which appears when the clock was
 * set back.
 */
const isWithin = (passedMs: number, boundMs: number): boolean => passedMs >= 0 && passedMs < boundMs

const nowMs: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1e6)

const tooMany = `more than ${waitingReadsMax} reads are waiting`

/** The scheduler of reads in this process. All reads share one scheduler, because they share one thread. */
export const Turns = Context.Reference<ReadTurns>("@inlethq/engine/reads/ReadTurns/Turns", {
  defaultValue: () => new ReadTurns(),
})
