import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { dayMs, type EpochMillis } from "@inlet/core/values/Timestamp"
import { rejectedDaysDefault } from "@inlet/core/workspace/Workspace"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"

/**
 * Deletes what is kept of rejected calls after `rejectedDays` of their workspace. All rows of a workspace together are
 * small, so one statement deletes all that are due.
 */
export const rejectedCallPruner = (
  database: Database,
): ((budget: SweepBudget, workspace: WorkspaceId, now: EpochMillis) => void) => {
  const prune = database.prepare(`
    DELETE FROM rejected_calls WHERE workspace = ? AND received < ? - ${dayMs} * coalesce(
      (SELECT json_extract(doc, '$.rejectedDays') FROM workspaces WHERE id = ?), ${rejectedDaysDefault}
    )`)
  return (budget, workspace, now) => {
    const { changes } = prune.run(workspace, now, workspace)
    budget.rowsLeft -= Number(changes)
    if (changes !== 0) budget.hasErased = true
  }
}
