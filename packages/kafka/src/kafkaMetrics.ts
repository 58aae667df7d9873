import { Effect, Metric } from "effect"

const sent = Metric.counter("inlet_kafka_sent_total", {
  description: "Entries of activity logs that Kafka has stored",
  incremental: true,
})

const failures = Metric.counter("inlet_kafka_failures_total", {
  description: "Batches of entries that Kafka did not accept",
  incremental: true,
})

/** Exports the counters from the start. */
export const registerMetrics = Effect.andThen(Metric.value(sent), Metric.value(failures))

/** Counts entries that Kafka has stored. */
export const countSent = (entries: number): Effect.Effect<void> => Metric.update(sent, entries)

/** Counts a batch that failed. */
export const countFailure: Effect.Effect<void> = Metric.update(failures, 1)
