import type { BelievedTime } from "@inlethq/core/ports/KnownTime"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"

/** The largest jump of the clock ahead that is not doubted. */
export const clockJumpMsMax = dayMs

/** The time for which a clock that jumped ahead is doubted, while the server runs. */
export const clockDoubtedMsMax = dayMs

/** What the log says about the clock. */
export type ClockEvent = "jumped" | "believed" | "right again"

export interface Belief {
  readonly time: BelievedTime
  readonly event: ClockEvent | null
}

/**
 * Returns the time that is believed when the clock shows `now`, `elapsedMs` after the time `known`. While a jump ahead is doubted,
 * time goes on from before it. A step back is believed at once, because nothing is deleted for it.
 */
export const believeClock = (known: BelievedTime | null, now: EpochMillis, elapsedMs: number): Belief => {
  if (known === null) return { time: { at: now, doubtedMs: 0 }, event: null }
  const wasDoubted = known.doubtedMs > 0
  if (now - known.at - elapsedMs <= clockJumpMsMax)
    return { time: { at: now, doubtedMs: 0 }, event: wasDoubted ? "right again" : null }
  const doubtedMs = known.doubtedMs + Math.max(1, elapsedMs)
  return doubtedMs >= clockDoubtedMsMax
    ? { time: { at: now, doubtedMs: 0 }, event: "believed" }
    : { time: { at: known.at + elapsedMs, doubtedMs }, event: wasDoubted ? null : "jumped" }
}
