/** Milliseconds since 1970-01-01 UTC. */
export type EpochMillis = number

/** The largest distance of an ECMAScript date from 1970, in milliseconds. */
export const epochMillisMax = 8.64e15

/** Numbers of at least this size are milliseconds, and smaller numbers are seconds (contract §16). */
const secondsReadAsMillisFrom = 1e11

const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** The format that nearly all clients send. `Date.parse` accepts texts in this format as they are. */
const commonIso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/

const digits = /^\d+(\.\d+)?$/

/** Patterns of the texts that are read as times, for JSON schemas. They also match days that no calendar has. */
export const timePatterns = { iso: iso.source, digits: digits.source } as const

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * Reads a time of the Track API: an ISO 8601 text, a number, or a number as text. Numbers are rounded down to integers.
 * Integers of at least 1e11 are Unix milliseconds, and smaller integers are Unix seconds (contract §8, §16). Returns
 * undefined for anything else.
 */
export const fromTrack = (value: unknown): EpochMillis | undefined => {
  if (typeof value === "number") return fromNumber(Math.floor(value))
  if (typeof value !== "string") return undefined
  return digits.test(value) ? fromNumber(Math.floor(Number(value))) : fromIso(value)
}

/**
 * Reads ISO 8601: a date alone, or a date and a time with minutes, seconds or fractions of a second. A time without a
 * zone is UTC. Returns undefined for anything else.
 */
export const fromIso = (value: unknown): EpochMillis | undefined => {
  if (typeof value !== "string") return undefined
  if (commonIso.test(value)) return isCalendarDay(value) ? inRange(Date.parse(value)) : undefined
  const match = iso.exec(value)
  if (match === null || !isCalendarDay(value)) return undefined
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = match
  const millis = fraction.slice(0, 3).padEnd(3, "0")
  return inRange(Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.${millis}${isoZone(zone)}`))
}

/** Reads a time of the Pipelines API in default mode: ISO 8601, seconds or milliseconds (contract §13). */
export const fromPipelines = (value: unknown): EpochMillis | undefined => {
  if (typeof value !== "number") return fromIso(value)
  return fromNumber(value)
}

/** Reads Unix seconds, or milliseconds if the number is at least 1e11. Fractions of a millisecond are cut off. */
const fromNumber = (value: number): EpochMillis | undefined =>
  inRange(Math.floor(value >= secondsReadAsMillisFrom ? value : value * secondMs))

/**
 * Returns whether a time is before another time. If one of the two times is a whole second, only the seconds of both
 * are compared (contract §16).
 */
export const isBefore = (at: EpochMillis, other: EpochMillis): boolean => {
  const seconds = Math.floor(at / secondMs) - Math.floor(other / secondMs)
  if (seconds !== 0) return seconds < 0
  return at < other && at % secondMs !== 0 && other % secondMs !== 0
}

/** Formats a time as ISO 8601 in UTC with milliseconds. */
export const toIso = (at: EpochMillis): string => new Date(at).toISOString()

/** Returns whether the date at the start of a text exists. `Date.parse` accepts February 31 and returns a day in March. */
const isCalendarDay = (text: string): boolean => {
  const day = Number(text.slice(8, 10))
  if (day <= 28) return day > 0
  const month = Number(text.slice(5, 7))
  return day <= new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate()
}

const inRange = (millis: number): EpochMillis | undefined =>
  Number.isFinite(millis) && Math.abs(millis) <= epochMillisMax ? millis : undefined

const isoZone = (zone: string): string => {
  if (zone === "Z" || zone === "z") return "Z"
  if (zone.includes(":")) return zone
  return `${zone.slice(0, 3)}:${zone.slice(3) || "00"}`
}
