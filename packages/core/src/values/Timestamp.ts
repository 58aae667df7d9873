/** Milliseconds since 1970-01-01 UTC. */
export type EpochMillis = number

/** The largest distance of an ECMAScript date from 1970, in milliseconds. */
const epochMillisMax = 8.64e15

/** The end of the year 2200, the last year that an operation can be dated (contract §8). */
export const timesEnd: EpochMillis = Date.UTC(2201, 0, 1)

/** The smallest numbers that are read as milliseconds, microseconds and nanoseconds. Smaller numbers are seconds. */
const unitsFrom = { milli: 1e11, micro: 1e14, nano: 1e17 } as const

/** The format that nearly all clients send. `Date.parse` accepts texts in this format as they are. */
const commonIso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/

const spelledDay = String.raw`(\d{4}-\d{2}-\d{2}|\d{8})`

const spelledClock = String.raw`(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}(?:\d{2}(?:[.,]\d{1,9})?)?)`

/** Go writes the name of a zone after its offset, which decides. */
const spelledZone = String.raw`([Zz]|UTC|utc|GMT|[+-]\d{2}(?::?\d{2})?(?: [A-Z]{3,5})?)`

const spelling = new RegExp(`^${spelledDay}(?:[Tt ]${spelledClock} ?${spelledZone}?)?$`)

/** The pattern of ISO 8601, for JSON schemas. It also matches days that no calendar has. */
export const isoTimePattern = spelling.source

const digits = /^0*(0|[1-9]\d*)(?:\.\d+)?$/

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/**
 * Reads a time, in the spellings that every protocol, every file and every setting accepts (contract §8): a number,
 * also as text, or ISO 8601. A number is in seconds, from 1e11 on in milliseconds, from 1e14 on in microseconds and from
 * 1e17 on in nanoseconds, and is rounded down. A text without a zone is UTC. Returns undefined for anything else, and for
 * a time outside the years 1970 to 2200.
 */
export const readTime = (value: unknown): EpochMillis | undefined => {
  const at = readTimeOfAnyYear(value)
  return at !== undefined && at >= 0 && at < timesEnd ? at : undefined
}

/** Reads a time as `readTime` does, but of any year. It is for values such as birthdays, which date no operation. */
export const readTimeOfAnyYear = (value: unknown): EpochMillis | undefined => {
  if (typeof value === "number") return fromNumber(value)
  if (typeof value !== "string") return undefined
  const [, whole] = digits.exec(value) ?? []
  return whole === undefined ? fromText(value) : fromDigits(whole)
}

/** Returns whether a value is a time in ISO 8601, which is the only spelling that Pipelines accepts in strict mode. */
export const isIsoTime = (value: unknown): boolean =>
  typeof value === "string" && !digits.test(value) && readTime(value) !== undefined

const fromNumber = (value: number): EpochMillis | undefined => {
  if (value < unitsFrom.milli) return inRange(Math.floor(value) * secondMs)
  if (value < unitsFrom.micro) return inRange(Math.floor(value))
  return inRange(Math.floor(value / (value < unitsFrom.nano ? 1e3 : 1e6)))
}

/** The number of digits up to which every integer is exact as a number. */
const exactDigitsMax = 15

/** Reads digits as `fromNumber` reads numbers. A double cannot hold nanoseconds, so the digits below a millisecond are cut. */
const fromDigits = (whole: string): EpochMillis | undefined => {
  if (whole.length <= exactDigitsMax) return fromNumber(Number(whole))
  return inRange(Number(whole.slice(0, whole.length > 17 ? -6 : -3)))
}

const fromText = (text: string): EpochMillis | undefined => {
  if (commonIso.test(text)) return isCalendarDay(text) ? inRange(Date.parse(text)) : undefined
  const match = spelling.exec(text)
  if (match === null) return undefined
  const [, day = "", clock = "", zone = ""] = match
  const date = day.length === 8 ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day
  const offset = offsetOf(zone)
  if (!isCalendarDay(date) || offset === undefined) return undefined
  const [whole = "", fraction = ""] = clock.replaceAll(":", "").split(/[.,]/)
  const time = whole.padEnd(6, "0")
  const millis = fraction.slice(0, 3).padEnd(3, "0")
  const utc = `${date}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${millis}Z`
  return inRange(Date.parse(utc) - offset)
}

/** Returns the distance of a zone from UTC in milliseconds, or undefined if no zone is as far away. */
const offsetOf = (zone: string): number | undefined => {
  if (!/^[+-]/.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(/^...:?(\d{2})/.exec(zone)?.[1] ?? 0)
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith("-") ? -1 : 1) * (hours * hourMs + minutes * minuteMs)
}

/**
 * Returns whether a time is before another time. If one of the two times is a whole second, only the seconds of both
 * are compared (contract §6).
 */
export const isBefore = (at: EpochMillis, other: EpochMillis): boolean => {
  const seconds = Math.floor(at / secondMs) - Math.floor(other / secondMs)
  if (seconds !== 0) return seconds < 0
  return at < other && at % secondMs !== 0 && other % secondMs !== 0
}

/**
 * Returns whether an update that is dated `at` is older than a value that is dated `setAt`. No value counts as set later
 * than the update was received, so a value with a time in the future never stands in the way of what comes after it
 * (contract §6).
 */
export const isStale = (at: EpochMillis, setAt: EpochMillis, receivedAt: EpochMillis): boolean =>
  isBefore(at, Math.min(setAt, receivedAt))

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
  // Adding 0 turns -0 into 0.
  Number.isFinite(millis) && Math.abs(millis) <= epochMillisMax ? millis + 0 : undefined
