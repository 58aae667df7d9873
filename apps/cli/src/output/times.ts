/** Formats a time from the API in the local time zone, as `2026-01-31 12:00:00`. */
export const localTime = (iso: string): string => {
  const at = new Date(iso)
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join("-")
  return `${day} ${localClock(iso)}`
}

/** Formats a time from the API in the local time zone without seconds, as `2026-01-31 12:00`. */
export const localMinute = (iso: string): string => localTime(iso).slice(0, -3)

/** Formats a time from the API as a time of day in the local time zone, such as `12:00:00`. */
export const localClock = (iso: string): string => {
  const at = new Date(iso)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":")
}

const twoDigits = (n: number): string => String(n).padStart(2, "0")
