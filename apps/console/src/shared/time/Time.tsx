import { useNow } from "./clock.ts"
import { useZone, wallTime, zoneName, type Zone } from "./zone.ts"

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

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/**
 * Returns the time of day with milliseconds, such as "17:03:11.123". The time of another day has its date, such as "Nov
 * 22 17:03:11", and that of another year also the year.
 */
const clockTime = (at: number, now: number, zone: Zone): string => {
  const [date = "", time = ""] = wallTime(at, zone).split("T")
  const today = wallTime(now, zone).slice(0, 10)
  if (date === today) return time
  const [year, month, day] = date.split("-").map(Number)
  if (year !== Number(today.slice(0, 4))) return `${date} ${time.slice(0, 5)}`
  return `${months[(month ?? 1) - 1]} ${day} ${time.slice(0, 8)}`
}

/** Returns a time with its date and its zone, such as "2026-11-22 17:03:11.123 UTC+1". */
const exactTime = (at: number, zone: Zone): string =>
  `${wallTime(at, zone).replace("T", " ")} ${zoneName(at, zone)}`

interface TimeProps {
  /** The time in ISO 8601, in UTC. */
  readonly at: string
}

/** Shows a time relative to now, and the exact time on hover. */
export const Time = ({ at }: TimeProps) => {
  const now = useNow()
  const zone = useZone()
  return (
    <time className="whitespace-nowrap" dateTime={at} title={exactTime(Date.parse(at), zone)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  )
}

/** Shows the time of day with milliseconds, with its date if it was not today, and the exact time on hover. */
export const ClockTime = ({ at }: TimeProps) => {
  const now = useNow()
  const zone = useZone()
  return (
    <time className="whitespace-nowrap" dateTime={at} title={exactTime(Date.parse(at), zone)}>
      {clockTime(Date.parse(at), now, zone)}
    </time>
  )
}

/** Shows the exact time, followed by the time relative to now. */
export const ExactTime = ({ at }: TimeProps) => {
  const now = useNow()
  const zone = useZone()
  return (
    <time dateTime={at}>
      <span className="font-mono text-xs">{exactTime(Date.parse(at), zone)}</span>{" "}
      <span className="whitespace-nowrap text-faint">{relativeTime(Date.parse(at), now)}</span>
    </time>
  )
}
