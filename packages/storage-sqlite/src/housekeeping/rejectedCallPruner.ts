import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { sequenceIn } from "@inlet/storage/entryRows"
import { sqlCallsKeptSince } from "@inlet/storage/rejectedCallRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { callForgetter } from "../log/callForgetter.ts"
import { removeEntry } from "../log/removeEntry.ts"
import { excerptEraser } from "../webhooks/excerptEraser.ts"

const keptSince = sqlCallsKeptSince(
  "?2",
  "(SELECT json_extract(doc, '$.rejectedDays') FROM workspaces WHERE id = ?1)",
  "(SELECT json_extract(doc, '$.retentionDays') FROM workspaces WHERE id = ?1)",
)

/**
 * Deletes what is kept of rejected calls after the days that their workspace keeps them, and what erased ones have left.
 * Deletes their entries too, if pruning has passed them.
 */
export const rejectedCallPruner = (
  database: Database,
): ((budget: SweepBudget, workspace: WorkspaceId, now: EpochMillis) => void) => {
  const headOf = readHead(database)
  const due = database.prepare(
    `SELECT sequence FROM rejected_calls WHERE workspace = ?1 AND received < ${keptSince} ORDER BY received LIMIT ?3`,
  )
  const remove = database.prepare("DELETE FROM rejected_calls WHERE workspace = ? AND sequence = ?")
  const removeEntryOf = removeEntry(database)
  const forget = callForgetter(database)
  const eraseExcerpts = excerptEraser(database)
  return (budget, workspace, now) => {
    if (budget.isSpent) return
    const rows = due.all(workspace, now, budget.room)
    if (rows.length === 0) return
    const { prunedTo } = headOf(workspace)
    budget.hasErased = true
    for (const row of rows) {
      const sequence = sequenceIn(row)
      remove.run(workspace, sequence)
      budget.rowsLeft -= 2 + eraseExcerpts(workspace, sequence)
      if (sequence > prunedTo) forget(workspace, sequence)
      else {
        removeEntryOf(workspace, sequence, null)
        budget.entries++
      }
      if (budget.isSpent) return
    }
  }
}
