import type { ActivityDocument } from "../../api/documents.ts"
import type { StatsDocument } from "@inlethq/contract/activity/Stats"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { periodKey, periodText, type FixedPeriod, type Period } from "../../shared/time/period.ts"
import { useMedia, useWidth } from "../../shared/lists/useSize.ts"
import { useZone, wallTime } from "../../shared/time/zone.ts"
import { chartSteps } from "./chartSteps.ts"
import { countsByGroup, outcomeGroups } from "./outcomeGroups.ts"
import { later } from "../../shared/dialogs/lazily.tsx"
import type { OutcomeBars, PointedBar } from "./OutcomeBars.ts"

const drawing = later(async () => (await import("./OutcomeBars.ts")).OutcomeBars)

/** The time, in milliseconds, between two reads of the counts. */
const refreshMs = 5_000

/** The time, in milliseconds, after which they are read again if operations are listed that they lack. */
const recountMs = 500

interface ActivityChartProps {
  readonly w: string
  /** The filter of the counted operations. Without one, all operations are counted. */
  readonly filter?: string | undefined
  /** The period of the chart. Without one, the chart shows the last 24 hours. */
  readonly period: Period | undefined
  readonly onPeriod: (period: FixedPeriod) => void
  /** The operations that are listed below the chart. */
  readonly listed?: ReadonlyArray<ActivityDocument>
}

/** The operations of a period by outcome. Dragging over the chart, or a click on a bar, chooses a period. */
export const ActivityChart = ({ filter, listed, onPeriod, period, w }: ActivityChartProps) => {
  const zone = useZone()
  const { error, isCounting, refetch, stats } = useCounts({ filter, listed: listed ?? noneListed, period, w })
  if (stats === undefined && error !== null) {
    return <ApiProblem onRetry={() => void refetch()} problem={error} what="The chart could not be loaded." />
  }
  if (stats === undefined) return <div aria-hidden="true" className="h-[104px] shrink-0" />
  const counts = countsByGroup(stats).map((group) => group.reduce((sum, value) => sum + value, 0))
  const total = totalOf(stats)
  const parts = outcomeGroups.map(({ name }, index) => `${count(counts[index] ?? 0)} ${name}`)
  const since = isCutOff(stats) ? wallTime(Date.parse(stats.counted_from), zone).slice(0, 19) : null
  const when = period === undefined ? "Last 24 hours" : periodText(period, zone)
  return (
    <figure className="relative shrink-0 px-4">
      <figcaption className="flex min-h-6 flex-wrap items-center gap-x-4 text-xs text-muted">
        <span className="shrink-0">
          {when}:{" "}
          {isCounting ? (
            "counting…"
          ) : (
            <>
              {counted(total, "operation", "operations")}
              {filter === undefined ? "" : total === 1 ? " matches" : " match"}
              {since === null ? null : `, counted since ${since}. Older ones were not counted.`}
              {total === 0 && isOlderListed(stats, listed) ? " The list goes further back." : null}
            </>
          )}
        </span>
        {outcomeGroups.map(({ name }, index) =>
          isCounting || counts[index] === 0 ? null : (
            <span className="flex shrink-0 items-center gap-1.5" key={name}>
              <span aria-hidden="true" className={`size-2 rounded-[2px] ${swatches[name]}`} />
              {count(counts[index] ?? 0)} {name}
            </span>
          ),
        )}
      </figcaption>
      <Bars
        label={`Operations, ${when}${since === null ? "" : `, counted since ${since}`}: ${isCounting ? "counting…" : parts.join(", ")}`}
        onPeriod={onPeriod}
        stats={stats}
      />
    </figure>
  )
}

const noneListed: ReadonlyArray<ActivityDocument> = []

interface Counting {
  readonly w: string
  readonly filter: string | undefined
  readonly period: Period | undefined
  readonly listed: ReadonlyArray<ActivityDocument>
}

/** Reads the counts of a chart. While `isCounting`, they are not those of the period, the filter and the list. */
const useCounts = ({ filter, listed, period, w }: Counting) => {
  const newest = useRef(0)
  useEffect(() => {
    newest.current = listed[0]?.sequence ?? 0
  }, [listed])
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [w, "stats", filter, periodKey(period)],
    queryFn: async ({ signal }): Promise<Counted> => {
      const listedTo = newest.current
      return {
        listedTo,
        stats: await api.stats.get(w, { filter, ...chartSteps(period, Date.now()) }, signal),
      }
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.status === "error" ? false : refreshMs),
  })
  // An operation can be listed before it is counted, and a number below that of the rows would be wrong.
  const isBehind = data !== undefined && isBehindList(data, listed)
  useEffect(() => {
    if (!isBehind || isFetching) return undefined
    const timer = setTimeout(() => void refetch(), recountMs)
    return () => clearTimeout(timer)
  }, [isBehind, isFetching, refetch])
  // Until the counts of another filter or period have arrived, the chart keeps its bars, and no number is shown as theirs.
  return { error, isCounting: isPlaceholderData || isBehind, refetch, stats: data?.stats }
}

