/** A period of receipt times in ISO 8601. The end is not included. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs

/** The period in the query parameters `from` and `to` of a URL. */
interface PeriodSearch {
  readonly from?: string
  readonly to?: string
}

/** Returns the period in the query parameters of a URL, or undefined if one of its times is missing or invalid. */
export const periodIn = ({ from, to }: PeriodSearch): Period | undefined =>
  from === undefined || to === undefined || !isTime(from) || !isTime(to) ? undefined : { from, to }

export const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

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
 * Returns a period in local time, such as "Nov 22, 17:00 – 18:00". The text includes the year for a period of another
 * year, and seconds for a short period.
 */
export const periodText = (period: Period): string => {
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const isThisYear = from.getFullYear() === new Date().getFullYear()
  const isShort = to.getTime() - from.getTime() < secondsShownBelowMs
  const isWhole = from.getTime() % minuteMs === 0 && to.getTime() % minuteMs === 0
  const format = new Intl.DateTimeFormat("en", {
    ...parts,
    ...(isThisYear ? {} : { year: "numeric" }),
    ...(isShort && !isWhole ? { second: "2-digit" } : {}),
  })
  return format.formatRange(from, to)
}
