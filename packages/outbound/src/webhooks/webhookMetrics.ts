import { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import { Effect, Metric } from "effect"

const attempts = Metric.counter("inlet_webhook_attempts_total", {
  description: "Attempts to deliver events of webhooks, by result",
  incremental: true,
})

const seconds = Metric.histogram("inlet_webhook_attempt_duration_seconds", {
  description: "Time from sending an event to the answer of the receiver",
  boundaries: Metric.exponentialBoundaries({ start: 0.001, factor: 2, count: 13 }),
})

/** Exports the metrics of attempts from the start, with 0 for each result. */
export const registerMetrics = Effect.gen(function* () {
  for (const status of AttemptStatus.literals)
    yield* Metric.value(Metric.withAttributes(attempts, { status }))
  yield* Metric.value(seconds)
})

/**
 * Counts an attempt by its result, and records its duration. A skipped event has no duration, because it was not sent.
 */
export const countAttempt = Effect.fnUntraced(function* (status: AttemptStatus, durationMs: number) {
  yield* Metric.update(Metric.withAttributes(attempts, { status }), 1)
  if (status !== "skipped") yield* Metric.update(seconds, durationMs / 1000)
})
