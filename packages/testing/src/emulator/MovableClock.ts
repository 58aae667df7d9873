import { Clock, Effect, type Duration } from "effect"

const nanosPerMilli = 1_000_000n

/** The system clock plus an offset. Moving the clock does not shorten sleeps. */
export class MovableClock implements Clock.Clock {
  readonly #base = Clock.Clock.defaultValue()
  #offsetMs = 0

  /** Moves the clock forward. The clock cannot go back, because receipt times must never decrease. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`the clock moves only forward: ${ms} ms`)
    this.#offsetMs += Math.round(ms)
  }

  /** The number of milliseconds by which this clock is ahead of the system clock. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /**
   * Sets the offset of the clock. The new offset may be smaller, so this method must be called only while no server
   * uses the clock: in a running server, receipt times must never decrease.
   */
  restore(offsetMs: number): void {
    this.#offsetMs = offsetMs
  }

  currentTimeMillisUnsafe(): number {
    return this.#base.currentTimeMillisUnsafe() + this.#offsetMs
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())

  currentTimeNanosUnsafe(): bigint {
    return this.#base.currentTimeNanosUnsafe() + BigInt(this.#offsetMs) * nanosPerMilli
  }

  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())

  monotonicTimeNanosUnsafe(): bigint {
    return this.#base.monotonicTimeNanosUnsafe()
  }

  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.#base.sleep(duration)
  }
}
