import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Layer } from "effect"

/** A clock that a test moves forward or sets back, and that otherwise runs and sleeps as usual. */
export class LakeClock {
  private aheadMs = 0
  private setBackMs = 0

  /** Lets hours pass. */
  moveHours(hours: number): void {
    this.aheadMs += hours * hourMs
  }

  /** Lets time pass until the next day begins, so that the hours after it are of one day. */
  moveToNextDay(): void {
    this.aheadMs += dayMs - (this.now % dayMs)
  }

  /** Sets the time of day back, as an operator does. No time passes. */
  setBackHours(hours: number): void {
    this.setBackMs += hours * hourMs
  }

  get now(): number {
    return Date.now() + this.aheadMs - this.setBackMs
  }

  private monotonic(nanos: bigint): bigint {
    return nanos + BigInt(Math.round(this.aheadMs * 1e6))
  }

  readonly layer = Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (usual) => ({
      currentTimeMillisUnsafe: () => this.now,
      currentTimeMillis: Effect.sync(() => this.now),
      currentTimeNanosUnsafe: () => usual.currentTimeNanosUnsafe(),
      currentTimeNanos: usual.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => this.monotonic(usual.monotonicTimeNanosUnsafe()),
      monotonicTimeNanos: Effect.map(usual.monotonicTimeNanos, (nanos) => this.monotonic(nanos)),
      sleep: (duration) => usual.sleep(duration),
    })),
  )
}
