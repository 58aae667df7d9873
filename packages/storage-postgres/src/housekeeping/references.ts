import { withoutDeletedLinks, type Subject } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { sliceBytesMax } from "@inlet/storage/ReadBudget"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsToRewrite, type Progress } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { withPlaces } from "../tables/rowPlaces.ts"
import { subjectColumns } from "../read/subjects.ts"
import { redactReports } from "./reports.ts"

/*
 * Removes references to a deleted person, object or segment from reports on deliveries and from documents. The table
 * `links` lists the documents that contain references.
 */

/**
 * Selects links to a deleted person, object or segment. Each row also contains the columns of the document that holds
 * the reference. These columns are null if the document no longer exists.
 */
const linksSql = `
  SELECT * FROM (
    SELECT links.subject AS linked, links.cleaned, ${subjectColumns}, coalesce(octet_length(found.doc), 0) AS bytes,
      coalesce(sum(octet_length(found.doc)) OVER (
        ORDER BY links.subject ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0) AS bytes_before
    FROM (
      SELECT subject, cleaned FROM links WHERE workspace = $1 AND target = $2 ORDER BY subject LIMIT $3
    ) AS links
    LEFT JOIN subjects AS found ON found.workspace = $1 AND found.key = links.subject
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY linked`

/**
 * Reads the next links to a deleted person, object or segment. Reads about as many links as a housekeeping step with a
 * budget of `rowsMax` rows can remove, but at least one.
 */
export const readLinksTo = (
  connection: Connection,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  rowsMax: number,
): Effect.Effect<ReadonlyArray<Row>, DatabaseError> =>
  connection.query(linksSql, [workspace, deleted, documentsMax(rowsMax)])

/**
 * Returns whether people or visitors refer to the deleted subject. People and visitors can refer only to objects and
 * segments.
 */
export const isNamedByHolders = ([link]: ReadonlyArray<Row>): boolean =>
  link !== undefined && link["key"] !== null && link["state"] !== stateCodes.delivery

/**
 * Removes the given links to the deleted person, object or segment, and the references in the linked documents. If a
 * linked document is a delivery, also removes the references in the reports on the delivery. Stops after about
 * `rowsMax` rows, but processes at least one link. Returns the number of rows that were read or written.
 */
export const removeReferences = (
  connection: Connection,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  before: Sequence,
  links: ReadonlyArray<Row>,
  rowsMax: number,
): Effect.Effect<number, DatabaseError> =>
  Effect.gen(function* () {
    const cleaned: Array<CleanedLink> = []
    let rows = 0
    for (const link of links) {
      if (rows > 0 && rows >= rowsMax) break
      const subject = link["key"] === null ? undefined : subjectFromRow(link)
      if (subject?._tag === "Delivery") {
        const reports = yield* cleanReports(connection, workspace, deleted, before, link)
        rows += reports.rows
        if (!reports.isDone) break
      }
      rows += rowsToRewrite(integer(link["bytes"]))
      cleaned.push({ key: subjectKey(integer(link["linked"])), doc: cleanedDocument(subject, deleted) })
    }
    yield* saveCleaned(connection, workspace, deleted, cleaned)
    return rows
  })

interface CleanedLink {
  readonly key: SubjectKey
  /**
   * The document without the reference to the deleted person, object or segment. Null if the document need not change.
   */
  readonly doc: string | null
}

const cleanedDocument = (subject: Subject | undefined, deleted: SubjectKey): string | null => {
  const cleaned =
    subject === undefined ? undefined : withoutDeletedLinks(subject, (other) => other === deleted)
  return cleaned === undefined ? null : subjectRow(cleaned).doc
}

const cleanReports = (
  connection: Connection,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  before: Sequence,
  link: Row,
): Effect.Effect<Progress, DatabaseError> =>
  Effect.gen(function* () {
    const delivery = subjectKey(integer(link["linked"]))
    const from = integer(link["cleaned"])
    const redacted = yield* redactReports(connection, workspace, delivery, before, from, () => true)
    if (!redacted.isDone) {
      yield* connection.execute(
        "UPDATE links SET cleaned = $4 WHERE workspace = $1 AND target = $2 AND subject = $3",
        [workspace, deleted, delivery, redacted.to],
      )
    }
    return redacted
  })

const saveSql = `
  WITH saved AS (
    UPDATE subjects SET doc = places.doc
    FROM (${withPlaces("subjects", "unnest($3::bigint[], $4::text[]) AS wanted (key, doc)", "key = wanted.key AND wanted.doc IS NOT NULL")}) AS places
    WHERE subjects.ctid = places.place
  )
  DELETE FROM links WHERE workspace = $1 AND target = $2 AND subject = ANY($3::bigint[])`

const saveCleaned = (
  connection: Connection,
  workspace: WorkspaceId,
  deleted: SubjectKey,
  cleaned: ReadonlyArray<CleanedLink>,
): Effect.Effect<void, DatabaseError> =>
  cleaned.length === 0
    ? Effect.void
    : Effect.asVoid(
        connection.execute(saveSql, [
          workspace,
          deleted,
          int8s(cleaned.map(({ key }) => key)),
          texts(cleaned.map(({ doc }) => doc)),
        ]),
      )
