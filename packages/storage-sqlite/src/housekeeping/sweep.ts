import type { Digest } from "@inlet/core/ports/Digest"
import type { Swept } from "@inlet/core/ports/Store"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { SweepBudget } from "@inlet/storage/sweepBudget"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { indexNextRun } from "../log/timeline.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { eraser } from "./eraser.ts"
import { pruner } from "./pruner.ts"
import { scrubber } from "./scrubber.ts"
import { visitorRemover } from "./visitorRemover.ts"

/** The settings of housekeeping. `SqliteStoreOptions` describes them. */
export interface SweepOptions {
  readonly sweepRowsMax?: number | undefined
  readonly scrub?: boolean | undefined
}

/**
 * Returns a function that runs one bounded step of housekeeping. Each step is a transaction that also stores the
 * progress, so another process can run the next step.
 */
export const sweepStep = (
  database: Database,
  cache: SubjectCache,
  digest: Digest["Service"],
  { scrub: isScrubbing = true, sweepRowsMax }: SweepOptions,
): ((now: EpochMillis) => Swept) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const erase = eraser(database, cache, digest)
  const removeVisitors = visitorRemover(database, cache)
  const prune = pruner(database)
  const indexNext = indexNextRun(database)
  const scrub = isScrubbing ? scrubber(database) : () => true

  return (now) => {
    const budget = new SweepBudget(sweepRowsMax)
    const hasIndexed = database.write(() => {
      erase(budget)
      removeVisitors(budget, now)
      prune(budget, now)
      if (budget.hasErased) raise("erasures", counters().erasures + 1)
      return indexNext()
    })
    return { entries: budget.entries, done: !budget.isSpent && !hasIndexed && scrub(now) }
  }
}
