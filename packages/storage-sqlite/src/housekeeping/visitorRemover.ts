import { isExpiredVisitor } from "@inlet/core/state/Subject"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { stateCodes } from "@inlet/storage/codes"
import { textsOfVisitor } from "@inlet/storage/erasurePlan"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowId } from "../engine/rowIds.ts"
import { partRemover, removeEntry } from "../log/removeEntry.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { subjectColumns } from "../read/subjects.ts"

/**
 * Removes anonymous visitors at the end of their retention, together with their entries. Each step begins with the
 * visitor who has been inactive longest, among the visitors of all workspaces.
 */
export const visitorRemover = (
  database: Database,
  cache: SubjectCache,
): ((budget: SweepBudget, now: EpochMillis) => void) => {
  const oldest = database.prepare(
    `SELECT ${subjectColumns} FROM subjects AS found WHERE state = ${stateCodes.anonymous} ORDER BY updated LIMIT 1`,
  )
  const headOf = readHead(database)
  const timeline = readTimeline(database)
  const subjectOfEntry = database.prepare("SELECT subject FROM activity WHERE id = ?")
  const remove = removeEntry(database)
  const parts = partRemover(database)
  const removeSubject = database.prepare("DELETE FROM subjects WHERE id = ?")
  const forgetLeaves = database.prepare("DELETE FROM leaf_states WHERE workspace = ? AND subject = ?")
  const free = database.prepare("DELETE FROM identifiers WHERE workspace = ? AND text = ? AND subject = ?")
  const unlink = database.prepare("DELETE FROM links WHERE workspace = ? AND target = ? AND subject = ?")
  const shrink = database.prepare("UPDATE sizes SET size = size - 1 WHERE id = ?")

  return (budget, now) => {
    while (!budget.isSpent) {
      const row = oldest.get()
      const visitor = row === undefined ? undefined : subjectFromRow(row)
      if (visitor?._tag !== "Visitor" || !isExpiredVisitor(visitor, now)) return
      cache.clear()
      const { devices, key, relationships, workspace } = visitor
      budget.rowsLeft -= rowsPerLook(headOf(workspace))
      const { room } = budget
      const found = timeline(workspace, key, 0, "asc", room)
      for (const sequence of found) {
        if (subjectOfEntry.get(rowId(workspace, sequence))?.["subject"] === key)
          remove(workspace, sequence, key)
        else parts.ofSubject(workspace, sequence, key)
      }
      budget.entries += found.length
      budget.rowsLeft -= found.length
      if (found.length === room) return
      budget.rowsLeft -= devices.size + relationships.size
      for (const text of textsOfVisitor(visitor)) free.run(workspace, text, key)
      for (const object of relationships.keys()) {
        if (unlink.run(workspace, object, key).changes !== 0) shrink.run(rowId(workspace, object))
      }
      forgetLeaves.run(workspace, key)
      removeSubject.run(rowId(workspace, key))
    }
  }
}
