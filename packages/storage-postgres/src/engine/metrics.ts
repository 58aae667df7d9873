import { Metric } from "effect"

const retries = Metric.counter("inlet_database_retries_total", {
  description: "Transactions that ran again after a conflict or a lost connection, by kind of failure",
  incremental: true,
})

const brokenCommits = Metric.counter("inlet_database_broken_commits_total", {
  description: "Commits whose connection broke, by the outcome that was found",
  incremental: true,
})

/** Counts one repeated transaction, by the kind of failure that made it run again. */
export const countRetry = (kind: string) => Metric.update(Metric.withAttributes(retries, { kind }), 1)

/** Counts one commit during which the connection broke, by its outcome. */
export const countBrokenCommit = (outcome: string) =>
  Metric.update(Metric.withAttributes(brokenCommits, { outcome }), 1)
