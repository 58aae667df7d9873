import { Context, Effect } from "effect"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The time up to which the clock is believed, and how long the server has run since it jumped ahead of that. */
export interface BelievedTime {
  readonly at: EpochMillis
  /** The milliseconds for which the server has run with a clock that jumped ahead, or 0 if it has not. */
  readonly doubtedMs: number
}

/** Remembers the time across restarts. */
export interface TimeMemory {
  /** Null if the store has never seen a time. */
  readonly read: Effect.Effect<BelievedTime | null, StoreUnavailable>
  save(time: BelievedTime): Effect.Effect<void, StoreUnavailable>
}

/** A store that keeps its data in memory remembers no time either. */
export const KnownTime = Context.Reference<TimeMemory>("@inlethq/core/ports/KnownTime", {
  defaultValue: () => ({ read: Effect.succeed(null), save: () => Effect.void }),
})
