import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect, Metric } from "effect"

const sent = Metric.counter("inlet_kafka_sent_total", {
  description: "Entries of activity logs that Kafka has stored",
  incremental: true,
})

const failures = Metric.counter("inlet_kafka_failures_total", {
  description: "Batches of entries that Kafka did not accept",
  incremental: true,
})

const lagEntries = Metric.gauge("inlet_kafka_lag_entries", {
  description: "Entries of the activity log of a workspace that are not in Kafka yet",
})

const lagSeconds = Metric.gauge("inlet_kafka_lag_seconds", {
  description: "Age of the oldest entry of a workspace that is not in Kafka yet",
})

/** Exports the counters from the start. */
export const registerMetrics = Effect.andThen(Metric.value(sent), Metric.value(failures))

/** Counts entries that Kafka has stored. */
export const countSent = (entries: number): Effect.Effect<void> => Metric.update(sent, entries)

/** Counts a batch that failed. */
export const countFailure: Effect.Effect<void> = Metric.update(failures, 1)

/** Records in the metrics how far the copy of a workspace is behind its log. */
export const measureLag = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  entries: number,
  ageMs: number,
) {
  const labels = { workspace: String(workspace) }
  yield* Metric.update(Metric.withAttributes(lagEntries, labels), entries)
  yield* Metric.update(Metric.withAttributes(lagSeconds, labels), ageMs / 1000)
})
