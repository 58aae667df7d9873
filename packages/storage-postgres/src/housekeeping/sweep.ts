import { randomUUID } from "node:crypto"
import type { Digest } from "@inlet/core/ports/Digest"
import type { StoreUnavailable, Swept } from "@inlet/core/ports/Store"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { lockHead } from "../tables/heads.ts"
import { expectLease, type Lease, type Leases, type LeaseLost } from "../Leases.ts"
import { eraseSubjects } from "./eraser.ts"
import { heldLease } from "../heldLease.ts"
import { pruneLog } from "./pruner.ts"
import { keepRetention } from "./retention.ts"
import { removeVisitors } from "./visitors.ts"
import { nextWorkspace } from "./work.ts"

export interface SweepOptions {
  /** The largest number of rows that one step of housekeeping reads or writes. 500 by default. */
  readonly sweepRowsMax?: number | undefined
}

const nothing: Swept = { entries: 0, done: true }

/**
 * Returns a function that runs one step of housekeeping. Each step is one transaction in one workspace, and workspaces
 * with work take turns. Only the node that holds the lease does housekeeping. On other nodes, a step does nothing.
 */
export const makeSweep = (
  database: Database["Service"],
  digest: Digest["Service"],
  leases: Leases["Service"],
  { sweepRowsMax }: SweepOptions,
): ((now: EpochMillis) => Effect.Effect<Swept, StoreUnavailable>) => {
  const leaseOf = heldLease(leases, "housekeeping", randomUUID())
  let last = 0
  let round = 0

  return (now) =>
    Effect.gen(function* () {
      const lease = yield* leaseOf
      if (lease === undefined) return nothing
      const workspace = yield* nextWorkspace(database, last, now)
      if (workspace === undefined) return nothing
      if (workspace <= last) round++
      last = workspace
      const budget = yield* database.write("run housekeeping", workspace, (connection) =>
        sweepWorkspace(connection, digest, workspace, lease, now, new SweepBudget(sweepRowsMax), round),
      )
      const isDone = !budget.isSpent && (yield* nextWorkspace(database, last, now)) === undefined
      return { entries: budget.entries, done: isDone }
    }).pipe(Effect.catchTag("LeaseLost", () => Effect.succeed(nothing)))
}

/**
 * Runs the tasks of housekeeping until the budget of the step is spent. In each round over the workspaces, the steps
 * begin with another task than in the round before, so that every task makes progress in every workspace.
 */
const sweepWorkspace = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  lease: Lease,
  now: EpochMillis,
  budget: SweepBudget,
  firstTask: number,
): Effect.Effect<SweepBudget, DatabaseError | LeaseLost> =>
  Effect.gen(function* () {
    yield* expectLease(connection, lease)
    yield* sweepTasks(connection, digest, workspace, now, budget, firstTask)
    return budget
  })

/** Runs the tasks of housekeeping in the caller's transaction. */
export const sweepTasks = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  now: EpochMillis,
  budget: SweepBudget,
  firstTask: number,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const head = yield* lockHead(connection, workspace)
    const tasks = [
      eraseSubjects(connection, digest, workspace, budget),
      removeVisitors(connection, workspace, now, budget),
      pruneLog(connection, workspace, head, now, budget),
      keepRetention(connection, workspace, now, budget),
    ]
    const first = firstTask % tasks.length
    for (const task of [...tasks.slice(first), ...tasks.slice(0, first)]) yield* task
  })
