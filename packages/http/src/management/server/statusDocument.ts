import type { RecentDocument, StatusDocument } from "@inlethq/contract/server/Status"
import type { FeedStatus, FollowerStatus } from "@inlethq/outbound/follower/follow"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { Outcome } from "@inlethq/core/log/Outcome"
import { timerMetrics } from "@inlethq/engine/rules/timerMetrics"
import { Schema } from "effect"
import { quantileOf, type MetricChanges } from "./RecentMetrics.ts"

const isOutcome = Schema.is(Outcome)

/** Returns the status of this node: its state, the rates in its metrics, and how far its webhooks and forwards are behind. */
export const statusDocument = (
  changes: MetricChanges,
  { forwards, webhooks }: { readonly forwards: FollowerStatus; readonly webhooks: FollowerStatus },
  state: Omit<StatusDocument, "forwards" | "recent" | "rule_timers" | "webhooks">,
): StatusDocument => ({
  ...state,
  recent: recentDocument(changes),
  webhooks: webhooks.feeds.map((feed) => ({ ...lagOf(feed), webhook_id: feed.id ?? "" })),
  forwards: forwards.feeds.map((feed) => ({ ...lagOf(feed), forward_id: feed.id ?? "" })),
  rule_timers: ruleTimersIn(changes),
})

const ruleTimersIn = ({ gauge }: MetricChanges): StatusDocument["rule_timers"] => {
  const [people, lateSeconds] = [gauge(timerMetrics.due), gauge(timerMetrics.lateSeconds)]
  return people === undefined || lateSeconds === undefined ? null : { people, late_seconds: lateSeconds }
}

/** Returns the rates and durations in the changes of metrics. */
export const recentDocument = (changes: MetricChanges): RecentDocument => {
  const perSecond = (increase: number) => (changes.seconds > 0 ? increase / changes.seconds : 0)
  return {
    seconds: changes.seconds,
    operations: changes
      .counter("inlet_operations_total")
      .flatMap(([{ outcome }, increase]) =>
        isOutcome(outcome) && increase > 0 ? [{ outcome, per_second: perSecond(increase) }] : [],
      ),
    answers: changes
      .counter("inlet_http_answers_total")
      .filter(([, increase]) => increase > 0)
      .map(([{ protocol = "", status }, increase]) => ({
        protocol,
        status: Number(status),
        per_second: perSecond(increase),
      })),
    answer_ms: quantilesMs(changes.histogram("inlet_http_answer_duration_seconds")),
    ...commitsIn(changes, perSecond),
  }
}

const commitsIn = (changes: MetricChanges, perSecond: (increase: number) => number) => {
  const buckets = changes.histogram("inlet_commit_duration_seconds")
  const commits = buckets.reduce((sum, [, count]) => sum + count, 0)
  return { commits_per_second: perSecond(commits), commit_ms: quantilesMs(buckets) }
}

/** Returns quantiles in milliseconds from the buckets of a histogram in seconds, or null without observations. */
const quantilesMs = (buckets: ReturnType<MetricChanges["histogram"]>) => {
  const [p50, p99] = [quantileOf(buckets, 0.5), quantileOf(buckets, 0.99)]
  return p50 === null || p99 === null ? null : { p50: p50 * 1000, p99: p99 * 1000 }
}

const lagOf = ({ lagEntries, lagMs, workspace }: FeedStatus) => ({
  environment_id: workspace,
  entries: lagEntries,
  seconds: lagMs / secondMs,
})
