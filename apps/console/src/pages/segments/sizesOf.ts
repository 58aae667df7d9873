import type { BacktestDocument } from "../../api/documents.ts"

/** One day of a segment. */
export interface DayOfSegment {
  readonly day: string
  readonly entered: number
  readonly left: number
  /** The number of people at the end of the day. */
  readonly size: number
}

/** Returns how many people a segment had at the end of each day, counted back from its size now. */
export const sizesOf = (days: BacktestDocument["days"], sizeNow: number): ReadonlyArray<DayOfSegment> => {
  let size = sizeNow
  return days
    .toReversed()
    .map((day) => {
      const shown = { ...day, size: Math.max(0, size) }
      size += day.left - day.entered
      return shown
    })
    .toReversed()
}
