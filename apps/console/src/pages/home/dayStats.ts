import type { StatsDocument } from "@inlethq/contract/activity/Stats"
import { countsByGroup, outcomeGroups } from "../live/outcomeGroups.ts"

const hourMs = 3_600_000

/** The hours of a day. */
const dayHours = 24

/** Returns the parameters of a request for the counts of the last two days by hour, so that the last hour ends now. */
export const dayStatsSteps = (now: number) => ({
  from: new Date(now - 2 * dayHours * hourMs).toISOString(),
  to: new Date(now).toISOString(),
  step: hourMs / 1000,
})

/** The operations of a part of the time, and those of them that were refused wholly or in part. */
export interface Share {
  readonly total: number
  readonly faulty: number
}

/** The last 24 hours beside the 24 hours before. */
export interface DayStats {
  readonly groups: ReadonlyArray<{ readonly name: string; readonly now: number; readonly before: number }>
  readonly now: Share
  /** Undefined if there are more operations than were counted. */
  readonly before: Share | undefined
  readonly lastHour: Share
  /** From when on operations were counted, if not from the beginning of the last 24 hours. */
  readonly countedFrom: string | undefined
}

/** Compares the last 24 of 48 hours with the others. */
export const dayStatsOf = (stats: StatsDocument): DayStats => {
  const counts = countsByGroup(stats)
  const groups = outcomeGroups.map(({ isProblem, name }, index) => {
    const hours = counts[index] ?? []
    return {
      name,
      isProblem,
      now: sum(hours.slice(-dayHours)),
      before: sum(hours.slice(0, -dayHours)),
      lastHour: hours.at(-1) ?? 0,
    }
  })
  const shareOf = (part: "now" | "before" | "lastHour"): Share => ({
    total: sum(groups.map((group) => group[part])),
    faulty: sum(groups.filter(({ isProblem }) => isProblem).map((group) => group[part])),
  })
  const yesterday = stats.steps.at(-dayHours)?.at ?? stats.from
  return {
    groups: groups.map(({ before, name, now }) => ({ before, name, now })),
    now: shareOf("now"),
    before: stats.counted_from > stats.from ? undefined : shareOf("before"),
    lastHour: shareOf("lastHour"),
    countedFrom: stats.counted_from > yesterday ? stats.counted_from : undefined,
  }
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((all, value) => all + value, 0)

/** Returns how much a count changed, such as "+12 %", "3 times" or "none before". */
export const changeText = (now: number, before: number): string => {
  if (now === before) return "same"
  if (before === 0) return "none before"
  const factor = now / before
  if (factor >= 3) return `${Math.round(factor)} times`
  const percent = Math.round((factor - 1) * 100)
  return percent === 0 ? "about the same" : `${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`
}
