import { visitorRetentionMs } from "@inlethq/core/state/Subject"
import type { Visitor } from "@inlethq/core/state/Visitor"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { subjectFromRow } from "../rows/subjectRows.ts"
import type { SweepBudget } from "../budgets/sweepBudget.ts"
import { eraseEntries } from "./entries.ts"
import type { ErasureQueries } from "./ErasureQueries.ts"

/** The largest number of visitors that are read and removed at a time. */
const visitorsMax = 50

/**
 * Removes anonymous visitors at the end of their retention, together with their entries. Begins with the visitors that
 * have been inactive longest.
 */
export const removeVisitors = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.fn.Return<void, E> {
  while (!budget.isSpent) {
    const count = Math.min(budget.room, visitorsMax)
    const rows = yield* queries.expiredVisitors(now - visitorRetentionMs, count)
    const visitors = rows.flatMap((row) => {
      const subject = subjectFromRow(row)
      return subject._tag === "Visitor" ? [subject] : []
    })
    const [first] = visitors
    if (first === undefined) return
    const removable = yield* removeEntries(queries, first, visitors, budget)
    if (removable.length > 0) yield* queries.removeVisitors(first.workspace, removable)
    for (const { devices, relationships } of removable) {
      budget.rowsLeft -= 1 + devices.size + relationships.size
    }
  }
})

/**
 * Removes the entries of visitors until the budget of the step is spent. Returns the visitors that have no
 * entries left.
 */
const removeEntries = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  { workspace }: Visitor,
  visitors: ReadonlyArray<Visitor>,
  budget: SweepBudget,
): Effect.fn.Return<ReadonlyArray<Visitor>, E> {
  const { room } = budget
  const keys = visitors.map(({ key }) => key)
  const { cost, entries } = yield* queries.entriesOfVisitors(workspace, keys, room)
  const answers = yield* eraseEntries(queries, workspace, {
    removed: entries.flatMap(({ isOwn, sequence }) => (isOwn ? [sequence] : [])),
    parts: entries.flatMap(({ isOwn, key, sequence }) => (isOwn ? [] : [{ sequence, subject: key }])),
  })
  budget.entries += entries.length
  budget.rowsLeft -= cost + entries.length + answers
  const last = entries.length < room ? undefined : entries.at(-1)?.key
  const incomplete = visitors.findIndex(({ key }) => key === last)
  return incomplete === -1 ? visitors : visitors.slice(0, incomplete)
})
