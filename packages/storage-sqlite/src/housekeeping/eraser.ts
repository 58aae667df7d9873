import type { Digest } from "@inlet/core/ports/Digest"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import { afterFirstAddress } from "@inlet/storage/erasurePlan"
import { subjectKey, workspaceId } from "@inlet/storage/ids"
import { erasedDocument, erasedDocumentIn, type ErasedDocument } from "@inlet/storage/subjectRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowId, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { addressRemover } from "./addressRemover.ts"
import { entryEraser } from "./entryEraser.ts"
import { referenceRemover } from "./referenceRemover.ts"

/**
 * Erases the data of deleted people, objects and segments in the order that `erasurePlan.ts` describes. The workspaces
 * take turns. Very many people may refer to a deleted object or segment. These references are removed only after all
 * other deleted data of the workspace are erased.
 */
export const eraser = (
  database: Database,
  cache: SubjectCache,
  digest: Digest["Service"],
): ((budget: SweepBudget) => void) => {
  const nextInTurn = nextDeleted(database)
  const headOf = readHead(database)
  const timeline = readTimeline(database)
  const saveProgress = database.prepare("UPDATE subjects SET doc = ? WHERE id = ?")
  const postpone = database.prepare(
    `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = ? WHERE id = ?`,
  )
  const remove = subjectRemover(database)
  const forgetLeaf = leafForgetter(database)
  const entries = entryEraser(database)
  const references = referenceRemover(database, entries.redact)
  const addressed = addressRemover(database, digest, entries.redact)

  /**
   * Removes one address of a deleted person from deliveries until the budget of the housekeeping step is spent. Returns
   * the progress.
   */
  const eraseAddress = (
    budget: SweepBudget,
    workspace: WorkspaceId,
    key: SubjectKey,
    erased: ErasedDocument,
    address: string,
  ): ErasedDocument => {
    const { addressedTo, before } = erased
    const { isDone, rows, to } = addressed.some({ workspace, address, before }, addressedTo, budget.rowsLeft)
    budget.rowsLeft -= rows
    if (!isDone) return { ...erased, addressedTo: to }
    addressed.done({ workspace, address, before }, key)
    return afterFirstAddress(erased)
  }

  return (budget) => {
    while (!budget.isSpent) {
      const row = nextInTurn()
      if (row === undefined) return
      const workspace = workspaceId(integer(row["workspace"]))
      budget.hasErased = true
      cache.clear()
      budget.rowsLeft -= rowsPerLook(headOf(workspace))
      const key = subjectKey(integer(row["key"]))
      const id = rowId(workspace, key)
      const erased = erasedDocumentIn(row)
      const { addresses: [address] = [], before, erasedTo } = erased
      const { room } = budget
      const found = timeline(workspace, key, erasedTo ?? 0, "asc", room)
      const earlier = found.filter((sequence) => sequence < before)
      const count = entries.eraseSome(budget, workspace, earlier, key)
      if (count < earlier.length || earlier.length === room) {
        saveProgress.run(erasedDocument({ ...erased, erasedTo: earlier[count - 1] ?? erasedTo }), id)
        continue
      }
      const withoutEntries = { ...erased, erasedTo: before }
      if (integer(row["state"]) === stateCodes.erased && references.isNamedByHolders(workspace, key)) {
        postpone.run(erasedDocument(withoutEntries), id)
        continue
      }
      const { isDone, rows } = references.some(workspace, key, before, budget.rowsLeft)
      budget.rowsLeft -= rows
      if (!isDone || !forgetLeaf(budget, workspace, key)) saveProgress.run(erasedDocument(withoutEntries), id)
      else if (address === undefined) {
        remove(workspace, key)
      } else {
        const progress = eraseAddress(budget, workspace, key, withoutEntries, address)
        saveProgress.run(erasedDocument(progress), id)
      }
    }
  }
}

/**
 * Returns a function that removes the states of a leaf that no rule has any more, if the key is that of a leaf. Returns
 * whether they are all removed.
 */
const leafForgetter = (
  database: Database,
): ((budget: SweepBudget, workspace: WorkspaceId, leaf: SubjectKey) => boolean) => {
  const statement = database.prepare(`
    DELETE FROM leaf_states WHERE (workspace, subject, leaf) IN (
      SELECT workspace, subject, leaf FROM leaf_states WHERE workspace = ?1 AND leaf = ?2 LIMIT ?3)`)
  return (budget, workspace, leaf) => {
    const { room } = budget
    const forgotten = Number(statement.run(workspace, leaf, room).changes)
    budget.rowsLeft -= forgotten
    return forgotten < room
  }
}

/**
 * Returns a function that removes the row of a deleted person or object, with the states of rules and, from the sides of both
 * people, the dismissed pairs, of which there are at most `dismissalsMax`.
 */
const subjectRemover = (database: Database): ((workspace: WorkspaceId, key: SubjectKey) => void) => {
  const forgetLeaves = database.prepare("DELETE FROM leaf_states WHERE workspace = ? AND subject = ?")
  const forgetByOthers = database.prepare(`
    DELETE FROM dismissals WHERE workspace = ?1 AND other = ?2
      AND subject IN (SELECT other FROM dismissals WHERE workspace = ?1 AND subject = ?2)`)
  const forgetDismissals = database.prepare("DELETE FROM dismissals WHERE workspace = ? AND subject = ?")
  const removeSubject = database.prepare("DELETE FROM subjects WHERE id = ?")
  return (workspace, key) => {
    forgetLeaves.run(workspace, key)
    forgetByOthers.run(workspace, key)
    forgetDismissals.run(workspace, key)
    removeSubject.run(rowId(workspace, key))
  }
}

/**
 * Returns a function that reads the next deleted person, object or segment. The workspaces take turns. Skips deleted
 * workspaces, because `workspaceEraser` erases everything in them.
 */
const nextDeleted = (database: Database): (() => Row | undefined) => {
  const next = database.prepare(`
    SELECT ${sqlWorkspace("id")} AS workspace, ${sqlNumber("id")} AS key, state, doc FROM subjects
    WHERE (state = ${stateCodes.erased} OR state = ${stateCodes.stillNamed}) AND ${sqlWorkspace("id")} >= ?
    ORDER BY ${sqlWorkspace("id")}, state, id LIMIT 1`)
  const erasing = database.prepare("SELECT 1 FROM heads WHERE workspace = ? AND deleted_at IS NOT NULL")
  let turn = 0
  /** Returns the first row of a workspace with this id or a larger id that is not deleted. */
  const nextFrom = (workspace: number): Row | undefined => {
    const row = next.get(workspace)
    const found = integer(row?.["workspace"] ?? 0)
    return row === undefined || erasing.get(found) === undefined ? row : nextFrom(found + 1)
  }
  return () => {
    const row = nextFrom(turn) ?? nextFrom(0)
    if (row !== undefined) turn = integer(row["workspace"]) + 1
    return row
  }
}
