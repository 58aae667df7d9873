/** How times are shown. */
export interface TimeStyle {
  /** True to show times in UTC instead of the local time zone. */
  readonly isUtc: boolean
  /** False for output to a pipe or a file, in which every time is in ISO 8601 with its offset. */
  readonly isForPeople: boolean
  /** The current time, in milliseconds since 1970. */
  readonly now: number
}

/** Formats a time from the API with its offset from UTC: for people as `2026-01-31 12:00:00 +01:00`. */
export const fullTime = (style: TimeStyle, iso: string): string => {
  const { clock, day, offset } = partsOf(style, new Date(iso))
  if (!style.isForPeople) return `${day}T${clock}${offset === "UTC" ? "Z" : offset}`
  return `${day} ${clock} ${offset}`
}

/**
 * Formats a time from the API without its offset, as `2026-01-31 12:00:00`, for a column whose heading names the zone. In
 * a pipe, there are no headings, and the result is that of `fullTime`.
 */
export const dateTime = (style: TimeStyle, iso: string): string =>
  style.isForPeople ? fullTime(style, iso).slice(0, "2026-01-31 12:00:00".length) : fullTime(style, iso)

/** Formats a time from the API as `dateTime` does, but for people without seconds, as `2026-01-31 12:00`. */
export const minute = (style: TimeStyle, iso: string): string =>
  style.isForPeople ? dateTime(style, iso).slice(0, -":00".length) : fullTime(style, iso)

/**
 * Formats a time from the API as a time of day, such as `12:00:00`. A time of another day also has its date. In a pipe, the result is
 * that of `fullTime`.
 */
export const timeOfDay = (style: TimeStyle, iso: string): string => {
  if (!style.isForPeople) return fullTime(style, iso)
  const { clock, day } = partsOf(style, new Date(iso))
  return day === partsOf(style, new Date(style.now)).day ? clock : `${day} ${clock}`
}

/** Returns the name of the time zone in which times are shown, such as `UTC` or `Europe/Berlin`. */
export const zoneName = ({ isUtc }: TimeStyle): string =>
  isUtc ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone

const minuteMs = 60_000

const partsOf = ({ isUtc }: TimeStyle, at: Date) => {
  const minutes = isUtc ? 0 : -at.getTimezoneOffset()
  const shifted = new Date(at.getTime() + minutes * minuteMs).toISOString()
  const size = Math.abs(minutes)
  const offset = `${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
  return { day: shifted.slice(0, 10), clock: shifted.slice(11, 19), offset: minutes === 0 ? "UTC" : offset }
}

const twoDigits = (n: number): string => String(n).padStart(2, "0")
