import { objectKindCodes } from "@inlet/storage/codes"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { text } from "@inlet/storage/columns"
import { redactedDetail } from "@inlet/storage/entryRows"
import { entryErasure } from "@inlet/storage/erasurePlan"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { excerptEraser } from "../webhooks/excerptEraser.ts"
import { partRemover, removeEntry } from "../log/removeEntry.ts"

/** Prepares the statements that erase log entries. */
export const entryEraser = (database: Database) => {
  const read = database.prepare("SELECT kind, subject, parts, detail FROM activity WHERE id = ?")
  const save = database.prepare(
    `UPDATE activity SET claim = CASE WHEN kind IN (${objectKindCodes}) THEN claim END, parts = ?, reason_code = NULL, anonymous_code = NULL, detail = ? WHERE id = ?`,
  )
  const saveWithClaim = database.prepare(
    "UPDATE activity SET parts = ?, reason_code = NULL, anonymous_code = NULL, detail = ? WHERE id = ?",
  )
  const remove = removeEntry(database)
  const parts = partRemover(database)
  const eraseExcerpts = excerptEraser(database)

  /** Removes the details of a log entry. Returns the number of changed rows. */
  const redact = (workspace: WorkspaceId, sequence: Sequence, keepsClaim = false): number => {
    const id = rowId(workspace, sequence)
    const row = read.get(id)
    if (row === undefined) return 1
    const { count, isLeft } =
      row["parts"] === null ? { count: 0, isLeft: false } : parts.ofRedacted(workspace, sequence)
    const statement = keepsClaim ? saveWithClaim : save
    statement.run(isLeft ? (row["parts"] ?? null) : null, redactedDetail(text(row["detail"])), id)
    return 1 + count + eraseExcerpts(workspace, sequence)
  }

  /**
   * Erases the data of a deleted person or object from a log entry. Removes or redacts an entry that is about the
   * person or object with the given key. In an entry about another subject, removes only the effect on the deleted
   * person. Returns the number of changed rows.
   */
  const erase = (workspace: WorkspaceId, sequence: Sequence, key: SubjectKey): number => {
    const row = read.get(rowId(workspace, sequence))
    if (row === undefined) return 1
    switch (entryErasure(row, key)) {
      case "part":
        parts.ofSubject(workspace, sequence, key)
        return 1 + eraseExcerpts(workspace, sequence)
      case "merge":
        parts.ofSubject(workspace, sequence, key)
        return 1 + redact(workspace, sequence, true)
      case "remove":
        return 1 + remove(workspace, sequence, key) + eraseExcerpts(workspace, sequence)
      case "redact":
        return redact(workspace, sequence)
    }
  }

  return {
    redact,
    /**
     * Erases log entries of a deleted person or object in the given order until the budget of the housekeeping step is
     * spent. Erases at least one entry. Returns the number of erased entries.
     */
    eraseSome: (
      budget: SweepBudget,
      workspace: WorkspaceId,
      sequences: ReadonlyArray<Sequence>,
      key: SubjectKey,
    ): number => {
      let count = 0
      for (const sequence of sequences) {
        if (count > 0 && budget.isSpent) break
        budget.rowsLeft -= erase(workspace, sequence, key)
        count++
      }
      budget.entries += count
      return count
    },
  }
}
