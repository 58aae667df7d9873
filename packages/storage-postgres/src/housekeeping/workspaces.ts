import { erasureMsMin, type ErasingWorkspace } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { countsTable, workspaceTables, type WorkspaceTable } from "@inlethq/storage/columns/workspaceTables"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { installation, type Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { expectLease, type Lease, type LeaseLost } from "../nodes/Leases.ts"
import { inBothForms, type FormedSql } from "../tables/rowForms.ts"
import { erasingFromRow, erasingSql } from "../tables/deletedWorkspaces.ts"

/**
 * The numbers of the last transactions in a workspace. They are erased with the mark, because a transaction whose
 * connection broke needs its number to find out whether it was committed.
 */
const writers: WorkspaceTable = { name: "writers", key: ["writer"] }

const eraseSql = (table: WorkspaceTable): FormedSql =>
  inBothForms((rows) => `DELETE FROM ${table.name} WHERE ${rows.first(table)}`)

/** The files of imports and exports, which only this store keeps in tables. */
const parts: ReadonlyArray<WorkspaceTable> = ["import_parts", "export_parts"].map((name) => ({
  name,
  key: ["job", "part"],
}))

const statements = [...workspaceTables, countsTable, ...parts].map(eraseSql)
const writersSql = eraseSql(writers)

/** Erases data of deleted workspaces, in one transaction for each, until the budget of the housekeeping step is spent. */
export const eraseWorkspaces = (
  database: Database["Service"],
  lease: Lease,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, StoreUnavailable | LeaseLost> =>
  Effect.gen(function* () {
    for (const row of yield* database.query("run housekeeping", erasingSql)) {
      if (budget.isSpent) return
      yield* eraseWorkspace(database, erasingFromRow(row), lease, now, budget)
    }
  })

/**
 * Erases data of a deleted workspace until the budget of the housekeeping step is spent. The mark of the workspace, its row in `heads`, goes last, and not before `erasureMsMin` has passed. The transaction does not belong
 * to the workspace, because it would then leave a number in `writers`.
 */
const eraseWorkspace = (
  database: Database["Service"],
  { deletedAt, workspace }: ErasingWorkspace,
  lease: Lease,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, StoreUnavailable | LeaseLost> =>
  database.write("run housekeeping", installation, (connection) =>
    Effect.gen(function* () {
      yield* expectLease(connection, lease)
      yield* eraseRows(connection, workspace, statements, budget)
      if (now < deletedAt + erasureMsMin) return
      yield* eraseRows(connection, workspace, [writersSql], budget)
      if (!budget.isSpent) yield* connection.execute("DELETE FROM heads WHERE workspace = $1", [workspace])
    }),
  )

const eraseRows = (
  connection: Connection,
  workspace: WorkspaceId,
  erasing: ReadonlyArray<FormedSql>,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const sql of erasing) {
      if (budget.isSpent) return
      budget.rowsLeft -= yield* connection.execute(sql[connection.rowForm], [workspace, budget.room])
    }
  })
