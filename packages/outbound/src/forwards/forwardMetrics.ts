import { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import { Effect, Metric } from "effect"

const items = Metric.counter("inlet_forward_items_total", {
  description: "Operations that forwards sent, by result",
  incremental: true,
})

const requests = Metric.counter("inlet_forward_requests_total", {
  description: "Requests of forwards",
  incremental: true,
})

/** Exports the metrics of forwards from the start, with 0 for each result. */
export const registerMetrics = Effect.gen(function* () {
  for (const status of AttemptStatus.literals) yield* Metric.value(Metric.withAttributes(items, { status }))
  yield* Metric.value(requests)
})

export const countItem = (status: AttemptStatus): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(items, { status }), 1)

export const countRequest: Effect.Effect<void> = Metric.update(requests, 1)
