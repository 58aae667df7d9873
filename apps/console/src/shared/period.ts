import { api } from "../../api/api.ts"
import { cursorAfter } from "./LiveFeed.ts"

/** A period of receipt times in ISO 8601. The end is not included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/**
 * Returns the cursor of the operations that were received before a time; or undefined if all operations were received
 * before it. Operations are numbered without gaps in the order of receipt, so a binary search finds the position.
 */
export const cursorBefore = async (
  w: string,
  time: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const newest = await api.activity.list(w, { limit: 1 }, signal)
  const [last] = newest.items
  if (last === undefined || last.received_at < time) return undefined
  let before = 0
  let after: number = last.sequence
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const { items } = await api.activity.list(w, { limit: 1, after: cursorAfter(middle + 1) }, signal)
    const [entry] = items
    if (entry === undefined || entry.received_at < time) before = middle
    else after = Math.min(middle, entry.sequence)
  }
  return cursorAfter(after)
}
