import type { Digest } from "@inlethq/core/ports/Digest"
import { sequenceOf } from "../columns/ids.ts"
import { Effect } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { sequenceIn } from "../rows/entryRows.ts"
import { afterFirstAddress } from "./erasurePlan.ts"
import { erasedDocument, type ErasedDocument } from "../rows/subjectRows.ts"
import { documentsMax, rowsAfterLook, type SweepBudget } from "../budgets/sweepBudget.ts"
import { finishAddress, removeAddress } from "./addresses.ts"
import { costOf, eraseEntries, eraseOrigins, erasuresFor } from "./entries.ts"
import type { Erasure, ErasureQueries } from "./ErasureQueries.ts"
import { ErasureTally } from "./ErasureTally.ts"
import { isNamedByHolders, removeReferences } from "./references.ts"

/**
 * Erases the data of deleted people, objects and segments in the order that `erasurePlan.ts` describes. Very many people may
 * refer to a deleted object or segment, so these references are removed only after all other deleted data of the workspace are
 * erased.
 */
export const eraseSubjects = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  budget: SweepBudget,
): Effect.fn.Return<void, E> {
  while (!budget.isSpent) {
    const erasure = yield* queries.nextDeleted
    if (erasure === undefined) return
    budget.hasErased = true
    budget.rowsLeft -= queries.rowsPerSubject
    const tally = new ErasureTally()
    if (yield* eraseSomeEntries(queries, erasure, budget, tally)) {
      yield* eraseReferences(queries, digest, erasure, budget, tally)
    }
    yield* tally.save(queries, erasure.workspace, erasure.document.record)
  }
})

/**
 * Erases log entries of the deleted person or object until the budget of the step is spent. Erases at
 * least one entry. Returns whether all entries are erased.
 */
const eraseSomeEntries = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  { document, key, workspace }: Erasure,
  budget: SweepBudget,
  tally: ErasureTally,
): Effect.fn.Return<boolean, E> {
  const { before, erasedTo } = document
  if (erasedTo === before) return true
  const range = { from: erasedTo ?? 0, before }
  const look = yield* queries.rowsPerLook(workspace)
  budget.rowsLeft -= look
  const room = Math.max(budget.room, Math.min(look, rowsAfterLook))
  const { isAll, rows, to } = yield* queries.entriesOf(workspace, key, range, room)
  let count = 0
  let spent = 0
  for (const row of rows) {
    if (spent >= room) break
    spent += costOf(row)
    count++
  }
  budget.rowsLeft -= spent
  const some = rows.slice(0, count)
  const cleaned = yield* eraseOrigins(queries, workspace, some, key)
  budget.rowsLeft -= yield* eraseEntries(queries, workspace, erasuresFor(some, key, cleaned), tally)
  budget.entries += count
  const next = rows[count]
  if (next === undefined && isAll) return true
  const last = next === undefined ? sequenceOf(to) : sequenceOf(sequenceIn(next) - 1)
  yield* queries.saveDocument(workspace, key, erasedDocument({ ...document, erasedTo: last }))
  return false
})

/**
 * Removes the references to the deleted person or object, then the person's addresses, then the row. Stops when the
 * budget of the step is spent.
 */
const eraseReferences = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  erasure: Erasure,
  budget: SweepBudget,
  tally: ErasureTally,
): Effect.fn.Return<void, E> {
  const { document, key, state, workspace } = erasure
  const { addresses: [address] = [], before } = document
  const withoutEntries = { ...document, erasedTo: before }
  const saveProgress = (progress: ErasedDocument) =>
    queries.saveDocument(workspace, key, erasedDocument(progress))
  const { isAll, rows: links } = yield* queries.linksTo(workspace, key, documentsMax(budget.rowsLeft))
  if (state === stateCodes.erased && isNamedByHolders(links)) {
    yield* queries.postpone(workspace, key, erasedDocument(withoutEntries))
    return
  }
  if (links.length > 0) {
    const removed = yield* removeReferences(queries, workspace, key, before, links, budget.rowsLeft, tally)
    budget.rowsLeft -= removed.rows
    if (!isAll || !removed.isDone || budget.isSpent) {
      yield* saveProgress(withoutEntries)
      return
    }
  }
  if (address === undefined) {
    if (!(yield* removeSubject(queries, erasure, budget))) yield* saveProgress(withoutEntries)
  } else {
    const left = { ...erasure, document: withoutEntries }
    yield* saveProgress(yield* eraseAddress(queries, digest, left, address, budget, tally))
  }
})

const forgetLeafSql = `
  DELETE FROM leaf_states WHERE workspace = $1 AND (subject, leaf) IN (
    SELECT subject, leaf FROM leaf_states WHERE workspace = $1 AND leaf = $2 LIMIT $3)`

/**
 * Removes the row of a deleted person or object. The key may be that of a leaf that no rule has any more: then its states go
 * first. Returns whether the row is removed.
 */
const removeSubject = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  { key, workspace }: Erasure,
  budget: SweepBudget,
): Effect.fn.Return<boolean, E> {
  const leavesMax = budget.room
  const forgotten = yield* queries.ask.run(forgetLeafSql, workspace, key, leavesMax)
  budget.rowsLeft -= forgotten
  if (forgotten === leavesMax) return false
  yield* queries.removeSubject(workspace, key)
  return true
})

/** Removes one address of a deleted person from deliveries until the budget of the step is spent. Returns the progress. */
const eraseAddress = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  { document, key, workspace }: Erasure,
  address: string,
  budget: SweepBudget,
  tally: ErasureTally,
): Effect.fn.Return<ErasedDocument, E> {
  const { addressedTo, before } = document
  const erased = { workspace, address, before }
  const removed = yield* removeAddress(queries, digest, erased, addressedTo, budget.rowsLeft, tally)
  budget.rowsLeft -= removed.rows
  if (!removed.isDone) return { ...document, addressedTo: removed.to }
  yield* finishAddress(queries, erased, key)
  return afterFirstAddress(document)
})
