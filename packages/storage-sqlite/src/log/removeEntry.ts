import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { removeName } from "./facets.ts"
import { runOf } from "./runs.ts"

const removeFromTimelineSql =
  "DELETE FROM timeline WHERE workspace = ? AND run = ? AND subject = ? AND sequence = ?"

/** Deletes parts of entries about objects from the log and from the timeline. */
export const partRemover = (database: Database) => {
  const ofSubject = database.prepare(
    "DELETE FROM entry_parts WHERE workspace = ? AND sequence = ? AND subject = ?",
  )
  const ofEntry = database.prepare(
    "DELETE FROM entry_parts WHERE workspace = ? AND sequence = ? RETURNING subject",
  )
  const redacted = database.prepare(
    "DELETE FROM entry_parts WHERE workspace = ? AND sequence = ? AND place >= 0 RETURNING subject",
  )
  const left = database.prepare("SELECT subject FROM entry_parts WHERE workspace = ? AND sequence = ?")
  const removeFromTimeline = database.prepare(removeFromTimelineSql)
  return {
    /** Deletes an entry's effects (parts) on one person or visitor. */
    ofSubject: (workspace: WorkspaceId, sequence: Sequence, subject: SubjectKey): void => {
      ofSubject.run(workspace, sequence, subject)
      removeFromTimeline.run(workspace, runOf(sequence), subject, sequence)
    },
    /** Deletes all parts of an entry and returns how many it had. */
    ofEntry: (workspace: WorkspaceId, sequence: Sequence): number => {
      const removed = ofEntry.all(workspace, sequence)
      for (const row of removed) {
        removeFromTimeline.run(workspace, runOf(sequence), integer(row["subject"]), sequence)
      }
      return removed.length
    },
    /**
     * Deletes the parts of an entry whose subject is deleted. Those stay that say what the operation overwrote of people
     * who are still there. Returns the number of deleted parts, and whether parts are left.
     */
    ofRedacted: (workspace: WorkspaceId, sequence: Sequence): { count: number; isLeft: boolean } => {
      const removed = redacted.all(workspace, sequence)
      const others = new Set(left.all(workspace, sequence).map((row) => integer(row["subject"])))
      for (const row of removed) {
        const subject = integer(row["subject"])
        if (!others.has(subject)) removeFromTimeline.run(workspace, runOf(sequence), subject, sequence)
      }
      return { count: removed.length, isLeft: others.size > 0 }
    },
  }
}

/** Deletes an entry and its parts from the log and from the indexes of the log. Returns the number of deleted parts. */
export const removeEntry = (
  database: Database,
): ((workspace: WorkspaceId, sequence: Sequence, subject: SubjectKey | null) => number) => {
  const remove = database.prepareByPlace("DELETE FROM activity WHERE id = ? RETURNING name, parts")
  const removeFromFacet = removeName(database)
  const removeFromTimeline = database.prepare(removeFromTimelineSql)
  const parts = partRemover(database)
  return (workspace, sequence, subject) => {
    const [name, partBytes = null] = Object.values(remove.get(rowId(workspace, sequence)) ?? {})
    if (typeof name === "string") removeFromFacet(workspace, sequence, name)
    if (subject !== null) removeFromTimeline.run(workspace, runOf(sequence), subject, sequence)
    return partBytes === null ? 0 : parts.ofEntry(workspace, sequence)
  }
}
