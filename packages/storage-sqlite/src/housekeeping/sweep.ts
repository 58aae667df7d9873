import type { Digest } from "@inlethq/core/ports/Digest"
import type { Swept } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { eraseSubjects } from "@inlethq/storage/erasing/subjects"
import { removeVisitors } from "@inlethq/storage/erasing/visitors"
import { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { erasureQueries } from "./erasureQueries.ts"
import { logKeeper } from "./logKeeper.ts"
import { scrubber } from "./scrubber.ts"
import { workspaceEraser } from "./workspaceEraser.ts"

/** The settings of housekeeping. `SqliteStoreOptions` describes them. */
export interface SweepOptions {
  readonly sweepRowsMax?: number | undefined
  readonly scrub?: boolean | undefined
}

/**
 * Returns a function that runs one bounded step of housekeeping. Each step is one transaction that also stores the
 * progress, so another process can run the next step. Each step begins with another task, so that a task with much work
 * does not stop the other tasks.
 */
export const sweepStep = (
  database: Database,
  cache: SubjectCache,
  digest: Digest["Service"],
  { scrub: isScrubbing = true, sweepRowsMax }: SweepOptions,
): ((now: EpochMillis) => Swept) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const queries = erasureQueries(database, cache)
  const keepLogs = logKeeper(database, queries)
  const eraseWorkspaces = workspaceEraser(database, cache)
  const scrub = isScrubbing ? scrubber(database) : () => true

  let hasIndexed = false
  const tasks: ReadonlyArray<(budget: SweepBudget, now: EpochMillis) => void> = [
    (budget) => Effect.runSync(eraseSubjects(queries, digest, budget)),
    (budget, now) => Effect.runSync(removeVisitors(queries, now, budget)),
    (budget, now) => {
      hasIndexed = keepLogs(budget, now)
    },
    eraseWorkspaces,
  ]
  let first = 0

  return (now) => {
    const budget = new SweepBudget(sweepRowsMax)
    hasIndexed = false
    database.write(() => {
      for (const task of [...tasks.slice(first), ...tasks.slice(0, first)]) task(budget, now)
      if (budget.hasErased) raise("erasures", counters().erasures + 1)
    })
    first = (first + 1) % tasks.length
    return { entries: budget.entries, done: !budget.isSpent && !hasIndexed && scrub(now) }
  }
}
