import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { textsOfVisitor } from "@inlethq/storage/erasing/erasurePlan"
import { sequenceOf, subjectKey } from "@inlethq/storage/columns/ids"
import { sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { subjectColumns } from "../read/subjects.ts"
import { shortened } from "../tables/indexedText.ts"
import { inBothForms } from "../tables/rowForms.ts"
import type { Queries } from "./Queries.ts"

const visitorsSql = `
  SELECT * FROM (
    SELECT found.*, coalesce(sum(octet_length(doc)) OVER (
      ORDER BY updated, key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (
      SELECT ${subjectColumns} FROM subjects AS found
      WHERE workspace = $1 AND seen < $2 ORDER BY seen, key LIMIT $3
    ) AS found
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY updated, key`

/**
 * Selects up to `$3` log entries of the visitors in `$2`, in the order of the visitors. `is_own` is true for entries
 * about the visitor. `is_own` is false for entries about an object that record an effect on the visitor.
 */
const entriesSql = `
  SELECT wanted.key, found.sequence, found.is_own FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (key, place)
  CROSS JOIN LATERAL (
    (SELECT sequence, true AS is_own FROM activity WHERE workspace = $1 AND subject = wanted.key ORDER BY sequence LIMIT $3)
    UNION ALL
    (SELECT parts.sequence, false FROM entry_parts AS parts
      WHERE parts.workspace = $1 AND parts.subject = wanted.key
        AND NOT EXISTS (SELECT FROM activity WHERE workspace = $1 AND sequence = parts.sequence AND subject = wanted.key)
      ORDER BY parts.sequence LIMIT $3)
  ) AS found
  ORDER BY wanted.place LIMIT $3`

const removeSql = inBothForms(
  (rows) => `
  WITH freed AS (
    DELETE FROM identifiers
    WHERE ${rows.listed("identifiers", "unnest($3::text[], $4::bigint[]) AS wanted (text, key)", 'identifiers.text = wanted.text COLLATE "C" AND identifiers.subject = wanted.key')}
  ),
  unlinked AS (
    DELETE FROM links
    WHERE ${rows.listed("links", "unnest($5::bigint[], $6::bigint[]) AS wanted (object, key)", "links.target = wanted.object AND links.subject = wanted.key")}
    RETURNING target
  ),
  resized AS (
    UPDATE sizes SET size = size - wanted.count
    ${rows.fromListed("sizes", "(SELECT target, count(*) AS count FROM unlinked GROUP BY target) AS wanted", "sizes.subject = wanted.target")}
  ),
  forgotten AS (DELETE FROM leaf_states WHERE workspace = $1 AND subject = ANY($2::bigint[]))
  DELETE FROM subjects WHERE workspace = $1 AND key = ANY($2::bigint[])`,
)

/** Finds the visitors of one workspace only. */
export const visitorQueries = (
  connection: Connection,
  own: WorkspaceId,
): Queries<"expiredVisitors" | "entriesOfVisitors" | "removeVisitors"> => ({
  expiredVisitors: (seenBefore, limit) => connection.query(visitorsSql, [own, seenBefore, limit]),
  entriesOfVisitors: (workspace, keys, count) =>
    Effect.map(connection.queryByIndex(entriesSql, [workspace, int8s(keys), count]), (rows) => ({
      entries: rows.map(([key, sequence, isOwn]) => ({
        key: subjectKey(integer(key)),
        sequence: sequenceOf(integer(sequence)),
        isOwn: isOwn === true,
      })),
      cost: 0,
    })),
  removeVisitors: (workspace, visitors) => {
    const named = visitors.flatMap((visitor) =>
      textsOfVisitor(visitor).map((text) => ({ text: shortened(text), key: visitor.key })),
    )
    const related = visitors.flatMap(({ key, relationships }) =>
      [...relationships.keys()].map((object) => ({ object, key })),
    )
    return connection.execute(removeSql[connection.rowForm], [
      workspace,
      int8s(visitors.map(({ key }) => key)),
      texts(named.map(({ text }) => text)),
      int8s(named.map(({ key }) => key)),
      int8s(related.map(({ object }) => object)),
      int8s(related.map(({ key }) => key)),
    ])
  },
})
