import { Outcome } from "@inlethq/core/log/Outcome"
import { Schema } from "effect"

const OutcomeRate = Schema.Struct({ outcome: Outcome, per_second: Schema.Finite })

const AnswerRate = Schema.Struct({
  protocol: Schema.String,
  status: Schema.Int,
  per_second: Schema.Finite,
})

/** The median and the 99th percentile of durations, in milliseconds. */
const QuantilesMs = Schema.Struct({ p50: Schema.Finite, p99: Schema.Finite })

const WebhookLag = Schema.Struct({
  environment_id: Schema.Int,
  webhook_id: Schema.String,
  /** The number of entries of the activity log that the webhook has not read yet. */
  entries: Schema.Int,
  /** The age in seconds of the oldest event that the webhook has read but not delivered. */
  seconds: Schema.Finite,
})

const ForwardLag = Schema.Struct({
  environment_id: Schema.Int,
  forward_id: Schema.String,
  /** The number of entries of the activity log that the forward has not read yet. */
  entries: Schema.Int,
  /** The age in seconds of the oldest operation that the forward has read but not delivered. */
  seconds: Schema.Finite,
})

const RuleTimers = Schema.Struct({
  /** The people whose rules have to be evaluated because time has passed, at most 1,000. */
  people: Schema.Int,
  /** How long the first of them has been waiting. */
  late_seconds: Schema.Finite,
}).annotate({
  identifier: "RuleTimers",
  description:
    "the people of all workspaces whose rules about time are due, as they were counted in the last 15 seconds",
})

export const QueueDocument = Schema.Struct({
  operations: Schema.Int,
  /** The time that the oldest operation in the commit queue has waited, in milliseconds. */
  wait_ms: Schema.Int,
})

/** The throughput of a node over `seconds` seconds. */
export const RecentDocument = Schema.Struct({
  seconds: Schema.Finite,
  operations: Schema.Array(OutcomeRate),
  answers: Schema.Array(AnswerRate),
  /**
   * Milliseconds from receiving the headers of an ingestion call to answering the call. The times are estimates from a
   * histogram in which each bucket is twice as wide as the previous bucket. Null if there was no call.
   */
  answer_ms: Schema.NullOr(QuantilesMs),
  commits_per_second: Schema.Finite,
  /**
   * The durations of commits in milliseconds. A commit loads, decides, writes and syncs one batch. The durations are
   * estimates from a histogram in which each bucket is twice as wide as the previous bucket. Null if there was no
   * commit.
   */
  commit_ms: Schema.NullOr(QuantilesMs),
})
export type RecentDocument = typeof RecentDocument.Type

/** The state and the recent throughput of the node that answers. Other nodes on the same database are not included. */
export const StatusDocument = Schema.Struct({
  version: Schema.String,
  uptime_seconds: Schema.Int,
  /** The memory of the process, in bytes. */
  memory_bytes: Schema.Int,
  /** The size of the stored data in bytes. Null for the store in memory. */
  store_bytes: Schema.NullOr(Schema.Int),
  /** True if the store accepts commits: the last commit, or a later check of the store, succeeded. */
  committing: Schema.Boolean,
  queue: QueueDocument,
  /**
   * The throughput of the last `seconds` seconds. The length of this period varies, because the period begins at an
   * earlier request for the status, or at the start of the node. If the status is requested every few seconds, the
   * period is about one minute.
   */
  recent: RecentDocument,
  /**
   * The webhooks for which this node delivers events. If several nodes share a database, one node delivers the events
   * of all webhooks.
   */
  webhooks: Schema.Array(WebhookLag),
  /** The forwards for which this node sends operations. It is the node that delivers the events of webhooks. */
  forwards: Schema.Array(ForwardLag),
  /** Null until they have been counted. */
  rule_timers: Schema.NullOr(RuleTimers),
}).annotate({
  identifier: "Status",
  description: "the state and the recent throughput of the node that answers",
})
export type StatusDocument = typeof StatusDocument.Type
