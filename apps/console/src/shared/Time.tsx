import { useNow } from "./clock.ts"

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const units = [
  [dayMs, "day"],
  [hourMs, "hour"],
  [minuteMs, "minute"],
] as const

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })

/** Returns a time in words, such as "3 min. ago" or "in 2 hr.". */
const relativeTime = (at: number, now: number): string => {
  const difference = at - now
  for (const [unitMs, unit] of units) {
    if (Math.abs(difference) >= unitMs) return words.format(Math.round(difference / unitMs), unit)
  }
  return Math.abs(difference) < 5 * secondMs
    ? "now"
    : words.format(Math.round(difference / secondMs), "second")
}

const pad = (value: number, length = 2): string => String(value).padStart(length, "0")

/** Returns the local time of day with milliseconds. */
const clockTime = (at: number): string => {
  const date = new Date(at)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => pad(value)).join(":")
  return `${time}.${pad(date.getMilliseconds(), 3)}`
}

interface TimeProps {
  /** The time in ISO 8601, in UTC. */
  readonly at: string
}

/** Shows a time relative to now, and the exact time on hover. */
export const Time = ({ at }: TimeProps) => {
  const now = useNow()
  return (
    <time className="whitespace-nowrap" dateTime={at} title={at}>
      {relativeTime(Date.parse(at), now)}
    </time>
  )
}

/** Shows the local time of day with milliseconds, and the date and the time in UTC on hover. */
export const ClockTime = ({ at }: TimeProps) => (
  <time className="whitespace-nowrap" dateTime={at} title={at}>
    {clockTime(Date.parse(at))}
  </time>
)

/** Shows the exact time, followed by the time relative to now. */
export const ExactTime = ({ at }: TimeProps) => {
  const now = useNow()
  return (
    <time dateTime={at}>
      <span className="font-mono text-xs">{at.replace("T", " ").replace("Z", " UTC")}</span>{" "}
      <span className="whitespace-nowrap text-faint">{relativeTime(Date.parse(at), now)}</span>
    </time>
  )
}
