import { eventsPerEntryMax } from "@inlethq/core/webhook/EventPosition"
import { objectKindCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { sequenceIn } from "@inlethq/storage/rows/entryRows"
import { sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { subtractSql } from "../log/blocks.ts"
import { inBothForms } from "../tables/rowForms.ts"
import type { Queries } from "./Queries.ts"

/**
 * Selects up to `$5` log positions in the range from `$3` to `$4`. Their entries are about the person or object `$2`,
 * or record an effect on the person `$2`.
 */
const positionsSql = `
  (SELECT sequence FROM activity WHERE workspace = $1 AND subject = $2 AND sequence > $3 AND sequence < $4 ORDER BY sequence LIMIT $5)
  UNION
  (SELECT sequence FROM entry_parts WHERE workspace = $1 AND subject = $2 AND sequence > $3 AND sequence < $4 ORDER BY sequence LIMIT $5)
  ORDER BY sequence LIMIT $5`

/** A request about an object can have an effect on each of a thousand people, so this counts at most `limit` of them. */
export const countedParts = (limit: string): string => `
  CASE WHEN parts IS NULL THEN 0 ELSE (
    SELECT count(*) FROM (
      SELECT FROM entry_parts WHERE workspace = $1 AND sequence = entries.sequence LIMIT ${limit}
    ) AS counted
  ) END AS parts_count`

const entriesSql = `
  SELECT * FROM (
    SELECT found.*, coalesce(sum(found.bytes) OVER (
      ORDER BY found.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (${positionsSql}) AS positions
    JOIN LATERAL (
      SELECT sequence, workspace, subject, kind, outcome, name, source, at, received, processed, parts, detail,
        octet_length(detail) AS bytes, coalesce(long_claim, claim) AS claim, ${countedParts("$5")}
      FROM activity AS entries WHERE workspace = $1 AND sequence = positions.sequence OFFSET 0
    ) AS found ON true
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY sequence`

const keepsClaim = `kind IN (${objectKindCodes}) OR activity.sequence = ANY($5::bigint[])`

/**
 * If an entry is removed or redacted, what was sent and its parts are deleted too. A redacted entry keeps those with negative places, which
 * say what the operation overwrote of people who are still there.
 */
const eraseSql = inBothForms(
  (rows) => `
  WITH removed AS (
    DELETE FROM activity WHERE workspace = $1 AND sequence = ANY($2::bigint[]) RETURNING sequence, kind, outcome
  ),
  subtracted AS (${subtractSql(rows, "removed")}),
  redacted AS (
    UPDATE activity SET parts = CASE WHEN EXISTS (
        SELECT FROM entry_parts AS kept
        WHERE kept.workspace = $1 AND kept.sequence = activity.sequence AND kept.place < 0
      ) THEN parts END, reason_code = NULL, anonymous_code = NULL, context = NULL, detail = wanted.detail,
      claim = CASE WHEN ${keepsClaim} THEN claim END,
      long_claim = CASE WHEN ${keepsClaim} THEN long_claim END
    ${rows.fromListed("activity", "unnest($3::bigint[], $4::text[]) AS wanted (sequence, detail)", "activity.sequence = wanted.sequence")}
  ),
  without_calls AS (
    DELETE FROM rejected_calls WHERE workspace = $1 AND (sequence = ANY($2::bigint[]) OR sequence = ANY($3::bigint[]))
  ),
  without_parts AS (DELETE FROM entry_parts WHERE workspace = $1 AND (sequence = ANY($2::bigint[]) OR (sequence = ANY($3::bigint[]) AND place >= 0)))
  DELETE FROM entry_parts WHERE ${rows.listed("entry_parts", "unnest($5::bigint[], $6::bigint[]) AS wanted (sequence, subject)", "entry_parts.sequence = wanted.sequence AND entry_parts.subject = wanted.subject")}`,
)

/** Locks the rows in the order of their keys. */
const attemptsSql = `
  SELECT attempts.webhook, attempts.key, attempts.doc
  FROM unnest($2::bigint[]) AS erased (sequence)
  JOIN webhook_attempts AS attempts ON attempts.workspace = $1
    AND attempts.position BETWEEN erased.sequence * ${eventsPerEntryMax} AND erased.sequence * ${eventsPerEntryMax} + ${eventsPerEntryMax - 1}
  ORDER BY attempts.webhook, attempts.key
  FOR UPDATE OF attempts`

const saveAnswersSql = inBothForms(
  (rows) => `
  UPDATE webhook_attempts SET doc = wanted.doc
  ${rows.fromListed("webhook_attempts", "unnest($2::text[], $3::bigint[], $4::text[]) AS wanted (webhook, key, doc)", 'webhook_attempts.webhook = wanted.webhook COLLATE "C" AND webhook_attempts.key = wanted.key')}`,
)

const saveDetailsSql = `
  UPDATE activity SET detail = wanted.detail FROM unnest($2::bigint[], $3::text[]) AS wanted (sequence, detail)
  WHERE activity.workspace = $1 AND activity.sequence = wanted.sequence`

const clearNamesSql =
  "UPDATE activity SET name = NULL WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND name IS NOT NULL"

export const entryQueries = (
  connection: Connection,
): Queries<
  "rowsPerLook" | "entriesOf" | "erase" | "saveDetails" | "clearNames" | "attemptsOf" | "saveAnswers"
> => ({
  rowsPerLook: () => Effect.succeed(1),
  entriesOf: (workspace, subject, { before, from }, count) =>
    Effect.map(connection.query(entriesSql, [workspace, subject, from, before, count]), (rows) => {
      const bytes = rows.reduce((sum, row) => sum + integer(row["bytes"]), 0)
      const to = rows.map(sequenceIn).at(-1) ?? from
      return { rows, to, isAll: rows.length < count && bytes < sliceBytesMax }
    }),
  erase: (workspace, { parts, redacted, removed }) =>
    connection.execute(eraseSql[connection.rowForm], [
      workspace,
      int8s(removed),
      int8s(redacted.map(({ sequence }) => sequence)),
      texts(redacted.map(({ detail }) => detail)),
      int8s(parts.map(({ sequence }) => sequence)),
      int8s(parts.map(({ subject }) => subject)),
    ]),
  saveDetails: (workspace, details) =>
    connection.execute(saveDetailsSql, [
      workspace,
      int8s(details.map(({ sequence }) => sequence)),
      texts(details.map(({ detail }) => detail)),
    ]),
  clearNames: (workspace, sequences) => connection.execute(clearNamesSql, [workspace, int8s(sequences)]),
  attemptsOf: (workspace, sequences) => connection.query(attemptsSql, [workspace, int8s(sequences)]),
  saveAnswers: (workspace, answers) =>
    connection.execute(saveAnswersSql[connection.rowForm], [
      workspace,
      texts(answers.map(({ webhook }) => webhook)),
      int8s(answers.map(({ key }) => key)),
      texts(answers.map(({ doc }) => doc)),
    ]),
})
