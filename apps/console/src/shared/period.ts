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

const range = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" })

/** Returns a period in local time, such as "Nov 22, 2026, 17:00 – 18:00". */
export const periodText = ({ from, to }: Period): string =>
  range.formatRange(Date.parse(from), Date.parse(to))
