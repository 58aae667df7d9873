const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Counts by hour of the last days, and by day of a longer time. */
export interface TrendCounts {
  readonly hours: ReadonlyArray<{ readonly at: string; readonly count: number }>
  readonly days: ReadonlyArray<{ readonly day: string; readonly count: number }>
}

/** The bars of a trend, oldest first, and how long each of them is. */
export interface TrendBars {
  readonly stepMs: number
  readonly counts: ReadonlyArray<number>
}

/** Returns the trend of a period: by hour up to a day, by six hours up to a week, otherwise by day. It shows at least a day. */
export const trendOf = ({ days, hours }: TrendCounts, since: number, until: number): TrendBars => {
  const spanMs = Math.max(until - since, dayMs)
  if (spanMs > 7 * dayMs) return trendOfDays(days, Math.ceil(spanMs / dayMs), until)
  const stepMs = spanMs > dayMs ? 6 * hourMs : hourMs
  const points = hours.map(({ at, count }) => ({ at: Date.parse(at), count }))
  return bars(points, Math.ceil(spanMs / stepMs), stepMs, Math.ceil(until / hourMs) * hourMs)
}

/** Returns the counts of so many days, in UTC, of which the last has the time `until`. */
export const trendOfDays = (days: TrendCounts["days"], dayCount: number, until: number): TrendBars => {
  const points = days.map(({ count, day }) => ({ at: Date.parse(day), count }))
  return bars(points, dayCount, dayMs, Math.ceil(until / dayMs) * dayMs)
}

const bars = (
  points: ReadonlyArray<{ readonly at: number; readonly count: number }>,
  length: number,
  stepMs: number,
  end: number,
): TrendBars => {
  const counts = Array.from({ length }, () => 0)
  for (const { at, count } of points) {
    const index = length - Math.ceil((end - at) / stepMs)
    if (index >= 0 && index < length) counts[index] = (counts[index] ?? 0) + count
  }
  return { stepMs, counts }
}

/** Returns how long a bar is, such as "hour". */
export const stepText = (stepMs: number): string =>
  stepMs === hourMs ? "hour" : stepMs === dayMs ? "day" : `${stepMs / hourMs} hours`
