import type { StatsDocument } from "@inlet/api/management/Stats"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { count, counted } from "../../shared/figures.ts"
import { useMedia, useWidth } from "../../shared/useSize.ts"
import { countsByGroup, outcomeGroups } from "./outcomeGroups.ts"
import { OutcomeBars } from "./OutcomeBars.ts"
import type { Period } from "../../shared/period.ts"

/** The time, in milliseconds, between two reads of the counts. */
const refreshMs = 5_000

interface ActivityChartProps {
  readonly w: string
  readonly period: Period | undefined
  readonly onPeriod: (period: Period | undefined) => void
}

/** The operations of the last hour by outcome. Dragging over the chart chooses a period. */
export const ActivityChart = ({ onPeriod, period, w }: ActivityChartProps) => {
  const stats = useQuery({
    queryKey: [w, "stats", "hour"],
    queryFn: ({ signal }) => api.stats.get(w, {}, signal),
    refetchInterval: refreshMs,
  })
  if (stats.data === undefined && stats.error !== null) {
    return (
      <ApiProblem
        onRetry={() => void stats.refetch()}
        problem={stats.error}
        what="The chart could not be loaded."
      />
    )
  }
  if (stats.data === undefined) return <div aria-hidden="true" className="h-[104px] shrink-0" />
  const counts = countsByGroup(stats.data).map((group) => group.reduce((sum, value) => sum + value, 0))
  const total = counts.reduce((sum, value) => sum + value, 0)
  const parts = outcomeGroups.map(({ name }, index) => `${count(counts[index] ?? 0)} ${name}`)
  return (
    <figure className="shrink-0 px-4">
      <figcaption className="flex min-h-6 flex-wrap items-center gap-x-4 text-xs text-muted">
        <span className="shrink-0">Last hour: {counted(total, "operation", "operations")}</span>
        {outcomeGroups.map(({ name }, index) =>
          counts[index] === 0 ? null : (
            <span className="flex shrink-0 items-center gap-1.5" key={name}>
              <span aria-hidden="true" className={`size-2 rounded-[2px] ${swatches[name]}`} />
              {count(counts[index] ?? 0)} {name}
            </span>
          ),
        )}
      </figcaption>
      <Bars
        label={`Operations of the last hour: ${parts.join(", ")}`}
        onPeriod={onPeriod}
        period={period}
        stats={stats.data}
      />
    </figure>
  )
}

const swatches: Readonly<Record<(typeof outcomeGroups)[number]["name"], string>> = {
  applied: "bg-green",
  pending: "bg-blue",
  "left out": "bg-line-strong",
  partial: "bg-amber",
  rejected: "bg-red",
}

interface BarsProps extends Omit<ActivityChartProps, "w"> {
  readonly stats: StatsDocument
  readonly label: string
}

const Bars = ({ label, onPeriod, period, stats }: BarsProps) => {
  const [widthRef, width] = useWidth()
  const element = useRef<HTMLDivElement>(null)
  const bars = useRef<OutcomeBars>(undefined)
  const choose = useRef(onPeriod)
  const isDark = useMedia("(prefers-color-scheme: dark)")
  useEffect(() => {
    choose.current = onPeriod
  })
  useEffect(() => {
    if (element.current === null) return
    const chart = new OutcomeBars(element.current, (chosen) => choose.current(chosen))
    bars.current = chart
    return () => chart.destroy()
  }, [])
  useEffect(() => bars.current?.show(stats, width, period), [stats, width, period, isDark])
  return (
    <div className="h-20" ref={widthRef}>
      <div aria-label={label} ref={element} role="img" />
    </div>
  )
}
