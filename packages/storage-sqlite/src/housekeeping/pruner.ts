import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { isPastRetention, isPruned } from "@inlet/storage/erasurePlan"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { indexFacets } from "../log/facets.ts"
import { removeEntry } from "../log/removeEntry.ts"
import { runOf } from "../log/runs.ts"

/**
 * Removes entries past their retention. The log is nearly in the order of receipt, so pruning checks each entry only
 * once. An entry that is past its retention but not pruned is stored forever.
 */
export const pruner = (database: Database): ((budget: SweepBudget, now: EpochMillis) => void) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const next = database.prepare(
    "SELECT sequence, subject, kind, outcome, received FROM activity WHERE sequence > ? ORDER BY sequence LIMIT ?",
  )
  const remove = removeEntry(database)
  const reindex = indexFacets(database)

  return (budget, now) => {
    if (budget.isSpent) return
    const { indexedRuns, prunedTo } = counters()
    let seenTo = prunedTo
    for (const row of next.all(prunedTo, budget.rowsLeft)) {
      if (budget.isSpent || !isPastRetention(row, now)) break
      seenTo = integer(row["sequence"])
      budget.rowsLeft--
      if (!isPruned(row)) continue
      budget.rowsLeft -= remove(seenTo, integerOrNull(row["subject"] ?? null))
      budget.entries++
    }
    if (seenTo === prunedTo) return
    raise("prunedTo", seenTo)
    // Pruning has removed most entries of this run. Index the run again, so that its facets do not contain the removed
    // entries.
    const run = runOf(prunedTo)
    if (runOf(seenTo) !== run && run < indexedRuns) reindex(run)
  }
}
