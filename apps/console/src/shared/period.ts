/** A period of receipt times in ISO 8601. The end is not included. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const minuteMs = 60_000

/** The parameters of an address that can contain a period. */
interface PeriodSearch {
  readonly from?: string
  readonly to?: string
}

/** Returns the period of an address, or undefined if one of its times is missing or invalid. */
export const periodIn = ({ from, to }: PeriodSearch): Period | undefined =>
  from === undefined || to === undefined || !isTime(from) || !isTime(to) ? undefined : { from, to }

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

const day = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
const thisYear = new Intl.DateTimeFormat("en", day)
const anyYear = new Intl.DateTimeFormat("en", { ...day, year: "numeric" })

/** Returns a period in local time, such as "Nov 22, 17:00 – 18:00". A period of an earlier year also names the year. */
export const periodText = (period: Period): string => {
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const format = from.getFullYear() === new Date().getFullYear() ? thisYear : anyYear
  return format.formatRange(from, to)
}
