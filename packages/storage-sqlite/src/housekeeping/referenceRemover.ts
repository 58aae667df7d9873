import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { withoutDeletedLinks } from "@inlet/core/state/Subject"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { columnsOf, subjectKey, subjectOf } from "@inlet/storage/subjectRows"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"

/** Reports of one delivery that a step redacts. */
const reportsPerStep = 100

/** What it costs, in rows, to write a document without something that is gone. */
export const rowsPerDocument = 10
const documentBytesPerRow = 1024

/** What a part of a step cost, in rows, and whether nothing is left to do for the subject. */
export interface Progress {
  readonly rows: number
  readonly isDone: boolean
}

/** Removes what was erased from the documents of those who name it, and from the reports about deliveries to it. */
interface ReferenceRemover {
  /** Whether people or visitors name it: then it is an object or a segment. */
  isNamedByHolders(gone: SubjectKey): boolean
  /** Cleans documents, at least one, at the cost of about so many rows. */
  some(gone: SubjectKey, before: Sequence, rowsMax: number): Progress
}

/** Redacts the next reports of a delivery after `from` that were recorded before a position; returns how far it came. */
export const reportRedactor = (database: Database) => {
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  return (
    redact: (sequence: number) => unknown,
    delivery: SubjectKey,
    before: Sequence,
    from: number,
  ): Progress & { readonly to: number } => {
    const found = timeline(delivery, from, "asc", reportsPerStep)
    const earlier = found.filter((sequence) => sequence < before)
    for (const sequence of earlier) redact(sequence)
    return {
      rows: rowsPerLook(counters()) + found.length,
      isDone: earlier.length < reportsPerStep,
      to: earlier.at(-1) ?? from,
    }
  }
}

export const referenceRemover = (
  database: Database,
  redact: (sequence: number) => unknown,
): ReferenceRemover => {
  const naming = database.prepare(
    "SELECT subject, cleaned FROM links WHERE target = ? ORDER BY subject LIMIT ?",
  )
  const subjectAt = database.prepare("SELECT * FROM subjects WHERE key = ?")
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const note = database.prepare("UPDATE links SET cleaned = ? WHERE target = ? AND subject = ?")
  const uncount = database.prepare("DELETE FROM sizes WHERE subject = ?")
  const redactReports = reportRedactor(database)

  /** Removes what is gone from one document; of a delivery, its reports come first. */
  const clean = (gone: SubjectKey, before: Sequence, link: Row): Progress => {
    const key = subjectKey(integer(link["subject"]))
    const row = subjectAt.get(key)
    const subject = row === undefined ? undefined : subjectOf(row)
    const reports = subject?._tag === "Delivery" ? reportsOf(gone, before, key, link) : none
    if (!reports.isDone) return reports
    const left = subject === undefined ? undefined : withoutDeletedLinks(subject, (other) => other === gone)
    if (left !== undefined) save.run(columnsOf(left).doc, key)
    unlink.run(gone, key)
    const bytes = row === undefined ? 0 : text(row["doc"]).length
    return { rows: reports.rows + rowsPerDocument + Math.floor(bytes / documentBytesPerRow), isDone: true }
  }

  const reportsOf = (gone: SubjectKey, before: Sequence, delivery: SubjectKey, link: Row): Progress => {
    const redacted = redactReports(redact, delivery, before, integer(link["cleaned"]))
    note.run(redacted.to, gone, delivery)
    return redacted
  }

  return {
    isNamedByHolders: (gone) => {
      const [link] = naming.all(gone, 1)
      const row = link === undefined ? undefined : subjectAt.get(integer(link["subject"]))
      return row !== undefined && row["state"] !== stateCodes.delivery
    },
    some: (gone, before, rowsMax) => {
      let rows = 0
      const documents = Math.max(Math.floor(rowsMax / rowsPerDocument), 1)
      const links = naming.all(gone, documents)
      for (const link of links) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false }
        const cleaned = clean(gone, before, link)
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false }
      }
      if (links.length === documents) return { rows, isDone: false }
      uncount.run(gone)
      return { rows, isDone: true }
    },
  }
}

const none = { rows: 0, isDone: true }
