import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { count } from "../../shared/values/figures.ts"

const hourMs = 3_600_000

/** The hours that a picture shows. */
export const hoursShown = 24

/** A destination that was further behind than this many seconds is drawn as late. */
export const lateSeconds = 60

/** One hour of a picture. Null if no node measured it. */
export type HourBar = { readonly entries: number; readonly isLate: boolean } | null

/** Returns the bars of the last day, oldest first. The last one is the hour of `now`. */
export const hourBars = (hours: DestinationDocument["hours"], now: number): ReadonlyArray<HourBar> => {
  const last = Math.floor(now / hourMs)
  const bars = Array.from({ length: hoursShown }, (): HourBar => null)
  for (const { at, entries, lag_seconds } of hours) {
    const index = hoursShown - 1 - (last - Math.floor(Date.parse(at) / hourMs))
    if (index >= 0 && index < hoursShown) bars[index] = { entries, isLate: lag_seconds > lateSeconds }
  }
  return bars
}

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const

/** Returns how long something waits, such as "5 min". */
export const waitText = (seconds: number): string => {
  for (const [unit, name] of units) if (seconds >= unit) return `${count(Math.floor(seconds / unit))} ${name}`
  return `${count(Math.ceil(seconds))} s`
}

/** Says in words what the picture of the last day shows. */
export const dayText = (hours: DestinationDocument["hours"]): string => {
  if (hours.length === 0) return "not measured in the last day"
  const entries = hours.reduce((sum, hour) => sum + hour.entries, 0)
  const worst = Math.max(...hours.map(({ lag_seconds }) => lag_seconds))
  const passed = `${count(entries)} ${entries === 1 ? "entry" : "entries"}`
  return worst === 0 ? `${passed}, never behind` : `${passed}, at most ${waitText(worst)} behind`
}
