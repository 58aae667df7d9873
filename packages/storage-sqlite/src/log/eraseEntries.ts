import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { objectKindCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import type { EntryErasures } from "@inlethq/storage/erasing/ErasureQueries"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { removeName } from "./facets.ts"
import { runOf } from "./runs.ts"

const removeFromTimelineSql =
  "DELETE FROM timeline WHERE workspace = ? AND run = ? AND subject = ? AND sequence = ?"

/** Prepares the statements that erase log entries, also in the indexes of the log. */
export const eraseEntries = (
  database: Database,
): ((workspace: WorkspaceId, erasures: EntryErasures) => void) => {
  const redact = database.prepare(`
    UPDATE activity SET claim = CASE WHEN ?1 = 1 OR kind IN (${objectKindCodes}) THEN claim END,
      parts = CASE WHEN ?2 = 1 THEN parts END, reason_code = NULL, anonymous_code = NULL, context = NULL, detail = ?3
    WHERE id = ?4`)
  const remove = removeEntry(database)
  const forgetCall = database.prepare(forgetCallSql)
  const partsOf = partRemover(database)
  return (workspace, { parts, redacted, removed }) => {
    for (const { sequence, subject } of parts) partsOf.ofSubject(workspace, sequence, subject)
    const keepsClaim = new Set(parts.map(({ sequence }) => sequence))
    for (const { detail, sequence } of redacted) {
      const isLeft = partsOf.ofRedacted(workspace, sequence)
      forgetCall.run(workspace, sequence)
      redact.run(keepsClaim.has(sequence) ? 1 : 0, isLeft ? 1 : 0, detail, rowId(workspace, sequence))
    }
    for (const sequence of removed) remove(workspace, sequence)
  }
}

/** What was sent is kept beside some entries, and goes with what they say. */
const forgetCallSql = "DELETE FROM rejected_calls WHERE workspace = ? AND sequence = ?"

/** Deletes parts of entries about objects from the log and from the timeline. */
const partRemover = (database: Database) => {
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
    /** Deletes all parts of an entry. */
    ofEntry: (workspace: WorkspaceId, sequence: Sequence): void => {
      for (const row of ofEntry.all(workspace, sequence)) {
        removeFromTimeline.run(workspace, runOf(sequence), integer(row["subject"]), sequence)
      }
    },
    /**
     * Deletes the parts of an entry whose subject is deleted. Those stay that say what the operation overwrote of people
     * who are still there. Returns whether parts are left.
     */
    ofRedacted: (workspace: WorkspaceId, sequence: Sequence): boolean => {
      const removed = redacted.all(workspace, sequence)
      const others = new Set(left.all(workspace, sequence).map((row) => integer(row["subject"])))
      for (const row of removed) {
        const subject = integer(row["subject"])
        if (!others.has(subject)) removeFromTimeline.run(workspace, runOf(sequence), subject, sequence)
      }
      return others.size > 0
    },
  }
}

/** Deletes an entry and its parts from the log and from the indexes of the log. */
const removeEntry = (database: Database): ((workspace: WorkspaceId, sequence: Sequence) => void) => {
  const remove = database.prepareByPlace("DELETE FROM activity WHERE id = ? RETURNING name, parts, subject")
  const removeFromFacet = removeName(database)
  const removeFromTimeline = database.prepare(removeFromTimelineSql)
  const parts = partRemover(database)
  const forgetCall = database.prepare(forgetCallSql)
  return (workspace, sequence) => {
    forgetCall.run(workspace, sequence)
    const [name, partBytes = null, subject = null] = Object.values(
      remove.get(rowId(workspace, sequence)) ?? {},
    )
    if (typeof name === "string") removeFromFacet(workspace, sequence, name)
    if (subject !== null) removeFromTimeline.run(workspace, runOf(sequence), subject, sequence)
    if (partBytes !== null) parts.ofEntry(workspace, sequence)
  }
}
