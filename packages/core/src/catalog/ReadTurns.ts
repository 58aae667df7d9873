import { Clock, Context, Effect } from "effect"
import { StoreUnavailable } from "../ports/Store.ts"

/**
 * A read that is done in slices: it yields wherever others may have the thread, and looks at a bounded number of rows in
 * between.
 */
export type Slices<A> = Generator<void, A, void>

/** The part of the thread that all reads together take while something is being committed. */
const readShare = 1 / 4

/** Something is being committed as long as the last commit is no older than this. */
const busyMs = 50

/** Rests are this long at least, as timers do not measure shorter ones well. */
const owedMsMax = 3

/** Reads that may wait for a turn; more are turned away. */
const waitingReadsMax = 1000

interface Waiting {
  /** Slices that the read has had. */
  readonly taken: number
  readonly resume: (turn: Effect.Effect<void>) => void
}

/**
 * Gives reads the thread in turns of one slice. Between two slices everything else that is ready runs first, and while
 * something is being committed reads rest for as long as their share asks. A read that has had the fewest slices comes
 * first, so that a short one does not wait until long ones are done.
 */
export class ReadTurns {
  private readonly waiting: Array<Waiting> = []
  private isTaken = false
  private endedAt = 0
  /** The rest that the last slices ask for, less what has passed of it. */
  private owedMs = 0
  private committedAt = Number.NEGATIVE_INFINITY

  /** Notes that something was committed just now. */
  readonly committed: Effect.Effect<void> = Effect.map(nowMs, (now) => {
    this.committedAt = now
  })

  /** Reads to the end, a slice in each turn; `around` runs one slice. */
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

  /** Runs work that counts as reading, in turns as well. */
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
      else resume(Effect.fail(new StoreUnavailable({ operation: "take more reads", cause: tooMany })))
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

  /** Lets others have the thread: once in any case, and longer while something is being committed. */
  private readonly rest: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    yield* Effect.yieldNow
    const now = yield* nowMs
    const rested = now - this.endedAt
    this.owedMs = isWithin(rested, this.owedMs) ? this.owedMs - rested : 0
    const isBusy = isWithin(now - this.committedAt, busyMs)
    if (isBusy && this.owedMs > owedMsMax) {
      yield* Effect.sleep(this.owedMs)
      this.owedMs = 0
    }
  })

  private measured<A, E>(slice: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.gen({ self: this }, function* () {
      const from = yield* nowMs
      const result = yield* slice
      const to = yield* nowMs
      this.endedAt = to
      this.owedMs += (to - from) * (1 / readShare - 1)
      return result
    })
  }
}

/** Whether so much time has passed, and less than a bound; not where the clock was set back. */
const isWithin = (passedMs: number, boundMs: number): boolean => passedMs >= 0 && passedMs < boundMs

const nowMs: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1e6)

const tooMany = `more than ${waitingReadsMax} reads are waiting`

/** The turns of this process: all reads share one thread. */
export const Turns = Context.Reference<ReadTurns>("@inlet/core/ReadTurns", {
  defaultValue: () => new ReadTurns(),
})
