import type { StorageDocument } from "@inlethq/contract/server/Server"
import { sizeText } from "../output/text.ts"
import { failed, ok, warning, type Check } from "./Check.ts"

/** The days below which a disk is nearly full, and those below which there is time to do something about it. */
const daysMin = 7
const daysLow = 30

const advice =
  "Set a retention with `inlet workspaces update 1 --retention-days 365`, or enlarge the disk. When it is full, calls are answered with 503."

/** Says how fast the store grows, and in how many days its disk is full. Returns nothing for a store in memory. */
export const checkStorage = ({
  bytes,
  bytes_per_day: perDay,
  days_left: days,
  free_bytes: free,
  measured_seconds: seconds,
}: StorageDocument): ReadonlyArray<Check> => {
  if (bytes === null) return []
  if (perDay === null)
    return [ok("growth", `${sizeText(bytes)}; the server runs too short to say how fast it grows`)]
  if (perDay <= 0) return [ok("growth", `${sizeText(bytes)}, and it does not grow`)]
  const found = `${sizeText(bytes)}, and ${sizeText(perDay)} more a day, by the last ${spanText(seconds)}`
  if (days === null) {
    return [
      ok("growth", free === null ? `${found}; PostgreSQL does not tell how much space is free there` : found),
    ]
  }
  const full = `${found}; the disk is full in ${daysText(days)}`
  if (days < daysMin) return [failed("growth", full, advice)]
  return [days < daysLow ? warning("growth", full, advice) : ok("growth", full)]
}

/** Beyond ten years, the rate of a few hours says nothing any more. */
const daysMax = 3650

const daysText = (days: number): string => {
  if (days > daysMax) return "more than ten years"
  if (days < 1) return "less than a day"
  const whole = Math.floor(days)
  return whole === 1 ? "1 day" : `${whole} days`
}

const spanText = (seconds: number): string =>
  seconds < 2 * 3600 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
