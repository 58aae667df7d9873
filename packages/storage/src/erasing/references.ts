import { withoutDeletedLinks, type Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { integer, type Row } from "../columns/columns.ts"
import { subjectKey } from "../columns/ids.ts"
import { subjectFromRow, subjectRow } from "../rows/subjectRows.ts"
import { rowsToRewrite, type Progress } from "../budgets/sweepBudget.ts"
import { redactReports } from "./entries.ts"
import type { CleanedLink, ErasureQueries } from "./ErasureQueries.ts"
import type { ErasureTally } from "./ErasureTally.ts"

/**
 * Returns whether people or visitors refer to the deleted subject. People and visitors can refer only to objects and
 * segments.
 */
export const isNamedByHolders = ([link]: ReadonlyArray<Row>): boolean =>
  link !== undefined && link["key"] !== null && link["state"] !== stateCodes.delivery

/**
 * Removes the given links to the deleted person, object or segment, and the references in the linked documents. If a
 * linked document is a delivery, also removes the references in the reports on the delivery. Stops after about
 * `rowsMax` rows, but processes at least one link. In the result, `isDone` is true if it has processed all given links.
 */
export const removeReferences = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  before: Sequence,
  links: ReadonlyArray<Row>,
  rowsMax: number,
  tally: ErasureTally,
): Effect.fn.Return<Progress, E> {
  const cleaned: Array<CleanedLink> = []
  let rows = 0
  for (const link of links) {
    if (rows > 0 && rows >= rowsMax) break
    const subject = link["key"] === null ? undefined : subjectFromRow(link)
    if (subject?._tag === "Delivery") {
      const reports = yield* cleanReports(queries, workspace, deleted, before, link, tally)
      rows += reports.rows
      if (!reports.isDone) break
    }
    if (subject?._tag === "Delivery") tally.add({ deliveries: 1 })
    rows += rowsToRewrite(integer(link["bytes"]))
    cleaned.push({ key: subjectKey(integer(link["linked"])), doc: cleanedDocument(subject, deleted) })
  }
  if (cleaned.length > 0) yield* queries.saveCleaned(workspace, deleted, cleaned)
  return { rows, isDone: cleaned.length === links.length }
})

const cleanedDocument = (subject: Subject | undefined, deleted: SubjectKey): string | null => {
  const cleaned =
    subject === undefined ? undefined : withoutDeletedLinks(subject, (other) => other === deleted)
  return cleaned === undefined ? null : subjectRow(cleaned).doc
}

const cleanReports = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  before: Sequence,
  link: Row,
  tally: ErasureTally,
): Effect.fn.Return<Progress, E> {
  const delivery = subjectKey(integer(link["linked"]))
  const from = integer(link["cleaned"])
  const redacted = yield* redactReports(queries, workspace, delivery, before, from, () => true, tally)
  if (!redacted.isDone) {
    yield* queries.ask.run(
      "UPDATE links SET cleaned = $4 WHERE workspace = $1 AND target = $2 AND subject = $3",
      workspace,
      deleted,
      delivery,
      redacted.to,
    )
  }
  return redacted
})
