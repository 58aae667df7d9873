import { Clock, Context, Effect, Layer, Metric } from "effect"

/** The shortest time, in milliseconds, between two samples of the metrics. */
const intervalMs = 10_000

/** Changes are measured since the newest sample that is at least this many milliseconds old. */
const periodMs = 60_000

/** All metrics of this process at one time. */
interface Sample {
  readonly atMs: number
  readonly metrics: ReadonlyArray<Metric.Metric.Snapshot>
}

type Labels = Readonly<Record<string, string>>

/** The metrics of this process now, and how they have changed in the last minute. */
export interface MetricChanges {
  /** The length, in seconds, of the time over which the changes were measured. */
  readonly seconds: number
  /** Returns the increase of a counter during the last minute, for each combination of its labels. */
  readonly counter: (id: string) => ReadonlyArray<readonly [labels: Labels, increase: number]>
  /** The value of a gauge now. Undefined if it was never set. */
  readonly gauge: (id: string) => number | undefined
  /** Returns, for each bucket of a histogram, its upper bound and the number of observations during the last minute. */
  readonly histogram: (id: string) => ReadonlyArray<readonly [bound: number, observations: number]>
}

/**
 * Compares the metrics of this process with samples that were taken at earlier reads of `changes`. A page that requests
 * the changes every few seconds therefore sees the changes of the last minute. The first read sees the changes since
 * the start.
 */
export class RecentMetrics extends Context.Service<
  RecentMetrics,
  {
    readonly changes: Effect.Effect<MetricChanges>
    /** Returns a sample of the metrics, and their changes since an earlier one. */
    since(earlier: Sample | null): Effect.Effect<{ readonly sample: Sample; readonly changes: MetricChanges }>
  }
>()("@inlethq/http/management/server/RecentMetrics") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sample = Effect.map(
        Effect.all([Clock.currentTimeMillis, Metric.snapshot]),
        ([atMs, metrics]): Sample => ({ atMs, metrics }),
      )
      let samples: ReadonlyArray<Sample> = [yield* sample]
      return RecentMetrics.of({
        since: (earlier) =>
          Effect.map(sample, (now) => ({ sample: now, changes: changesBetween(earlier ?? now, now) })),
        changes: Effect.map(sample, (now) => {
          const oldest = samples.findLastIndex(({ atMs }) => now.atMs - atMs >= periodMs)
          const kept = samples.slice(Math.max(oldest, 0))
          const isDue = now.atMs - (kept.at(-1)?.atMs ?? now.atMs) >= intervalMs
          samples = isDue ? [...kept, now] : kept
          return changesBetween(kept[0] ?? now, now)
        }),
      })
    }),
  )
}

const changesBetween = (before: Sample, now: Sample): MetricChanges => {
  const named = (sample: Sample, id: string) => sample.metrics.filter((metric) => metric.id === id)
  return {
    seconds: Math.max((now.atMs - before.atMs) / 1000, 0),
    counter: (id) => {
      const earlier = new Map(named(before, id).map((metric) => [keyOf(metric), countOf(metric)]))
      return named(now, id).map((metric) => [
        labelsOf(metric),
        countOf(metric) - (earlier.get(keyOf(metric)) ?? 0),
      ])
    },
    gauge: (id) => {
      const [metric] = named(now, id)
      return metric?.type === "Gauge" ? Number(metric.state.value) : undefined
    },
    histogram: (id) => {
      const earlier = new Map(named(before, id).flatMap(cumulativeBuckets))
      let below = 0
      return named(now, id)
        .flatMap(cumulativeBuckets)
        .map(([bound, count]) => {
          const upTo = count - (earlier.get(bound) ?? 0)
          const observations = upTo - below
          below = upTo
          return [bound, observations]
        })
    },
  }
}

const countOf = (metric: Metric.Metric.Snapshot): number =>
  metric.type === "Counter" ? Number(metric.state.count) : 0

const cumulativeBuckets = (metric: Metric.Metric.Snapshot): ReadonlyArray<readonly [number, number]> =>
  metric.type === "Histogram" ? metric.state.buckets : []

const labelsOf = ({ attributes }: Metric.Metric.Snapshot): Labels => attributes ?? {}

const keyOf = (metric: Metric.Metric.Snapshot): string =>
  JSON.stringify(Object.entries(labelsOf(metric)).toSorted())

/**
 * Estimates a quantile from the buckets of a histogram, in the unit of the bounds. Assumes that observations are spread
 * evenly in a bucket. Observations above the largest finite bound count as that bound. Returns null without observations.
 */
export const quantileOf = (
  buckets: ReadonlyArray<readonly [bound: number, observations: number]>,
  quantile: number,
): number | null => {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let rank = quantile * total
  let lower = 0
  for (const [bound, count] of buckets) {
    if (!Number.isFinite(bound)) return lower
    if (rank <= count && count > 0) return lower + (bound - lower) * (rank / count)
    rank -= count
    lower = bound
  }
  return lower
}
