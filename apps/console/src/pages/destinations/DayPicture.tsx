import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { useNow } from "../../shared/time/clock.ts"
import { dayText, hourBars, hoursShown, type HourBar } from "./hourBars.ts"

const height = 20

/** The least height of a bar that stands for something. */
const heightMin = 2

interface DayPictureProps {
  readonly hours: DestinationDocument["hours"]
}

/** Bars of what a destination got done with in each hour of the last day. An hour that nobody measured is empty. */
export const DayPicture = ({ hours }: DayPictureProps) => {
  const bars = hourBars(hours, useNow())
  const label = `Last day: ${dayText(hours)}`
  const highest = Math.max(1, ...bars.map((bar) => bar?.entries ?? 0))
  return (
    <svg
      aria-label={label}
      className="block h-5 w-full"
      preserveAspectRatio="none"
      role="img"
      viewBox={`0 0 ${hoursShown} ${height}`}
    >
      <title>{label}</title>
      {bars.map((bar, index) => {
        if (bar === null) return null
        const tall = bar.entries === 0 ? 1 : Math.max((bar.entries / highest) * height, heightMin)
        return (
          <rect className={fill(bar)} height={tall} key={index} width={0.8} x={index} y={height - tall} />
        )
      })}
    </svg>
  )
}

const fill = ({ entries, isLate }: NonNullable<HourBar>): string => {
  if (isLate) return "fill-amber"
  return entries === 0 ? "fill-line-strong" : "fill-accent"
}
