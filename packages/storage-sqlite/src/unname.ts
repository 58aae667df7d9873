import type { SubjectKey } from "@inlet/core/Identifier"
import { withoutGone } from "@inlet/core/Subject"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import { readCounters } from "./counters.ts"
import type { Database } from "./Database.ts"
import { columnsOf, subjectKey, subjectOf } from "./subjects.ts"
import { readTimeline, rowsPerLook } from "./timeline.ts"

/** Reports of one delivery that a step redacts. */
const reportsPerStep = 100

/** What it costs, in rows, to write a document without something that is gone. */
const rowsPerDocument = 10
const documentBytesPerRow = 1024

/** Takes what was erased out of the documents of those who name it, and out of the reports of deliveries to whoever is gone. */
interface Unnamer {
  /** Whether people or visitors name it: then it is an object or a segment. */
  isNamedByHolders(gone: SubjectKey): boolean
  /** Cleans documents at the cost of about so many rows, at least one; tells what it cost, and whether nobody is left. */
  some(gone: SubjectKey, rowsMax: number): { readonly rows: number; readonly isDone: boolean }
}

export const unnamer = (database: Database, redact: (sequence: number) => void): Unnamer => {
  const counters = readCounters(database)
  const naming = database.prepare(
    "SELECT subject, cleaned FROM links WHERE target = ? ORDER BY subject LIMIT ?",
  )
  const subjectAt = database.prepare("SELECT * FROM subjects WHERE key = ?")
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const note = database.prepare("UPDATE links SET cleaned = ? WHERE target = ? AND subject = ?")
  const timeline = readTimeline(database)
  const uncount = database.prepare("DELETE FROM segment_sizes WHERE segment = ?")

  /** Takes what is gone out of one document; its reports come first where it is of a delivery. */
  const clean = (gone: SubjectKey, link: Row): { readonly rows: number; readonly isDone: boolean } => {
    const key = subjectKey(integer(link["subject"]))
    const row = subjectAt.get(key)
    const subject = row === undefined ? undefined : subjectOf(row)
    const reports = subject?._tag === "Delivery" ? redactReports(gone, key, integer(link["cleaned"])) : none
    if (!reports.isDone) return reports
    const left = subject === undefined ? undefined : withoutGone(subject, (other) => other === gone)
    if (left !== undefined) save.run(columnsOf(left).doc, key)
    unlink.run(gone, key)
    const bytes = row === undefined ? 0 : text(row["doc"]).length
    return { rows: reports.rows + rowsPerDocument + Math.floor(bytes / documentBytesPerRow), isDone: true }
  }

  /** Redacts the next reports of a delivery. */
  const redactReports = (gone: SubjectKey, delivery: SubjectKey, cleaned: number) => {
    const found = timeline(delivery, cleaned, "asc", reportsPerStep)
    for (const sequence of found) redact(sequence)
    note.run(found.at(-1) ?? cleaned, gone, delivery)
    return { rows: rowsPerLook(counters()) + found.length, isDone: found.length < reportsPerStep }
  }

  return {
    isNamedByHolders: (gone) => {
      const [link] = naming.all(gone, 1)
      const row = link === undefined ? undefined : subjectAt.get(integer(link["subject"]))
      return row !== undefined && row["state"] !== stateCodes.delivery
    },
    some: (gone, rowsMax) => {
      let rows = 0
      const documents = Math.max(Math.floor(rowsMax / rowsPerDocument), 1)
      const links = naming.all(gone, documents)
      for (const link of links) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false }
        const cleaned = clean(gone, link)
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
