import { withoutDeletedLinks } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsToRewrite, type Progress } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { reportRedactor } from "./reportRedactor.ts"

/** Removes a deleted subject from the documents of other subjects and from the reports on its deliveries. */
interface ReferenceRemover {
  /**
   * Returns whether documents of people or visitors refer to the subject. If so, the subject is an object or a segment.
   */
  isNamedByHolders(deleted: SubjectKey): boolean
  /** Removes references from documents at a cost of about `rowsMax` rows, but from at least one document. */
  some(deleted: SubjectKey, before: Sequence, rowsMax: number): Progress
}

/** Prepares the statements that remove references. `redact` removes the details of an entry. */
export const referenceRemover = (
  database: Database,
  redact: (sequence: number) => unknown,
): ReferenceRemover => {
  const linksTo = database.prepare(
    "SELECT subject, cleaned FROM links WHERE target = ? ORDER BY subject LIMIT ?",
  )
  const subjectAt = database.prepare("SELECT * FROM subjects WHERE key = ?")
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const saveProgress = database.prepare("UPDATE links SET cleaned = ? WHERE target = ? AND subject = ?")
  const removeSize = database.prepare("DELETE FROM sizes WHERE subject = ?")
  const redactReports = reportRedactor(database)

  /**
   * Removes references to the subject from one document. For the document of a delivery, first redacts the reports on
   * that delivery.
   */
  const clean = (deleted: SubjectKey, before: Sequence, link: Row): Progress => {
    const key = subjectKey(integer(link["subject"]))
    const row = subjectAt.get(key)
    const subject = row === undefined ? undefined : subjectFromRow(row)
    const reports = subject?._tag === "Delivery" ? cleanReports(deleted, before, key, link) : noReports
    if (!reports.isDone) return reports
    const cleaned =
      subject === undefined ? undefined : withoutDeletedLinks(subject, (other) => other === deleted)
    if (cleaned !== undefined) save.run(subjectRow(cleaned).doc, key)
    unlink.run(deleted, key)
    const bytes = row === undefined ? 0 : text(row["doc"]).length
    return { rows: reports.rows + rowsToRewrite(bytes), isDone: true }
  }

  const cleanReports = (deleted: SubjectKey, before: Sequence, delivery: SubjectKey, link: Row): Progress => {
    const redacted = redactReports(redact, delivery, before, integer(link["cleaned"]))
    saveProgress.run(redacted.to, deleted, delivery)
    return redacted
  }

  return {
    isNamedByHolders: (deleted) => {
      const [link] = linksTo.all(deleted, 1)
      const row = link === undefined ? undefined : subjectAt.get(integer(link["subject"]))
      return row !== undefined && row["state"] !== stateCodes.delivery
    },
    some: (deleted, before, rowsMax) => {
      let rows = 0
      const documents = documentsMax(rowsMax)
      const links = linksTo.all(deleted, documents)
      for (const link of links) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false }
        const cleaned = clean(deleted, before, link)
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false }
      }
      if (links.length === documents) return { rows, isDone: false }
      removeSize.run(deleted)
      return { rows, isDone: true }
    },
  }
}

const noReports: Progress = { rows: 0, isDone: true }
