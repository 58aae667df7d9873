import { withoutDeletedLinks } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsToRewrite, type Progress } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { subjectColumns } from "../read/subjects.ts"
import { reportRedactor } from "./reportRedactor.ts"

/** Removes the references to a deleted person, object or segment from all documents and from reports on deliveries. */
interface ReferenceRemover {
  /**
   * Returns whether people or visitors refer to the deleted subject. People and visitors can refer only to objects and
   * segments.
   */
  isNamedByHolders(workspace: WorkspaceId, deleted: SubjectKey): boolean
  /** Removes the references from one or more documents. Stops once about `rowsMax` rows were read or written. */
  some(workspace: WorkspaceId, deleted: SubjectKey, before: Sequence, rowsMax: number): Progress
}

/** Prepares the statements that remove references to deleted people, objects and segments. */
export const referenceRemover = (
  database: Database,
  redact: (workspace: WorkspaceId, sequence: Sequence) => unknown,
): ReferenceRemover => {
  const linksTo = database.prepare(
    "SELECT subject, cleaned FROM links WHERE workspace = ? AND target = ? ORDER BY subject LIMIT ?",
  )
  const subjectAt = database.prepare(`SELECT ${subjectColumns} FROM subjects AS found WHERE id = ?`)
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE id = ?")
  const unlink = database.prepare("DELETE FROM links WHERE workspace = ? AND target = ? AND subject = ?")
  const saveProgress = database.prepare(
    "UPDATE links SET cleaned = ? WHERE workspace = ? AND target = ? AND subject = ?",
  )
  const removeSize = database.prepare("DELETE FROM sizes WHERE id = ?")
  const redactReports = reportRedactor(database)

  /**
   * Removes the references to a deleted person, object or segment from one document. If the document belongs to a
   * delivery, first redacts the reports on that delivery.
   */
  const clean = (workspace: WorkspaceId, deleted: SubjectKey, before: Sequence, link: Row): Progress => {
    const key = subjectKey(integer(link["subject"]))
    const row = subjectAt.get(rowId(workspace, key))
    const subject = row === undefined ? undefined : subjectFromRow(row)
    const reports =
      subject?._tag === "Delivery" ? cleanReports(workspace, deleted, before, key, link) : noReports
    if (!reports.isDone) return reports
    const cleaned =
      subject === undefined ? undefined : withoutDeletedLinks(subject, (other) => other === deleted)
    if (cleaned !== undefined) save.run(subjectRow(cleaned).doc, rowId(workspace, key))
    unlink.run(workspace, deleted, key)
    const bytes = row === undefined ? 0 : text(row["doc"]).length
    return { rows: reports.rows + rowsToRewrite(bytes), isDone: true }
  }

  const cleanReports = (
    workspace: WorkspaceId,
    deleted: SubjectKey,
    before: Sequence,
    delivery: SubjectKey,
    link: Row,
  ): Progress => {
    const redactOne = (sequence: Sequence) => redact(workspace, sequence)
    const redacted = redactReports(redactOne, workspace, delivery, before, integer(link["cleaned"]))
    saveProgress.run(redacted.to, workspace, deleted, delivery)
    return redacted
  }

  return {
    isNamedByHolders: (workspace, deleted) => {
      const [link] = linksTo.all(workspace, deleted, 1)
      const key = link === undefined ? undefined : subjectKey(integer(link["subject"]))
      const row = key === undefined ? undefined : subjectAt.get(rowId(workspace, key))
      return row !== undefined && row["state"] !== stateCodes.delivery
    },
    some: (workspace, deleted, before, rowsMax) => {
      let rows = 0
      const documents = documentsMax(rowsMax)
      const links = linksTo.all(workspace, deleted, documents)
      for (const link of links) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false }
        const cleaned = clean(workspace, deleted, before, link)
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false }
      }
      if (links.length === documents) return { rows, isDone: false }
      removeSize.run(rowId(workspace, deleted))
      return { rows, isDone: true }
    },
  }
}

const noReports: Progress = { rows: 0, isDone: true }
