import { isExpiredVisitor } from "@inlet/core/state/Subject"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { stateCodes } from "@inlet/storage/codes"
import { textsOfVisitor } from "@inlet/storage/erasurePlan"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { partRemover, removeEntry } from "../log/removeEntry.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"

/** Removes anonymous visitors past their retention, with their entries. */
export const visitorRemover = (
  database: Database,
  cache: SubjectCache,
): ((budget: SweepBudget, now: EpochMillis) => void) => {
  const oldest = database.prepare(
    `SELECT * FROM subjects WHERE state = ${stateCodes.anonymous} ORDER BY updated LIMIT 1`,
  )
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  const subjectOfEntry = database.prepare("SELECT subject FROM activity WHERE sequence = ?")
  const remove = removeEntry(database)
  const parts = partRemover(database)
  const removeSubject = database.prepare("DELETE FROM subjects WHERE key = ?")
  const free = database.prepare("DELETE FROM identifiers WHERE text = ? AND subject = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const shrink = database.prepare("UPDATE sizes SET size = size - 1 WHERE subject = ?")

  return (budget, now) => {
    while (!budget.isSpent) {
      const row = oldest.get()
      const visitor = row === undefined ? undefined : subjectFromRow(row)
      if (visitor?._tag !== "Visitor" || !isExpiredVisitor(visitor, now)) return
      cache.clear()
      budget.rowsLeft -= rowsPerLook(counters())
      const { devices, key, relationships } = visitor
      const { room } = budget
      const found = timeline(key, 0, "asc", room)
      for (const sequence of found) {
        if (subjectOfEntry.get(sequence)?.["subject"] === key) remove(sequence, key)
        else parts.ofSubject(sequence, key)
      }
      budget.entries += found.length
      budget.rowsLeft -= found.length
      if (found.length === room) return
      budget.rowsLeft -= devices.size + relationships.size
      for (const text of textsOfVisitor(visitor)) free.run(text, key)
      for (const object of relationships.keys()) {
        if (unlink.run(object, key).changes !== 0) shrink.run(object)
      }
      removeSubject.run(key)
    }
  }
}
