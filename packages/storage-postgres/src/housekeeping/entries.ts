import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { objectKindCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import { redactedDetail, sequenceIn } from "@inlet/storage/entryRows"
import { entryErasure } from "@inlet/storage/erasurePlan"
import { sliceBytesMax } from "@inlet/storage/ReadBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { eraseExcerpts } from "../webhooks/eraseExcerpts.ts"
import { isListed, withPlaces } from "../tables/rowPlaces.ts"

/**
 * The log entries to erase, in three groups. Entries in `removed` are deleted. Entries in `redacted` lose their
 * personal data. Entries in `parts` are about another subject, and lose only their effect on the deleted person.
 */
export interface EntryErasures {
  readonly removed: ReadonlyArray<Sequence>
  readonly redacted: ReadonlyArray<{ readonly sequence: Sequence; readonly detail: string }>
  readonly parts: ReadonlyArray<{ readonly sequence: Sequence; readonly subject: SubjectKey }>
}

/** The log positions that are greater than `from` and less than `before`. */
export interface PositionRange {
  readonly from: number
  readonly before: number
}

/**
 * Selects up to `$5` log positions in the range from `$3` to `$4`. Their entries are about the person or object `$2`,
 * or record an effect on the person `$2`.
 */
const positionsSql = `
  (SELECT sequence FROM activity WHERE workspace = $1 AND subject = $2 AND sequence > $3 AND sequence < $4 ORDER BY sequence LIMIT $5)
  UNION
  (SELECT sequence FROM entry_parts WHERE workspace = $1 AND subject = $2 AND sequence > $3 AND sequence < $4 ORDER BY sequence LIMIT $5)
  ORDER BY sequence LIMIT $5`

/**
 * Reads log entries, and for each entry the number of its effects on single people. Counts at most `$5` effects for
 * each entry, because a request about an object can have an effect on each of a thousand people.
 */
const entriesSql = `
  SELECT * FROM (
    SELECT found.*, coalesce(sum(found.bytes) OVER (
      ORDER BY found.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (${positionsSql}) AS positions
    JOIN LATERAL (
      SELECT sequence, workspace, subject, kind, outcome, name, source, at, received, processed, parts, detail,
        octet_length(detail) AS bytes, coalesce(long_claim, claim) AS claim,
        CASE WHEN parts IS NULL THEN 0 ELSE (
          SELECT count(*) FROM (
            SELECT FROM entry_parts WHERE workspace = $1 AND sequence = entries.sequence LIMIT $5
          ) AS counted
        ) END AS parts_count
      FROM activity AS entries WHERE workspace = $1 AND sequence = positions.sequence OFFSET 0
    ) AS found ON true
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY sequence`

/** The log entries of a person or object in a range. `isAll` is true if the range contains no further entries. */
export interface EntriesOf {
  readonly rows: ReadonlyArray<Row>
  readonly isAll: boolean
}

/**
 * Reads the first log entries of a person or object in a range. Returns at most `count` entries, and fewer if the
 * entries are large.
 */
export const readEntriesOf = (
  connection: Connection,
  workspace: WorkspaceId,
  subject: SubjectKey,
  { before, from }: PositionRange,
  count: number,
): Effect.Effect<EntriesOf, DatabaseError> =>
  Effect.map(connection.query(entriesSql, [workspace, subject, from, before, count]), (rows) => {
    const bytes = rows.reduce((sum, row) => sum + integer(row["bytes"]), 0)
    return { rows, isAll: rows.length < count && bytes < sliceBytesMax }
  })

/** Returns whether the log has an entry about a person or object at the given position or later. */
export const hasEntriesFrom = (
  connection: Connection,
  workspace: WorkspaceId,
  subject: SubjectKey,
  position: number,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(
    connection.query(positionsSql, [workspace, subject, position - 1, Number.MAX_SAFE_INTEGER, 1]),
    (found) => found.length > 0,
  )

/** Decides for each log entry of a deleted person or object how to erase the entry. */
export const erasuresFor = (rows: ReadonlyArray<Row>, deleted: SubjectKey): EntryErasures => {
  const removed: Array<Sequence> = []
  const redacted: Array<EntryErasures["redacted"][number]> = []
  const parts: Array<EntryErasures["parts"][number]> = []
  for (const row of rows) {
    const sequence = sequenceIn(row)
    switch (entryErasure(row, deleted)) {
      case "part":
        parts.push({ sequence, subject: deleted })
        break
      case "merge":
        parts.push({ sequence, subject: deleted })
        redacted.push(redaction(row))
        break
      case "remove":
        removed.push(sequence)
        break
      case "redact":
        redacted.push(redaction(row))
        break
    }
  }
  return { removed, redacted, parts }
}

/** Returns the position of a log entry and its redacted detail, which contains no personal data. */
export const redaction = (row: Row): EntryErasures["redacted"][number] => ({
  sequence: sequenceIn(row),
  detail: redactedDetail(text(row["detail"])),
})

/** Returns the number of rows that change when a log entry is erased. */
export const costOf = (row: Row): number => 1 + integer(row["parts_count"])

/** Entries about objects keep their deduplication keys, and those about merges if only the other person is deleted. */
const keepsClaim = `kind IN (${objectKindCodes}) OR activity.sequence = ANY($5::bigint[])`

/**
 * If an entry is removed or redacted, its parts are deleted too. A redacted entry keeps those with negative places, which
 * say what the operation overwrote of people who are still there.
 */
const eraseSql = `
  WITH removed AS (DELETE FROM activity WHERE workspace = $1 AND sequence = ANY($2::bigint[])),
  redacted AS (
    UPDATE activity SET parts = CASE WHEN EXISTS (
        SELECT FROM entry_parts AS kept
        WHERE kept.workspace = $1 AND kept.sequence = activity.sequence AND kept.place < 0
      ) THEN parts END, reason_code = NULL, anonymous_code = NULL, detail = places.detail,
      claim = CASE WHEN ${keepsClaim} THEN claim END,
      long_claim = CASE WHEN ${keepsClaim} THEN long_claim END
    FROM (${withPlaces("activity", "unnest($3::bigint[], $4::text[]) AS wanted (sequence, detail)", "sequence = wanted.sequence")}) AS places
    WHERE activity.ctid = places.place
  ),
  without_parts AS (DELETE FROM entry_parts WHERE workspace = $1 AND (sequence = ANY($2::bigint[]) OR (sequence = ANY($3::bigint[]) AND place >= 0)))
  DELETE FROM entry_parts WHERE ${isListed("entry_parts", "unnest($5::bigint[], $6::bigint[]) AS wanted (sequence, subject)", "sequence = wanted.sequence AND subject = wanted.subject")}`

/** Erases log entries, and the stored answers that webhook receivers gave to these entries. */
export const eraseEntries = (
  connection: Connection,
  workspace: WorkspaceId,
  { parts, redacted, removed }: Partial<EntryErasures>,
): Effect.Effect<void, DatabaseError> => {
  const wanted = [removed ?? [], redacted ?? [], parts ?? []]
  if (wanted.every((list) => list.length === 0)) return Effect.void
  const sequences = wanted.flat().map((one) => (typeof one === "number" ? one : one.sequence))
  return Effect.andThen(
    connection.execute(eraseSql, [
      workspace,
      int8s(removed ?? []),
      int8s((redacted ?? []).map(({ sequence }) => sequence)),
      texts((redacted ?? []).map(({ detail }) => detail)),
      int8s((parts ?? []).map(({ sequence }) => sequence)),
      int8s((parts ?? []).map(({ subject }) => subject)),
    ]),
    eraseExcerpts(connection, workspace, sequences),
  )
}
