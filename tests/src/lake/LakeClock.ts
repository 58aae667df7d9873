import { hourMs } from "@inlet/core/values/Timestamp"
import { Clock, Effect, Layer } from "effect"

/** A clock that a test moves forward, and that otherwise runs and sleeps as usual. */
export class LakeClock {
  private aheadMs = 0

  moveHours(hours: number): void {
    this.aheadMs += hours * hourMs
  }

  get now(): number {
    return Date.now() + this.aheadMs
  }

  readonly layer = Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (usual) => ({
      currentTimeMillisUnsafe: () => this.now,
      currentTimeMillis: Effect.sync(() => this.now),
      currentTimeNanosUnsafe: () => usual.currentTimeNanosUnsafe(),
      currentTimeNanos: usual.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => usual.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: usual.monotonicTimeNanos,
      sleep: (duration) => usual.sleep(duration),
    })),
  )
}
