import type { Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable, Swept, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { logTasks } from "@inlethq/storage/erasing/log"
import { eraseSubjects } from "@inlethq/storage/erasing/subjects"
import { removeVisitors } from "@inlethq/storage/erasing/visitors"
import { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { lockHead } from "../tables/heads.ts"
import { expectLease, type Lease, type Leases, type LeaseLost } from "../nodes/Leases.ts"
import { makeCountLogs } from "./countLogs.ts"
import { erasureQueries } from "./erasureQueries.ts"
import { nextWorkspace } from "./work.ts"
import { eraseWorkspaces } from "./workspaces.ts"
import { makePruneWriters } from "./writers.ts"

export interface SweepOptions {
  /** The largest number of rows that one step of housekeeping reads or writes. 500 by default. */
  readonly sweepRowsMax?: number | undefined
}

const nothing: Swept = { entries: 0, done: true }

/**
 * Returns a function that runs one step of housekeeping: one transaction in one workspace, one that counts blocks of its
 * log or of that of another, a transaction in each deleted workspace, and once in a while one that removes old writers.
 * Workspaces with work take turns, and so do the four kinds of work. Only the node that holds the lease does housekeeping. On other nodes, a step does nothing.
 */
export const makeSweep = (
  database: Database["Service"],
  digest: Digest["Service"],
  leases: Leases["Service"],
  { sweepRowsMax }: SweepOptions,
): ((now: EpochMillis) => Effect.Effect<Swept, StoreUnavailable>) => {
  let last = 0
  let round = 0
  let firstTask = 0
  let hasCounted = false
  const countLogs = makeCountLogs(database)
  const pruneWriters = makePruneWriters(database)

  const sweepNext = Effect.fnUntraced(function* (lease: Lease, now: EpochMillis, budget: SweepBudget) {
    const found = yield* nextWorkspace(database, last, now)
    if (found.last < last || found.workspace === last) round++
    last = found.last
    const { workspace } = found
    if (workspace === undefined) return
    yield* database
      .write("run housekeeping", workspace, (connection) =>
        sweepWorkspace(connection, digest, workspace, lease, now, budget, round),
      )
      // The workspace was deleted after it was chosen, so it is erased as a whole.
      .pipe(Effect.catchTag("WorkspaceDeleted", () => Effect.void))
  })

  return (now) =>
    Effect.gen(function* () {
      const lease = yield* leases.hold("housekeeping")
      if (lease === undefined) return nothing
      const budget = new SweepBudget(sweepRowsMax)
      hasCounted = false
      const tasks = [
        eraseWorkspaces(database, lease, now, budget),
        sweepNext(lease, now, budget),
        Effect.map(countLogs(lease, budget), (counted) => {
          hasCounted = counted
        }),
        pruneWriters(lease, now, budget),
      ]
      for (const task of inTurn(tasks, firstTask++)) if (!budget.isSpent) yield* task
      const next = yield* nextWorkspace(database, last, now)
      const hasNone = next.workspace === undefined && next.endsRound
      const isDone = !budget.isSpent && !hasCounted && hasNone
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
): Effect.Effect<void, DatabaseError | LeaseLost | WorkspaceDeleted> =>
  Effect.andThen(
    expectLease(connection, lease),
    sweepTasks(connection, digest, workspace, now, budget, firstTask),
  )

/** Runs the tasks of housekeeping in the caller's transaction. */
export const sweepTasks = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  now: EpochMillis,
  budget: SweepBudget,
  firstTask: number,
): Effect.Effect<void, DatabaseError | WorkspaceDeleted> =>
  Effect.gen(function* () {
    yield* lockHead(connection, workspace)
    const queries = erasureQueries(connection, workspace)
    const tasks = [
      eraseSubjects(queries, digest, budget),
      removeVisitors(queries, now, budget),
      ...logTasks({ queries, workspace, now, budget }),
    ]
    for (const task of inTurn(tasks, firstTask)) yield* task
  })

/** Returns the tasks in an order that begins with another task in each turn. */
const inTurn = <A>(tasks: ReadonlyArray<A>, turn: number): ReadonlyArray<A> => {
  const first = turn % tasks.length
  return [...tasks.slice(first), ...tasks.slice(0, first)]
}
