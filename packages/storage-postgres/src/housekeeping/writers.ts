import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { hourMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { integer } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import { installation, type Database } from "../engine/Database.ts"
import { expectLease, type Lease, type LeaseLost } from "../nodes/Leases.ts"

/**
 * The pause between two searches for expired rows of `writers`. A search reads the whole table: an index over `at`
 * would make each commit update it.
 */
const intervalMs = hourMs

/** The largest number of workspaces whose writers one step removes. */
const ownersMax = 50

/**
 * A process needs the row of its writer only until it knows whether its transaction was committed, which takes seconds.
 * A row that is a day old usually belongs to a process that has ended.
 */
const isOld = "at < now() - interval '1 day'"

const ownersSql = `SELECT DISTINCT workspace FROM writers WHERE ${isOld} ORDER BY workspace LIMIT ${ownersMax}`

/** A row that is locked is in use again. */
const pruneSql = `
  WITH old AS MATERIALIZED (
    SELECT writer FROM writers WHERE workspace = $1 AND ${isOld} ORDER BY writer LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM writers WHERE workspace = $1 AND writer = ANY (ARRAY(SELECT writer FROM old))`

/** Returns a task of housekeeping that removes the rows of writers that are a day old, a workspace at a time. */
export const makePruneWriters = (database: Database["Service"]) => {
  let nextAt = 0
  return (
    lease: Lease,
    now: EpochMillis,
    budget: SweepBudget,
  ): Effect.Effect<void, StoreUnavailable | LeaseLost> =>
    Effect.gen(function* () {
      if (now < nextAt) return
      const owners = yield* database.query("run housekeeping", ownersSql)
      for (const row of owners) {
        if (budget.isSpent) return
        budget.rowsLeft -= yield* database.write("run housekeeping", installation, (connection) =>
          Effect.andThen(
            expectLease(connection, lease),
            connection.execute(pruneSql, [integer(row["workspace"]), budget.room]),
          ),
        )
      }
      if (!budget.isSpent && owners.length < ownersMax) nextAt = now + intervalMs
    })
}
