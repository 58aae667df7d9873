import { useSyncExternalStore } from "react"

/** The time zone in which the console shows and reads times: that of the browser, or UTC. */
export type Zone = "local" | "utc"

const storageKey = "inlet.zone"

const minuteMs = 60_000

let chosen: Zone | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const currentZone = (): Zone => (chosen ??= localStorage.getItem(storageKey) === "utc" ? "utc" : "local")

/** Returns the zone of all times of the console. */
export const useZone = (): Zone => useSyncExternalStore(subscribe, currentZone)

/** Shows all times in the other zone. The browser remembers the choice. */
export const switchZone = (): void => {
  chosen = currentZone() === "utc" ? "local" : "utc"
  localStorage.setItem(storageKey, chosen)
  for (const listener of listeners) listener()
}

const offsetMinutes = (at: number, inZone: Zone): number =>
  inZone === "utc" ? 0 : -new Date(at).getTimezoneOffset()

/** Returns the name of a zone at a time, such as "UTC", "UTC+1" or "UTC−3:30". */
export const zoneName = (at: number, inZone: Zone): string => {
  const offset = offsetMinutes(at, inZone)
  if (offset === 0) return "UTC"
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `UTC${offset < 0 ? "−" : "+"}${hours}${minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`}`
}

/** Returns the date and the time of day in a zone, such as "2026-11-22T17:03:11.123". */
export const wallTime = (at: number, inZone: Zone): string =>
  new Date(at + offsetMinutes(at, inZone) * minuteMs).toISOString().slice(0, 23)

/** Returns the time, in ISO 8601, that an operator typed as a date and a time of day. */
export const timeTyped = (text: string, inZone: Zone): string =>
  new Date(inZone === "utc" ? `${text}Z` : text).toISOString()

/** Returns the options with which `Intl` writes times in a zone. */
export const zoneOptions = (inZone: Zone): Intl.DateTimeFormatOptions =>
  inZone === "utc" ? { timeZone: "UTC" } : {}
