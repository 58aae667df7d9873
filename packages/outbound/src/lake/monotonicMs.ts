import { Clock, Effect } from "effect"

/** The time since some moment before the process began, in milliseconds. Pauses are measured with it, because it runs on when the clock is set. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos) / 1e6,
)
