import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readWorkspacesAfter } from "../engine/heads.ts"
import { indexNextRun } from "../log/timeline.ts"
import { pruner } from "./pruner.ts"

/** Workspaces that one step looks at. Looking at one that has nothing to do takes some ten microseconds. */
export const workspacesPerStep = 64

/**
 * Returns a function that prunes and indexes the logs of some workspaces, within a budget. Each call begins after the last
 * workspace of the call before, so that all have their turn. Returns true if it indexed a run, which only one workspace may do
 * in a call.
 */
export const logKeeper = (database: Database): ((budget: SweepBudget, now: EpochMillis) => boolean) => {
  const workspacesAfter = readWorkspacesAfter(database)
  const prune = pruner(database)
  const indexNext = indexNextRun(database)
  let last = 0

  /** Returns the next workspaces in the circle of all. */
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
      prune(budget, workspace, now)
      if (indexNext(workspace)) return true
    }
    return false
  }
}
