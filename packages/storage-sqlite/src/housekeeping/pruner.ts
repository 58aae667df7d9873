import { heldSince } from "@inlet/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { outcomeCodes } from "@inlet/storage/codes"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { isPastHistory, isPruned, sqlHistorySince } from "@inlet/storage/erasurePlan"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import type { Database } from "../engine/Database.ts"
import { readHead, saveProgress } from "../engine/heads.ts"
import { rowIdRange, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"
import { indexFacets } from "../log/facets.ts"
import { removeEntry } from "../log/removeEntry.ts"
import { runOf } from "../log/runs.ts"
import { sqlUnreadByLake } from "./unreadByLake.ts"

const setting = (name: string): string =>
  `(SELECT json_extract(doc, '$.${name}') FROM workspaces WHERE id = ?1)`

/**
 * Removes entries of a workspace that are older than its history, except entries that are exempt (see
 * `isPruned`) or wait for the lake. Receipt times never decrease along the log, so the pruner checks each entry only once and stores the
 * position of the last checked entry. Exempt entries before this position can still be removed by other tasks of
 * housekeeping.
 */
export const pruner = (
  database: Database,
): ((budget: SweepBudget, workspace: WorkspaceId, now: EpochMillis) => void) => {
  const headOf = readHead(database)
  const save = saveProgress(database)
  const next = database.prepare(
    `SELECT ${sqlNumber("id")} AS sequence, subject, kind, outcome, received, outcome = ${outcomeCodes.rejected} AND EXISTS (
      SELECT 1 FROM rejected_calls WHERE workspace = ${sqlWorkspace("activity.id")} AND rejected_calls.sequence = ${sqlNumber("activity.id")}
    ) AS has_call FROM activity WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`,
  )
  const historySince = database.prepare(
    `SELECT ${sqlHistorySince("?2", setting("historyDays"), setting("retentionDays"))} AS since, ${sqlUnreadByLake} AS unread`,
  )
  const remove = removeEntry(database)
  const reindex = indexFacets(database)

  return (budget, workspace, now) => {
    if (budget.isSpent) return
    const { indexedRuns, nextSequence, prunedTo } = headOf(workspace)
    const found = historySince.get(workspace, now)
    const since = heldSince(integer(found?.["since"]), integerOrNull(found?.["unread"] ?? null))
    let seenTo = prunedTo
    for (const row of next.all(...rowIdRange(workspace, prunedTo + 1, nextSequence), budget.rowsLeft)) {
      if (budget.isSpent || !isPastHistory(row, since)) break
      const sequence = sequenceOf(integer(row["sequence"]))
      seenTo = sequence
      budget.rowsLeft--
      if (!isPruned(row)) continue
      const subject = integerOrNull(row["subject"] ?? null)
      budget.rowsLeft -= remove(workspace, sequence, subject === null ? null : subjectKey(subject))
      budget.entries++
    }
    if (seenTo === prunedTo) return
    save(workspace, { prunedTo: seenTo })
    // Pruning has passed the end of this run. Index the run again, so that its facets
    // (indexes by kind, outcome and name) do not contain the removed entries.
    const run = runOf(prunedTo)
    if (runOf(seenTo) !== run && run < indexedRuns) reindex(workspace, run)
  }
}
