import { heldSince } from "@inlethq/core/ports/LakeFiles"
import { sizeDaysMax } from "@inlethq/core/ports/SegmentSizes"
import { dayNumber } from "@inlethq/core/segment/sizesByDay"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { sequenceIn } from "../rows/entryRows.ts"
import { isPruned } from "./erasurePlan.ts"
import { sequenceOf } from "../columns/ids.ts"
import type { SweepBudget } from "../budgets/sweepBudget.ts"
import { costOf, eraseAnswers, eraseEntries } from "./entries.ts"
import type { ErasureQueries } from "./ErasureQueries.ts"

/** The log of a workspace in a step of housekeeping. */
interface LogStep<E> {
  readonly queries: ErasureQueries<E>
  readonly workspace: WorkspaceId
  readonly now: EpochMillis
  readonly budget: SweepBudget
}

/**
 * Returns the tasks that remove old entries from the log of a workspace. They do nothing once the budget of the step is
 * spent.
 */
export const logTasks = <E>(step: LogStep<E>): ReadonlyArray<Effect.Effect<void, E>> =>
  [pruneLog<E>, keepRetention<E>, pruneRejectedCalls<E>, pruneSegmentSizes<E>].map((task) =>
    Effect.suspend(() => (step.budget.isSpent ? Effect.void : task(step))),
  )

/**
 * Checks each log entry of a workspace once, when it is older than the history and does not wait for the lake, and
 * removes the entry if `isPruned` returns true. Receipt times never decrease along the log, so the progress is a single
 * log position. Other tasks of housekeeping may later remove an entry that pruning kept.
 */
const pruneLog = Effect.fnUntraced(function* <E>({
  budget,
  now,
  queries,
  workspace,
}: LogStep<E>): Effect.fn.Return<void, E> {
  const { history, unread } = yield* queries.keptSince(workspace, now)
  const prunedTo = yield* queries.prunedTo(workspace)
  const before = heldSince(history, unread)
  const { isCut, rows, to } = yield* queries.oldEntries(workspace, prunedTo, before, budget.room)
  const removed: Array<Sequence> = []
  let seen = 0
  for (const row of rows) {
    if (budget.isSpent) break
    seen++
    budget.rowsLeft--
    if (!isPruned(row)) continue
    budget.rowsLeft -= costOf(row) - 1
    removed.push(sequenceIn(row))
  }
  const next = rows[seen]
  const seenTo = next === undefined ? to : sequenceIn(next) - 1
  if (seenTo === prunedTo) return
  budget.entries += removed.length
  budget.rowsLeft -= yield* eraseEntries(queries, workspace, { removed })
  yield* queries.savePrunedTo(workspace, sequenceOf(seenTo))
  // The next step goes on.
  if (isCut) budget.rowsLeft = Math.min(budget.rowsLeft, 0)
})

/**
 * Deletes the log entries, including events, that are older than the retention of the workspace and do not wait for the
 * lake. These entries are always at the beginning of the log, so a step begins there and stores no progress.
 */
const keepRetention = Effect.fnUntraced(function* <E>({
  budget,
  now,
  queries,
  workspace,
}: LogStep<E>): Effect.fn.Return<void, E> {
  const { retention, unread } = yield* queries.keptSince(workspace, now)
  if (retention === null) return
  const before = heldSince(retention, unread)
  const { isCut, rows } = yield* queries.oldEntries(workspace, null, before, budget.room)
  const removed: Array<Sequence> = []
  for (const row of rows) {
    if (budget.isSpent) break
    budget.rowsLeft -= costOf(row)
    removed.push(sequenceIn(row))
  }
  const last = removed.at(-1)
  if (last === undefined) return
  budget.entries += removed.length
  budget.rowsLeft -= yield* eraseEntries(queries, workspace, { removed })
  yield* queries.logBeginsAt(workspace, last)
  // The next step removes the rest.
  if (isCut) budget.rowsLeft = Math.min(budget.rowsLeft, 0)
})

/**
 * Deletes what is kept of rejected calls after the days that their workspace keeps them, and what erased ones have left.
 * Deletes their entries too, if pruning has passed them.
 */
const pruneRejectedCalls = Effect.fnUntraced(function* <E>({
  budget,
  now,
  queries,
  workspace,
}: LogStep<E>): Effect.fn.Return<void, E> {
  const sequences = yield* queries.removeOldCalls(workspace, now, budget.room)
  if (sequences.length === 0) return
  const prunedTo = yield* queries.prunedTo(workspace)
  budget.hasErased = true
  const removed = sequences.filter((sequence) => sequence <= prunedTo)
  const kept = sequences.filter((sequence) => sequence > prunedTo)
  budget.entries += removed.length
  budget.rowsLeft -= 2 * sequences.length
  budget.rowsLeft -= yield* eraseEntries(queries, workspace, { removed })
  if (kept.length > 0) yield* queries.clearNames(workspace, kept)
  budget.rowsLeft -= yield* eraseAnswers(queries, workspace, kept)
})

/** The last size before the days that are kept stays, because the days after it may have no other. */
const oldSizesSql = `
  DELETE FROM segment_sizes WHERE workspace = $1 AND (segment, day) IN (
    SELECT old.segment, old.day FROM segment_sizes AS old
    WHERE old.workspace = $1 AND old.day < $2 AND EXISTS (
      SELECT 1 FROM segment_sizes AS newer
      WHERE newer.workspace = $1 AND newer.segment = old.segment AND newer.day > old.day AND newer.day <= $2
    )
    LIMIT $3)`

/** Deletes the sizes that segments had on days that nobody can ask for any more. */
const pruneSegmentSizes = Effect.fnUntraced(function* <E>({
  budget,
  now,
  queries,
  workspace,
}: LogStep<E>): Effect.fn.Return<void, E> {
  const keptFrom = dayNumber(now) - sizeDaysMax
  budget.rowsLeft -= yield* queries.ask.run(oldSizesSql, workspace, keptFrom, budget.room)
})
