import { Effect, Metric } from "effect"

const seconds = Metric.histogram("inlet_sync_duration_seconds", {
  description: "Time until the main thread notices the end of a sync of the write-ahead log",
  boundaries: Metric.exponentialBoundaries({ start: 0.0001, factor: 2, count: 14 }),
})

/** Exports the durations of syncs from the start. Returns the function that records one, in milliseconds. */
export const measureSyncs: Effect.Effect<(ms: number) => void> = Effect.map(
  Effect.andThen(Metric.value(seconds), Effect.context<never>()),
  (context) => (ms) => seconds.updateUnsafe(ms / 1000, context),
)
