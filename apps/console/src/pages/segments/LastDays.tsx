import { useQuery } from "@tanstack/react-query"
import type { BacktestDocument, SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { SizeLine } from "./SizeLine.tsx"

/** The number of days that the chart shows, as many as a backtest can have. */
export const daysShown = 30

interface LastDaysProps {
  readonly w: string
  readonly segment: SegmentDocument
}

/** How many people a segment had on the last days, and who would have entered and left it, had it had its rule all the time. */
export const LastDays = ({ segment, w }: LastDaysProps) => (
  <Section title={`Last ${daysShown} days`}>
    <SizeLine days={daysShown + 1} segment={segment} w={w} />
    {segment.kind === "rule" ? <Crossings rule={segment.rule} size={segment.size} w={w} /> : null}
  </Section>
)

interface CrossingsProps {
  readonly w: string
  readonly rule: SegmentDocument["rule"]
  readonly size: number
}

/** Who would have entered and left a segment on each of the last days, had it had a rule all the time. */
export const Crossings = ({ rule, size, w }: CrossingsProps) => {
  const test = useQuery({
    queryKey: [w, "tried rule", "backtest", JSON.stringify(rule), size],
    queryFn: ({ signal }) => api.segmentRules.backtest(w, { rule, days: daysShown }, signal),
    staleTime: 60_000,
  })
  if (test.isPending) return <Loading />
  if (test.data === undefined) return <ActionError error={test.error} />
  const { checked, complete, days, entered, left } = test.data
  if (!complete) {
    return (
      <p className="text-xs text-muted">
        {`The rule was tried on the newest ${counted(checked, "person", "people")} only, or not on all that they did, so what each day brought is not known.`}
      </p>
    )
  }
  return (
    <>
      <CrossingChart days={days} />
      <p className="pt-2 text-xs text-muted">
        {`By the rule as it is now, ${count(entered)} of the people of today would have entered and ${count(left)} left.`}
      </p>
    </>
  )
}

const height = 48
const dayWidth = 16

/** Bars for the people who entered (up) and left (down), by day. */
const CrossingChart = ({ days }: { readonly days: BacktestDocument["days"] }) => {
  const busiest = Math.max(1, ...days.flatMap(({ entered, left }) => [entered, left]))
  const width = days.length * dayWidth
  const middle = height / 2
  const barOf = (n: number): number => (n / busiest) * (middle - 4)
  return (
    <svg
      aria-label={`People who would have entered and left by day, from ${days[0]?.day ?? ""} to ${days.at(-1)?.day ?? ""}`}
      className="w-full"
      preserveAspectRatio="none"
      role="img"
      viewBox={`0 0 ${width} ${height}`}
    >
      <line className="stroke-line" x1="0" x2={width} y1={middle} y2={middle} />
      {days.map(({ day, entered, left }, i) => (
        <g key={day}>
          <title>{`${day}: ${count(entered)} entered, ${count(left)} left`}</title>
          <rect className="fill-transparent" height={height} width={dayWidth} x={i * dayWidth} y="0" />
          <rect
            className="fill-green"
            height={barOf(entered)}
            width={dayWidth - 6}
            x={i * dayWidth + 3}
            y={middle - barOf(entered)}
          />
          <rect
            className="fill-red"
            height={barOf(left)}
            width={dayWidth - 6}
            x={i * dayWidth + 3}
            y={middle}
          />
        </g>
      ))}
    </svg>
  )
}
