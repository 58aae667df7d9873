import { Clock, Effect, type Duration } from "effect"

const nanosPerMilli = 1_000_000

/** The times by the monotonic clock between which the database has read its own clock, all in milliseconds. */
export interface Reading {
  readonly askedAt: number
  readonly answeredAt: number
  readonly databaseMs: number
}

/**
 * The time of the database. Between two readings of it the monotonic clock of the machine counts, so steps of the node's own
 * clock change nothing. Until the first reading, this is the node's own time.
 */
export class DatabaseClock implements Clock.Clock {
  private readonly own: Clock.Clock
  /** The time of the database minus the monotonic time, in milliseconds. */
  private offsetMs: number
  private isRead = false

  constructor(own: Clock.Clock) {
    this.own = own
    this.offsetMs = own.currentTimeMillisUnsafe() - this.monotonicMs()
  }

  /**
   * Takes over the time of the database. Keeps its offset while a reading allows it, so that round trips of different
   * lengths do not move the time to and fro.
   */
  read({ answeredAt, askedAt, databaseMs }: Reading): void {
    const [least, most] = [databaseMs - answeredAt, databaseMs + 1 - askedAt]
    this.offsetMs = this.isRead ? Math.min(Math.max(this.offsetMs, least), most) : (least + most) / 2
    this.isRead = true
  }

  /** The time of the machine's monotonic clock in milliseconds. */
  monotonicMs(): number {
    return Number(this.own.monotonicTimeNanosUnsafe()) / nanosPerMilli
  }

  currentTimeMillisUnsafe(): number {
    return Math.floor(this.monotonicMs() + this.offsetMs)
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())

  currentTimeNanosUnsafe(): bigint {
    return this.own.monotonicTimeNanosUnsafe() + BigInt(Math.round(this.offsetMs * nanosPerMilli))
  }

  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())

  monotonicTimeNanosUnsafe(): bigint {
    return this.own.monotonicTimeNanosUnsafe()
  }

  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.own.sleep(duration)
  }
}
