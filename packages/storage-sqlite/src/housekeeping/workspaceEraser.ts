import { erasureMsMin, type ErasingWorkspace } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { countsTable, workspaceTables, type WorkspaceTable } from "@inlethq/storage/columns/workspaceTables"
import type { Database } from "../engine/Database.ts"
import { readErasing } from "../engine/deletedWorkspaces.ts"
import { packedTables, rowIdRange } from "../engine/rowIds.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"

/** The tables that are derived from the log. */
const derivedTables: ReadonlyArray<WorkspaceTable> = [
  { name: "timeline", key: ["run", "subject", "sequence"] },
  { name: "facets", key: ["run", "facet", "value"] },
  countsTable,
]

/**
 * Erases the data of deleted workspaces, one after the other, within the budget of a housekeeping step. The mark of a
 * deleted workspace, its row in `heads`, goes last, and not before `erasureMsMin` has passed.
 */
export const workspaceEraser = (
  database: Database,
  cache: SubjectCache,
): ((budget: SweepBudget, now: EpochMillis) => void) => {
  const erasing = readErasing(database)
  const erasers = [...workspaceTables, ...derivedTables].map((table) => tableEraser(database, table))
  const forget = database.prepare("DELETE FROM heads WHERE workspace = ?")

  const erase = (budget: SweepBudget, { deletedAt, workspace }: ErasingWorkspace, now: EpochMillis): void => {
    for (const eraseSome of erasers) {
      if (budget.isSpent) return
      const erased = eraseSome(workspace, budget.room)
      if (erased === 0) continue
      cache.clear()
      budget.rowsLeft -= erased
      budget.hasErased = true
    }
    if (!budget.isSpent && now >= deletedAt + erasureMsMin) forget.run(workspace)
  }

  return (budget, now) => {
    for (const workspace of erasing()) erase(budget, workspace, now)
  }
}

/** Erases up to `rowsMax` rows of a workspace from one table. Returns the number of erased rows. */
type EraseSome = (workspace: WorkspaceId, rowsMax: number) => number

const tableEraser = (database: Database, { key, name }: WorkspaceTable): EraseSome => {
  if (packedTables.has(name)) {
    const statement = database.prepare(
      `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?)`,
    )
    return (workspace, rowsMax) =>
      Number(statement.run(...rowIdRange(workspace, 0, Infinity), rowsMax).changes)
  }
  const columns = ["workspace", ...key].join(", ")
  const statement = database.prepare(
    `DELETE FROM ${name} WHERE (${columns}) IN (SELECT ${columns} FROM ${name} WHERE workspace = ? ORDER BY ${columns} LIMIT ?)`,
  )
  return (workspace, rowsMax) => Number(statement.run(workspace, rowsMax).changes)
}
