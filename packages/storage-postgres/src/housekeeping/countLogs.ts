import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { expectLease, type Lease, type LeaseLost } from "../nodes/Leases.ts"
import { blockEntries, countBlocksSql } from "../log/blocks.ts"

/** The largest number of blocks that one step counts, which takes about 6 ms of the server's CPU. */
const blocksPerStep = 16

/** Counting this many entries costs about as much as reading one row for erasing. */
const entriesPerRow = 64

const nextSql = `
  SELECT workspace, counted_to, next_sequence FROM heads
  WHERE deleted_at IS NULL AND next_sequence - counted_to >= ${blockEntries}
  ORDER BY workspace <= $1, workspace LIMIT 1`

/**
 * Returns a task of housekeeping that counts the next complete blocks of one workspace after the other. It returns whether
 * it has counted any. The transaction locks the row of the workspace in `heads` only at its end, so commits go on. It
 * counts what was committed before, and only housekeeping, on the node with the lease, removes entries.
 */
export const makeCountLogs = (database: Database["Service"]) => {
  let last = 0
  return (lease: Lease, budget: SweepBudget): Effect.Effect<boolean, StoreUnavailable | LeaseLost> =>
    Effect.gen(function* () {
      const [row] = yield* database.query("run housekeeping", nextSql, [last])
      if (row === undefined) return false
      const workspace = workspaceId(integer(row["workspace"]))
      const first = integer(row["counted_to"])
      const complete = Math.floor((integer(row["next_sequence"]) - first) / blockEntries)
      const wanted = Math.ceil((budget.room * entriesPerRow) / blockEntries)
      const end = first + Math.min(complete, wanted, blocksPerStep) * blockEntries
      last = workspace
      budget.rowsLeft -= Math.ceil((end - first) / entriesPerRow)
      yield* database.write("run housekeeping", workspace, (connection) =>
        Effect.gen(function* () {
          yield* expectLease(connection, lease)
          yield* connection.execute(countBlocksSql, [workspace, first, end])
          yield* connection.executeWithNext("UPDATE heads SET counted_to = $2 WHERE workspace = $1", [
            workspace,
            end,
          ])
        }),
      )
      return true
    })
}
