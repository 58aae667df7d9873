import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ErasureQueries } from "@inlethq/storage/erasing/ErasureQueries"
import { logTasks } from "@inlethq/storage/erasing/log"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { readWorkspacesAfter } from "../engine/heads.ts"
import { indexNextRun } from "../log/timeline.ts"

/**
 * The largest number of workspaces that one step of housekeeping examines. Examining a workspace without work takes
 * about ten microseconds.
 */
export const workspacesPerStep = 64

/**
 * Returns a function that removes old entries from the logs of some workspaces and indexes the logs, within the budget of a
 * housekeeping step. Each call continues after the last workspace of the previous call, so that every workspace has its turn.
 * Returns true if the call indexed a run. One call indexes at most one run.
 */
export const logKeeper = (
  database: Database,
  queries: ErasureQueries<never>,
): ((budget: SweepBudget, now: EpochMillis) => boolean) => {
  const workspacesAfter = readWorkspacesAfter(database)
  const indexNext = indexNextRun(database)
  let last = 0

  /**
   * Returns the ids of up to `workspacesPerStep` workspaces in ascending order, beginning after `last`. After the
   * largest id, continues with the smallest id.
   */
  const inTurn = (): ReadonlyArray<WorkspaceId> => {
    const later = workspacesAfter(last, workspacesPerStep)
    const again = workspacesAfter(0, workspacesPerStep - later.length).filter(
      (workspace) => workspace <= last,
    )
    return [...later, ...again]
  }

  return (budget, now) => {
    for (const workspace of inTurn()) {
      if (budget.isSpent) return false
      last = workspace
      for (const task of logTasks({ queries, workspace, now, budget })) Effect.runSync(task)
      if (indexNext(workspace)) return true
    }
    return false
  }
}