const totalOf = ({ steps }: StatsDocument): number =>
  steps.reduce((sum, { counts }) => counts.reduce((all, { count: one }) => all + one, sum), 0)

/** Counts, and the position of the newest operation that was listed when they were asked for. */
interface Counted {
  readonly stats: StatsDocument
  readonly listedTo: number
}

/** Returns whether more operations are listed than counted, because some have arrived since. */
const isBehindList = ({ listedTo, stats }: Counted, listed: ReadonlyArray<ActivityDocument>): boolean => {
  if ((listed[0]?.sequence ?? 0) <= listedTo) return false
  const inPeriod = listed.filter(
    ({ received_at }) => received_at >= stats.counted_from && received_at < stats.to,
  )
  return totalOf(stats) < inPeriod.length
}

const isOlderListed = (
  { counted_from }: StatsDocument,
  listed: ReadonlyArray<ActivityDocument> = noneListed,
) => listed.some(({ received_at }) => received_at < counted_from)

/** Returns whether the period has more operations than one answer counts. */
const isCutOff = ({ counted_from, from }: StatsDocument): boolean => counted_from > from

const swatches: Readonly<Record<(typeof outcomeGroups)[number]["name"], string>> = {
  applied: "bg-green",
  pending: "bg-blue",
  "left out": "bg-line-strong",
  partial: "bg-amber",
  rejected: "bg-red",
}

interface BarsProps extends Pick<ActivityChartProps, "onPeriod"> {
  readonly stats: StatsDocument
  readonly label: string
}

const Bars = ({ label, onPeriod, stats }: BarsProps) => {
  const [widthRef, width] = useWidth()
  const element = useRef<HTMLDivElement>(null)
  const bars = useRef<OutcomeBars>(undefined)
  const Chart = drawing.usePart()
  const choose = useRef(onPeriod)
  const [pointed, setPointed] = useState<PointedBar | null>(null)
  const isDark = useMedia("(prefers-color-scheme: dark)")
  const zone = useZone()
  useEffect(() => {
    choose.current = onPeriod
  })
  useEffect(drawing.load, [])
  useEffect(() => {
    if (element.current === null || Chart === undefined) return
    const chart = new Chart(element.current, {
      onPeriod: (chosen) => choose.current(chosen),
      onPoint: setPointed,
    })
    bars.current = chart
    return () => chart.destroy()
  }, [Chart])
  useEffect(() => bars.current?.show(stats, width, zone), [Chart, stats, width, zone, isDark])
  return (
    <div className="relative h-20" ref={widthRef}>
      <div aria-label={label} ref={element} role="img" />
      {pointed === null ? null : <BarCounts bar={pointed} stats={stats} width={width} />}
    </div>
  )
}

interface BarCountsProps {
  readonly bar: PointedBar
  readonly stats: StatsDocument
  readonly width: number
}

/** The width of the counts of a bar, in pixels. */
const countsWidth = 184

/** The counts of the bar under the pointer, below the chart. */
const BarCounts = ({ bar, stats, width }: BarCountsProps) => {
  const zone = useZone()
  const step = stats.steps[bar.step]
  if (step === undefined) return null
  const to = new Date(Date.parse(step.at) + stats.step_seconds * 1000).toISOString()
  const counts = countsByGroup({ ...stats, steps: [step] }).map(([value = 0]) => value)
  const left = Math.max(0, Math.min(width - countsWidth, bar.left - countsWidth / 2))
  return (
    <div
      className="pointer-events-none absolute top-full z-20 rounded-md border border-line-strong bg-raised px-2 py-1.5 text-xs shadow-lg"
      role="tooltip"
      style={{ left, width: countsWidth }}
    >
      <p className="text-muted">{periodText({ from: step.at, to }, zone)}</p>
      {counts.some((value) => value > 0) ? null : (
        <p>{to <= stats.counted_from ? "Not counted" : "No operations"}</p>
      )}
      {step.at < stats.counted_from && to > stats.counted_from ? (
        <p className="text-muted">
          Counted since {wallTime(Date.parse(stats.counted_from), zone).slice(11, 19)}
        </p>
      ) : null}
      {outcomeGroups.map(({ name }, index) =>
        counts[index] === 0 ? null : (
          <p className="flex items-center gap-1.5" key={name}>
            <span aria-hidden="true" className={`size-2 rounded-[2px] ${swatches[name]}`} />
            {count(counts[index] ?? 0)} {name}
          </p>
        ),
      )}
    </div>
  )
}
