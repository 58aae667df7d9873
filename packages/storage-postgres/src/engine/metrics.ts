import { Metric } from "effect"

const retries = Metric.counter("inlet_database_retries_total", {
  description: "Transactions that ran again after a conflict or a lost connection, by kind of failure",
  incremental: true,
})

const brokenCommits = Metric.counter("inlet_database_broken_commits_total", {
  description: "Commits whose connection broke, by the outcome that was found",
  incremental: true,
})

/** Counts a transaction that runs again after a failure of this kind. */
export const countRetry = (kind: string) => Metric.update(Metric.withAttributes(retries, { kind }), 1)

/** Counts a commit whose connection broke. */
export const countBrokenCommit = (outcome: string) =>
  Metric.update(Metric.withAttributes(brokenCommits, { outcome }), 1)
