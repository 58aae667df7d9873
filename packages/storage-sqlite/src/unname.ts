import type { SubjectKey } from "@inlet/core/Identifier"
import { changed } from "@inlet/core/person/Person"
import type { Subject } from "@inlet/core/Subject"
import { integer } from "./columns.ts"
import type { Database } from "./Database.ts"
import { columnsOf, subjectKey, subjectOf } from "./subjects.ts"
import { readTimeline } from "./timeline.ts"

/** Reports of one delivery that a step redacts. */
const reportsPerStep = 100

/**
 * Takes what was erased out of the documents of those who name it, of at most `max` of them, and out of the reports of
 * deliveries to whoever is gone. Gives how many there were: fewer than asked for once nobody is left.
 */
export const unnamer = (
  database: Database,
  redact: (sequence: number) => void,
): ((gone: SubjectKey, max: number) => number) => {
  const naming = database.prepare(
    "SELECT links.subject AS naming, links.cleaned, found.* FROM links LEFT JOIN subjects AS found ON found.key = links.subject WHERE target = ? ORDER BY links.subject LIMIT ?",
  )
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const note = database.prepare("UPDATE links SET cleaned = ? WHERE target = ? AND subject = ?")
  const timeline = readTimeline(database)
  const uncount = database.prepare("DELETE FROM segment_sizes WHERE segment = ?")

  /** Redacts the next reports of a delivery; false where there may be more. */
  const redactReports = (gone: SubjectKey, delivery: SubjectKey, cleaned: number): boolean => {
    const found = timeline(delivery, cleaned, "asc", reportsPerStep)
    for (const sequence of found) redact(sequence)
    note.run(found.at(-1) ?? cleaned, gone, delivery)
    return found.length < reportsPerStep
  }

  return (gone, max) => {
    const rows = naming.all(gone, max)
    for (const row of rows) {
      const key = subjectKey(integer(row["naming"]))
      const subject = row["key"] === null ? undefined : subjectOf(row)
      if (subject?._tag === "Delivery" && !redactReports(gone, key, integer(row["cleaned"]))) return max
      const left = subject === undefined ? undefined : without(subject, gone)
      if (left !== undefined) save.run(columnsOf(left).doc, key)
      unlink.run(gone, key)
    }
    if (rows.length < max) uncount.run(gone)
    return rows.length
  }
}

/** Somebody without their relationship to an object, or a place in a segment, that is gone; a delivery without what says to whom it went. */
const without = (subject: Subject, gone: SubjectKey): Subject | undefined => {
  switch (subject._tag) {
    case "Person":
      return changed(subject, {
        relationships: withoutKey(subject.relationships, gone),
        segments: subject.segments.filter((key) => key !== gone),
      })
    case "Visitor":
      return { ...subject, relationships: withoutKey(subject.relationships, gone) }
    case "Delivery":
      return { ...subject, recipient: null, subject: null }
    case "Attached":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
      return undefined
  }
}

const withoutKey = <V>(map: ReadonlyMap<SubjectKey, V>, gone: SubjectKey): ReadonlyMap<SubjectKey, V> =>
  new Map([...map].filter(([key]) => key !== gone))
