import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { removeName } from "./facets.ts"
import { runOf } from "./runs.ts"

/** Deletes parts of entries from the log and from the timeline (the index by subject). */
export const partRemover = (database: Database) => {
  const ofSubject = database.prepare("DELETE FROM entry_parts WHERE sequence = ? AND subject = ?")
  const ofEntry = database.prepare("DELETE FROM entry_parts WHERE sequence = ? RETURNING subject")
  const removeFromTimeline = database.prepare(
    "DELETE FROM timeline WHERE run = ? AND subject = ? AND sequence = ?",
  )
  return {
    /** Deletes those parts of an entry that are about a subject. */
    ofSubject: (sequence: number, subject: number): void => {
      ofSubject.run(sequence, subject)
      removeFromTimeline.run(runOf(sequence), subject, sequence)
    },
    /** Deletes all parts of an entry. Returns the number of deleted parts. */
    ofEntry: (sequence: number): number => {
      const removed = ofEntry.all(sequence)
      for (const row of removed) removeFromTimeline.run(runOf(sequence), integer(row["subject"]), sequence)
      return removed.length
    },
  }
}

/** Deletes an entry with its parts from the log, the timeline and the facets. Returns the number of deleted parts. */
export const removeEntry = (database: Database): ((sequence: number, subject: number | null) => number) => {
  const remove = database.prepareByPlace(
    "DELETE FROM activity WHERE sequence = ? RETURNING workspace, name, parts",
  )
  const removeFromFacet = removeName(database)
  const removeFromTimeline = database.prepare(
    "DELETE FROM timeline WHERE run = ? AND subject = ? AND sequence = ?",
  )
  const parts = partRemover(database)
  return (sequence, subject) => {
    const [workspace, name, partBytes = null] = Object.values(remove.get(sequence) ?? {})
    if (typeof name === "string") removeFromFacet(integer(workspace), sequence, name)
    if (subject !== null) removeFromTimeline.run(runOf(sequence), subject, sequence)
    return partBytes === null ? 0 : parts.ofEntry(sequence)
  }
}
