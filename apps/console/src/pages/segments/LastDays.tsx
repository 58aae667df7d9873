import { useQuery } from "@tanstack/react-query"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/ActionError.tsx"
import { Section } from "../../shared/Detail.tsx"
import { count, counted } from "../../shared/figures.ts"
import { Loading } from "../../shared/Loading.tsx"
import { sizesOf, type DayOfSegment } from "./sizesOf.ts"

/** The number of days that the chart shows, as many as a backtest can have. */
const daysShown = 30

interface LastDaysProps {
  readonly w: string
  readonly rule: SegmentDocument["rule"]
  readonly size: number
}

/** The size of a segment by rule over the last days, and how many people entered and left. */
export const LastDays = ({ rule, size, w }: LastDaysProps) => {
  const test = useQuery({
    queryKey: [w, "segments", "backtest", JSON.stringify(rule), size],
    queryFn: ({ signal }) => api.segmentRules.backtest(w, { rule, days: daysShown }, signal),
    staleTime: 60_000,
  })
  if (test.isPending) return <Section title={title}>{<Loading />}</Section>
  if (test.data === undefined)
    return (
      <Section title={title}>
        <ActionError error={test.error} />
      </Section>
    )
  const { checked, complete, days, entered, left } = test.data
  return (
    <Section title={title}>
      <SizeChart days={sizesOf(days, size)} />
      <p className="pt-2 text-xs text-muted">
        {`By the rule as it is now, ${count(entered)} entered and ${count(left)} left.`}
        {complete ? "" : ` Only the newest ${counted(checked, "person", "people")} were looked at.`}
      </p>
    </Section>
  )
}

const title = `Last ${daysShown} days`

const height = 80
const dayWidth = 16

/** A line of the sizes, above bars for the people who entered (up) and left (down). */
const SizeChart = ({ days }: { readonly days: ReadonlyArray<DayOfSegment> }) => {
  const largest = Math.max(1, ...days.map(({ size }) => size))
  const busiest = Math.max(1, ...days.flatMap(({ entered, left }) => [entered, left]))
  const width = days.length * dayWidth
  const yOf = (size: number): number => height - 4 - (size / largest) * (height - 12)
  const barOf = (n: number): number => (n / busiest) * 20
  const line = days.map(({ size }, i) => `${i * dayWidth + dayWidth / 2},${yOf(size)}`).join(" ")
  const last = days.at(-1)
  return (
    <svg
      aria-label={`People at the end of each day, ${count(days[0]?.size ?? 0)} on ${days[0]?.day ?? ""} and ${count(last?.size ?? 0)} now`}
      className="w-full"
      preserveAspectRatio="none"
      role="img"
      viewBox={`0 0 ${width} ${height + 48}`}
    >
      <line className="stroke-line" x1="0" x2={width} y1={height + 24} y2={height + 24} />
      {days.map(({ day, entered, left, size }, i) => (
        <g key={day}>
          <title>{`${day}: ${count(size)} people, ${count(entered)} entered, ${count(left)} left`}</title>
          <rect className="fill-transparent" height={height + 48} width={dayWidth} x={i * dayWidth} y="0" />
          <rect
            className="fill-green"
            height={barOf(entered)}
            width={dayWidth - 6}
            x={i * dayWidth + 3}
            y={height + 24 - barOf(entered)}
          />
          <rect
            className="fill-red"
            height={barOf(left)}
            width={dayWidth - 6}
            x={i * dayWidth + 3}
            y={height + 24}
          />
        </g>
      ))}
      <polyline
        className="fill-transparent stroke-accent"
        points={line}
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
