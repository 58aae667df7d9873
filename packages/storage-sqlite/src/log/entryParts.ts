import type { ActivityEntry, EntryPart } from "@inlet/core/log/ActivityEntry"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { sequenceOf } from "@inlet/storage/entryRows"
import { partFromRow, partRow } from "@inlet/storage/partRows"
import { forgetName } from "./facets.ts"
import { subjectKey } from "@inlet/storage/subjectRows"
import { runOf } from "./runs.ts"

/*
 * Parts of entries have rows of their own, so that erasing one person out of an entry that names a thousand costs one row.
 * A part is filed in the timeline at once: the background index reads the subjects of the log alone.
 */

/** Saves the parts of an entry and files it under their subjects. Returns the bytes of their documents. */
export const partWriter = (database: Database): ((entry: ActivityEntry) => number) => {
  const insert = database.prepare(
    "INSERT INTO entry_parts (sequence, subject, place, doc) VALUES (?, ?, ?, ?)",
  )
  const file = database.prepare("INSERT OR IGNORE INTO timeline (run, subject, sequence) VALUES (?, ?, ?)")
  return ({ parts, sequence }) => {
    let bytes = 0
    for (const [place, part] of parts.entries()) {
      const bindings = partRow(sequence, place, part)
      insert.run(...bindings)
      file.run(runOf(sequence), part.subject, sequence)
      bytes += bindings[3].length
    }
    return bytes
  }
}

/** Adds their parts to entries, in two statements; those of subjects that were deleted are left out. */
export const partReader = (
  database: Database,
): ((
  entries: ReadonlyArray<ActivityEntry>,
  withParts: ReadonlySet<Sequence>,
) => ReadonlyArray<ActivityEntry>) => {
  const statement = database.prepare(
    "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN entry_parts AS found ON found.sequence = wanted.value ORDER BY found.sequence, found.place",
  )
  const erased = erasedReader(database)
  return (entries, withParts) => {
    if (withParts.size === 0) return entries
    const parts = new Map<Sequence, Array<EntryPart>>()
    const subjects = new Set<SubjectKey>()
    for (const row of statement.all(JSON.stringify([...withParts]))) {
      const sequence = sequenceOf(integer(row["sequence"]))
      const part = partFromRow(row)
      const before = parts.get(sequence)
      if (before === undefined) parts.set(sequence, [part])
      else before.push(part)
      subjects.add(part.subject)
    }
    const isErased = erased(subjects)
    return entries.map((entry) => {
      const own = parts.get(entry.sequence)?.filter(({ subject }) => !isErased.has(subject))
      return own === undefined ? entry : { ...entry, parts: own }
    })
  }
}

/**
 * Reads which of the keys are of erased subjects. The index holds erased subjects alone, of which there are few: one lookup
 * costs far less than one in the table. No entry recorded after a deletion names the key again.
 */
const erasedReader = (database: Database): ((keys: ReadonlySet<SubjectKey>) => ReadonlySet<SubjectKey>) => {
  const statement = database.prepareByPlace(
    `SELECT found.key FROM json_each(?) AS wanted CROSS JOIN subjects AS found INDEXED BY erased ON found.key = wanted.value WHERE state = ${stateCodes.erased}`,
  )
  return (keys) =>
    new Set(
      (keys.size === 0 ? [] : statement.all(JSON.stringify([...keys]))).map((row) =>
        subjectKey(integer(row[0])),
      ),
    )
}

/** Removes parts from the database: those of one subject, or of a whole entry. Returns how many. */
export const partRemover = (database: Database) => {
  const ofSubject = database.prepare("DELETE FROM entry_parts WHERE sequence = ? AND subject = ?")
  const ofEntry = database.prepare("DELETE FROM entry_parts WHERE sequence = ? RETURNING subject")
  const unfile = database.prepare("DELETE FROM timeline WHERE run = ? AND subject = ? AND sequence = ?")
  return {
    ofSubject: (sequence: number, subject: number): void => {
      ofSubject.run(sequence, subject)
      unfile.run(runOf(sequence), subject, sequence)
    },
    ofEntry: (sequence: number): number => {
      const removed = ofEntry.all(sequence)
      for (const row of removed) unfile.run(runOf(sequence), integer(row["subject"]), sequence)
      return removed.length
    },
  }
}

/** Removes an entry with its parts from the log and the timeline, and its name from the facets. Returns how many parts it had. */
export const removeEntry = (database: Database): ((sequence: number, subject: number | null) => number) => {
  const ofLog = database.prepareByPlace(
    "DELETE FROM activity WHERE sequence = ? RETURNING workspace, name, parts",
  )
  const forget = forgetName(database)
  const unfile = database.prepare("DELETE FROM timeline WHERE run = ? AND subject = ? AND sequence = ?")
  const parts = partRemover(database)
  return (sequence, subject) => {
    const [workspace, name, partBytes = null] = Object.values(ofLog.get(sequence) ?? {})
    if (typeof name === "string") forget(integer(workspace), sequence, name)
    if (subject !== null) unfile.run(runOf(sequence), subject, sequence)
    return partBytes === null ? 0 : parts.ofEntry(sequence)
  }
}
