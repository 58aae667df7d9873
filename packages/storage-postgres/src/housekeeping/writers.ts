import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { hourMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import { installation, type Database } from "../engine/Database.ts"
import { expectLease, type Lease, type LeaseLost } from "../nodes/Leases.ts"

/**
 * The pause between two searches for expired rows of `writers`. A search reads the whole table: an index over `at`
 * would make each commit update it.
 */
const intervalMs = hourMs

/**
 * A process needs the row of its writer only until it knows whether its transaction was committed, which takes seconds.
 * A row that is a day old usually belongs to a process that has ended.
 */
const pruneSql = `
  DELETE FROM writers WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM writers WHERE at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED
  ))
`

/** Returns a task of housekeeping that removes the rows of writers, of all workspaces, that are a day old. */
export const makePruneWriters = (database: Database["Service"]) => {
  let nextAt = 0
  return (
    lease: Lease,
    now: EpochMillis,
    budget: SweepBudget,
  ): Effect.Effect<void, StoreUnavailable | LeaseLost> =>
    Effect.gen(function* () {
      if (now < nextAt) return
      budget.rowsLeft -= yield* database.write("run housekeeping", installation, (connection) =>
        Effect.andThen(expectLease(connection, lease), connection.execute(pruneSql, [budget.room])),
      )
      if (!budget.isSpent) nextAt = now + intervalMs
    })
}
