import { wallTime, zoneOptions, type Zone } from "./zone.ts"

/** A period between two receipt times in ISO 8601. The end is not included. */
export interface FixedPeriod {
  readonly from: string
  readonly to: string
}

/** A period of this length that ends now, and still does when its address is opened later. */
export interface RollingPeriod {
  readonly last: RollingName
}

export type Period = FixedPeriod | RollingPeriod

export const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const rollingPeriods = {
  "15m": { ms: 15 * minuteMs, label: "Last 15 minutes" },
  "1h": { ms: hourMs, label: "Last hour" },
  "24h": { ms: dayMs, label: "Last 24 hours" },
  "7d": { ms: 7 * dayMs, label: "Last 7 days" },
  "30d": { ms: 30 * dayMs, label: "Last 30 days" },
} as const

export type RollingName = keyof typeof rollingPeriods

export const rollingNames: ReadonlyArray<RollingName> = ["15m", "1h", "24h", "7d", "30d"]

/** The query parameters of a URL that hold a period: `last`, or `from` and `to`. */
export interface PeriodSearch {
  readonly from?: string
  readonly to?: string
  readonly last?: string
}

/** Returns the period in the query parameters of a URL, or undefined if they hold none. */
export const periodIn = ({ from, last, to }: PeriodSearch): Period | undefined => {
  const rolling = rollingNames.find((name) => name === last)
  if (rolling !== undefined) return { last: rolling }
  if (from === undefined || to === undefined || !isTime(from) || !isTime(to)) return undefined
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return period.from < period.to ? period : undefined
}

export const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

export const isRolling = (period: Period): period is RollingPeriod => "last" in period

/** The query parameters `since` and `until` of a request for the entries of a period. */
interface Bounds {
  readonly since?: string
  readonly until?: string
}

/** Returns a period as the bounds of a request that is sent now. */
export const boundsOf = (period: Period | undefined): Bounds => {
  if (period === undefined) return {}
  if (!isRolling(period)) return { since: period.from, until: period.to }
  return { since: new Date(Date.now() - rollingPeriods[period.last].ms).toISOString() }
}

/** Returns a text that is the same for equal periods. */
export const periodKey = (period: Period | undefined): string =>
  period === undefined ? "" : isRolling(period) ? period.last : `${period.from}/${period.to}`

const parts = {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const

/** Periods shorter than this many milliseconds are shown with seconds, unless they begin and end at a whole minute. */
const secondsShownBelowMs = 10 * minuteMs

/**
 * Returns a period as text, such as "Last hour" or "Nov 22, 17:00 – 18:00". The text includes the year for a period of
 * another year, and seconds for a short period.
 */
export const periodText = (period: Period, zone: Zone): string => {
  if (isRolling(period)) return rollingPeriods[period.last].label
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const isThisYear = yearOf(from.getTime(), zone) === yearOf(Date.now(), zone)
  const isShort = to.getTime() - from.getTime() < secondsShownBelowMs
  const isWhole = from.getTime() % minuteMs === 0 && to.getTime() % minuteMs === 0
  const format = new Intl.DateTimeFormat("en", {
    ...parts,
    ...zoneOptions(zone),
    ...(isThisYear ? {} : { year: "numeric" }),
    ...(isShort && !isWhole ? { second: "2-digit" } : {}),
  })
  return format.formatRange(from, to)
}

const yearOf = (at: number, zone: Zone): string => wallTime(at, zone).slice(0, 4)
