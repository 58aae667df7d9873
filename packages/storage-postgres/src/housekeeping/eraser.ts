import type { Digest } from "@inlet/core/ports/Digest"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import { afterFirstAddress } from "@inlet/storage/erasurePlan"
import { subjectKey } from "@inlet/storage/ids"
import { erasedDocument, erasedDocumentIn, type ErasedDocument } from "@inlet/storage/subjectRows"
import { rowsPerDocument, type SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { finishAddress, removeAddress } from "./addresses.ts"
import { costOf, eraseEntries, erasuresFor, readEntriesOf } from "./entries.ts"
import { isNamedByHolders, readLinksTo, removeReferences } from "./references.ts"

const nextSql = `
  SELECT key, state, doc FROM subjects WHERE workspace = $1 AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  ORDER BY state, key LIMIT 1`

/** A deleted person, object or segment that is being erased. */
interface Erasure {
  readonly workspace: WorkspaceId
  readonly key: SubjectKey
  readonly state: number
  readonly document: ErasedDocument
}

/**
 * Erases the data of a workspace's deleted people, objects and segments in the order that `erasurePlan.ts` describes.
 * Very many people may refer to a deleted object or segment, so these references are removed only after all other
 * deleted data of the workspace are erased.
 */
export const eraseSubjects = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    while (!budget.isSpent) {
      const [row] = yield* connection.query(nextSql, [workspace])
      if (row === undefined) return
      // Each deleted person or object costs several statements, even if there is little data to erase.
      budget.rowsLeft -= rowsPerDocument
      const key = subjectKey(integer(row["key"]))
      const erasure = { workspace, key, state: integer(row["state"]), document: erasedDocumentIn(row) }
      if (yield* eraseSomeEntries(connection, erasure, budget)) {
        yield* eraseReferences(connection, digest, erasure, budget)
      }
    }
  })

/**
 * Erases log entries of the deleted person or object until the budget of the housekeeping step is spent. Erases at
 * least one entry. Returns whether all entries are erased.
 */
const eraseSomeEntries = (
  connection: Connection,
  { document, key, workspace }: Erasure,
  budget: SweepBudget,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.gen(function* () {
    const { before, erasedTo } = document
    if (erasedTo === before) return true
    const range = { from: erasedTo ?? 0, before }
    const { isAll, rows } = yield* readEntriesOf(connection, workspace, key, range, budget.room)
    let count = 0
    for (const row of rows) {
      if (count > 0 && budget.isSpent) break
      budget.rowsLeft -= costOf(row)
      count++
    }
    const erased = rows.slice(0, count)
    yield* eraseEntries(connection, workspace, erasuresFor(erased, key))
    budget.entries += count
    const last = erased.at(-1)
    if (last === undefined || (isAll && count === rows.length && !budget.isSpent)) return true
    yield* saveProgress(connection, workspace, key, { ...document, erasedTo: sequenceIn(last) })
    return false
  })

/**
 * Removes the references to the deleted person or object, then the person's addresses, then the row. Stops when the
 * budget of the housekeeping step is spent.
 */
const eraseReferences = (
  connection: Connection,
  digest: Digest["Service"],
  { document, key, state, workspace }: Erasure,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const { addresses: [address] = [], before } = document
    const withoutEntries = { ...document, erasedTo: before }
    const links = yield* readLinksTo(connection, workspace, key, budget.rowsLeft)
    if (state === stateCodes.erased && isNamedByHolders(links)) {
      yield* connection.execute(postponeSql, [workspace, key, erasedDocument(withoutEntries)])
    } else if (links.length > 0) {
      const rows = yield* removeReferences(connection, workspace, key, before, links, budget.rowsLeft)
      budget.rowsLeft -= rows
      yield* saveProgress(connection, workspace, key, withoutEntries)
    } else if (address === undefined) yield* removeSubject(connection, workspace, key, budget)
    else {
      const next = yield* eraseAddress(connection, digest, workspace, key, withoutEntries, address, budget)
      yield* saveProgress(connection, workspace, key, next)
    }
  })

/**
 * Removes the row of a deleted person or object. The key may be that of a leaf that no rule has any more: then its states go
 * first.
 */
const removeSubject = (
  connection: Connection,
  workspace: WorkspaceId,
  key: SubjectKey,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const leavesMax = budget.room
    const forgotten = yield* connection.execute(forgetLeafSql, [workspace, key, leavesMax])
    budget.rowsLeft -= forgotten
    if (forgotten < leavesMax) yield* connection.execute(removeSql, [workspace, key])
  })

const forgetLeafSql = `
  DELETE FROM leaf_states WHERE workspace = $1 AND (subject, leaf) IN (
    SELECT subject, leaf FROM leaf_states WHERE workspace = $1 AND leaf = $2 LIMIT $3)`

const postponeSql = `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = $3 WHERE workspace = $1 AND key = $2`

const removeSql = `
  WITH resized AS (DELETE FROM sizes WHERE workspace = $1 AND subject = $2),
  forgotten AS (DELETE FROM leaf_states WHERE workspace = $1 AND subject = $2),
  undismissed AS (
    DELETE FROM dismissals WHERE workspace = $1 AND (subject = $2 OR (other = $2 AND subject IN (
      SELECT other FROM dismissals WHERE workspace = $1 AND subject = $2
    )))
  )
  DELETE FROM subjects WHERE workspace = $1 AND key = $2`

/**
 * Removes one address of a deleted person from deliveries until the budget of the housekeeping step is spent. Returns
 * the progress.
 */
const eraseAddress = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  key: SubjectKey,
  document: ErasedDocument,
  address: string,
  budget: SweepBudget,
): Effect.Effect<ErasedDocument, DatabaseError> =>
  Effect.gen(function* () {
    const { addressedTo, before } = document
    const erased = { workspace, address, before }
    const removed = yield* removeAddress(connection, digest, erased, addressedTo, budget.rowsLeft)
    budget.rowsLeft -= removed.rows
    if (!removed.isDone) return { ...document, addressedTo: removed.to }
    yield* finishAddress(connection, erased, key)
    return afterFirstAddress(document)
  })

const saveProgress = (
  connection: Connection,
  workspace: WorkspaceId,
  key: SubjectKey,
  document: ErasedDocument,
): Effect.Effect<number, DatabaseError> =>
  connection.execute("UPDATE subjects SET doc = $3 WHERE workspace = $1 AND key = $2", [
    workspace,
    key,
    erasedDocument(document),
  ])
