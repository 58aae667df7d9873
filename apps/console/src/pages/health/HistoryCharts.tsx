import type { HistorySample } from "@inlethq/contract/server/ServerHistory"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { byteSize, duration, rate } from "../../shared/values/figures.ts"
import { wallTime, useZone, type Zone } from "../../shared/time/zone.ts"
import { answerMsMax, commitMsMax, waitMsMax } from "./normal.ts"

/** The time, in milliseconds, between two reads of the history. The server adds a sample each minute. */
const refreshMs = 30_000

interface Series {
  readonly name: string
  readonly valueOf: (sample: HistorySample) => number | null
  readonly text: (value: number) => string
  /** A larger value is drawn in red. */
  readonly normalMax?: number
  /** What is said if no sample has a value. */
  readonly none?: string
}

const faulty: ReadonlySet<string> = new Set(["rejected", "partial"])

const ratesOf = (sample: HistorySample, isCounted: (outcome: string) => boolean): number =>
  sample.operations.reduce((sum, { outcome, per_second }) => sum + (isCounted(outcome) ? per_second : 0), 0)

const series: ReadonlyArray<Series> = [
  { name: "Operations", valueOf: (sample) => ratesOf(sample, () => true), text: rate },
  {
    name: "Rejected or partial",
    valueOf: (sample) => ratesOf(sample, (outcome) => faulty.has(outcome)),
    text: rate,
    normalMax: 0,
  },
  {
    name: "Answer, p99",
    valueOf: ({ answer_ms }) => answer_ms?.p99 ?? null,
    text: duration,
    normalMax: answerMsMax,
  },
  {
    name: "Commit, p99",
    valueOf: ({ commit_ms }) => commit_ms?.p99 ?? null,
    text: duration,
    none: "no commits",
    normalMax: commitMsMax,
  },
  {
    name: "Wait in the queue",
    valueOf: ({ queue }) => queue.wait_ms,
    text: duration,
    normalMax: waitMsMax / 10,
  },
  {
    name: "Answers with 5xx",
    valueOf: ({ answers }) =>
      answers.reduce((sum, { per_second, status }) => sum + (status >= 500 ? per_second : 0), 0),
    text: rate,
    normalMax: 0,
  },
  { name: "Stored data", valueOf: ({ store_bytes }) => store_bytes, text: byteSize, none: "in memory" },
  { name: "Memory", valueOf: ({ memory_bytes }) => memory_bytes, text: byteSize },
]

export const historyQuery = queryOptions({
  queryKey: ["server", "history"],
  queryFn: ({ signal }) => api.server.history(signal),
  refetchInterval: refreshMs,
})

/** The last hours of the node that answers, as one small chart for each figure. */
export const HistoryCharts = () => {
  const history = useQuery(historyQuery)
  const zone = useZone()
  if (history.data === undefined) {
    return history.error === null ? null : (
      <ApiProblem
        onRetry={() => void history.refetch()}
        problem={history.error}
        what="The last hours could not be loaded."
      />
    )
  }
  const { samples } = history.data
  const [first] = samples
  return (
    <Section
      title={
        first === undefined ? "The last hours" : `Since ${minuteOf(first.at, zone)}, a point each minute`
      }
    >
      {samples.length < 2 ? (
        <p className="text-sm text-muted">
          The first charts appear two minutes after the server has started.
        </p>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {series.map((one) => (
            <li key={one.name}>
              <HistoryChart samples={samples} series={one} zone={zone} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const minuteOf = (at: string, zone: Zone): string => wallTime(Date.parse(at), zone).slice(11, 16)

interface HistoryChartProps {
  readonly series: Series
  readonly samples: ReadonlyArray<HistorySample>
  readonly zone: Zone
}

const width = 240
const height = 48

const HistoryChart = ({
  samples,
  series: { name, none = "no calls", normalMax = Infinity, text, valueOf },
  zone,
}: HistoryChartProps) => {
  const points = samples.flatMap((sample, index) => {
    const value = valueOf(sample)
    return value === null ? [] : [{ at: sample.at, index, value }]
  })
  const highest = points.reduce<(typeof points)[number] | undefined>(
    (found, point) => (found === undefined || point.value > found.value ? point : found),
    undefined,
  )
  const now = points.at(-1)
  if (highest === undefined || now === undefined) {
    return (
      <p className="text-sm">
        {name} <span className="block text-muted">{none}</span>
      </p>
    )
  }
  const summary = `now ${text(now.value)}, highest ${text(highest.value)} at ${minuteOf(highest.at, zone)}`
  const isRed = highest.value > normalMax
  const top = highest.value === 0 ? 1 : highest.value
  const barWidth = width / samples.length
  return (
    <figure className="flex h-full flex-col justify-between">
      <figcaption className="text-sm">
        {name}
        <span className={`block text-xs ${isRed ? "text-red" : "text-muted"}`}>{summary}</span>
      </figcaption>
      <svg
        aria-label={`${name}: ${summary}${isRed ? ", above the normal range" : ""}`}
        className="mt-1 h-12 w-full border-b border-line"
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${width} ${height}`}
      >
        {points.map(({ at, index, value }) => (
          <rect
            className={value > normalMax ? "fill-red" : "fill-accent"}
            height={Math.max((value / top) * height, value > 0 ? 1 : 0)}
            key={at}
            width={barWidth}
            x={index * barWidth}
            y={height - Math.max((value / top) * height, value > 0 ? 1 : 0)}
          />
        ))}
      </svg>
    </figure>
  )
}
