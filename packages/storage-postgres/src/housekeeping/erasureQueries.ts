import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { stateCodes } from "@inlethq/storage/columns/codes"
import type { ErasureQueries } from "@inlethq/storage/erasing/ErasureQueries"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { erasedDocumentIn } from "@inlethq/storage/rows/subjectRows"
import { rowsPerDocument } from "@inlethq/storage/budgets/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { subjectColumns } from "../read/subjects.ts"
import { inBothForms } from "../tables/rowForms.ts"
import { statementsOn } from "../tables/tables.ts"
import { entryQueries } from "./entries.ts"
import { logQueries } from "./logs.ts"
import type { Queries } from "./Queries.ts"
import { visitorQueries } from "./visitors.ts"

/** The statements of housekeeping in one workspace, of which the transaction has locked the head. */
export const erasureQueries = (
  connection: Connection,
  workspace: WorkspaceId,
): ErasureQueries<DatabaseError> => ({
  ask: statementsOn(connection),
  ...subjectQueries(connection, workspace),
  ...linkQueries(connection),
  ...entryQueries(connection),
  ...visitorQueries(connection, workspace),
  ...logQueries(connection),
})

const nextSql = `
  SELECT key, state, doc FROM subjects WHERE workspace = $1 AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  ORDER BY state, key LIMIT 1`

const postponeSql = `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = $3 WHERE workspace = $1 AND key = $2`

const removeSql = `
  WITH resized AS (DELETE FROM sizes WHERE workspace = $1 AND subject = $2),
  unsized AS (DELETE FROM segment_sizes WHERE workspace = $1 AND segment = $2),
  forgotten AS (DELETE FROM leaf_states WHERE workspace = $1 AND subject = $2),
  undismissed AS (
    DELETE FROM dismissals WHERE workspace = $1 AND (subject = $2 OR (other = $2 AND subject IN (
      SELECT other FROM dismissals WHERE workspace = $1 AND subject = $2
    )))
  )
  DELETE FROM subjects WHERE workspace = $1 AND key = $2`

const subjectQueries = (
  connection: Connection,
  workspace: WorkspaceId,
): Queries<"rowsPerSubject" | "nextDeleted" | "saveDocument" | "postpone" | "removeSubject"> => ({
  // Each deleted subject costs several statements, even if there is little data to erase.
  rowsPerSubject: rowsPerDocument,
  nextDeleted: Effect.map(connection.query(nextSql, [workspace]), ([row]) =>
    row === undefined
      ? undefined
      : {
          workspace,
          key: subjectKey(integer(row["key"])),
          state: integer(row["state"]),
          document: erasedDocumentIn(row),
        },
  ),
  saveDocument: (owner, key, doc) =>
    connection.execute("UPDATE subjects SET doc = $3 WHERE workspace = $1 AND key = $2", [owner, key, doc]),
  postpone: (owner, key, doc) => connection.execute(postponeSql, [owner, key, doc]),
  removeSubject: (owner, key) => connection.execute(removeSql, [owner, key]),
})

const linksSql = `
  SELECT * FROM (
    SELECT links.subject AS linked, links.cleaned, ${subjectColumns}, coalesce(octet_length(found.doc), 0) AS bytes,
      coalesce(sum(octet_length(found.doc)) OVER (
        ORDER BY links.subject ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0)::bigint AS bytes_before
    FROM (
      SELECT subject, cleaned FROM links WHERE workspace = $1 AND target = $2 ORDER BY subject LIMIT $3
    ) AS links
    LEFT JOIN subjects AS found ON found.workspace = $1 AND found.key = links.subject
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY linked`

const saveCleanedSql = inBothForms(
  (rows) => `
  WITH saved AS (
    UPDATE subjects SET doc = wanted.doc
    ${rows.fromListed("subjects", "unnest($3::bigint[], $4::text[]) AS wanted (key, doc)", "subjects.key = wanted.key AND wanted.doc IS NOT NULL")}
  )
  DELETE FROM links WHERE workspace = $1 AND target = $2 AND subject = ANY($3::bigint[])`,
)

const deliveriesSql = `
  SELECT ${subjectColumns}, addressed.cleaned FROM (
    SELECT delivery, cleaned FROM addressed WHERE workspace = $1 AND address = $2 AND delivery > $3 ORDER BY delivery LIMIT $4
  ) AS addressed
  JOIN subjects AS found ON found.workspace = $1 AND found.key = addressed.delivery
  ORDER BY found.key`

const linkQueries = (connection: Connection): Queries<"linksTo" | "saveCleaned" | "addressedTo"> => ({
  linksTo: (workspace, target, limit) =>
    Effect.map(connection.query(linksSql, [workspace, target, limit]), (rows) => {
      const last = rows.at(-1)
      const bytes = last === undefined ? 0 : integer(last["bytes_before"]) + integer(last["bytes"])
      return { rows, isAll: rows.length < limit && bytes < sliceBytesMax }
    }),
  saveCleaned: (workspace, target, cleaned) =>
    connection.execute(saveCleanedSql[connection.rowForm], [
      workspace,
      target,
      int8s(cleaned.map(({ key }) => key)),
      texts(cleaned.map(({ doc }) => doc)),
    ]),
  addressedTo: (workspace, address, after, limit) =>
    connection.query(deliveriesSql, [workspace, address, after, limit]),
})
