import { counted } from "../../shared/values/figures.ts"

/** The days until the disk is full below which something is wrong now, and those below which there is time to act. */
export const daysMin = 7
export const daysLow = 30

/** Beyond ten years, the rate of a few hours says nothing any more. */
const daysMax = 3650

/** The days until a disk is full as words. */
export const daysText = (days: number): string => {
  if (days > daysMax) return "more than ten years"
  return days < 1 ? "less than a day" : counted(Math.floor(days), "day", "days")
}
