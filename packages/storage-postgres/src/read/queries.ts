import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { stateCodes, type ListedCode } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull, text, type Row } from "@inlethq/storage/columns/columns"
import { sequenceOf, subjectKey } from "@inlethq/storage/columns/ids"
import { sqlEvidence } from "@inlethq/storage/rows/partRows"
import { afterPrefix } from "@inlethq/storage/read/prefixSearch"
import type { CutRows, ReadQueries, SubjectList, SubjectSize } from "@inlethq/storage/read/ReadQueries"
import { rowsPerQueryMax, sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { fromStored, toStored } from "@inlethq/storage/columns/storedText"
import { Effect, Option } from "effect"
import type { Connection, NamedRow } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts, type Parameter } from "../engine/parameters.ts"
import { readPrunedTo } from "../tables/heads.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"
import { indexedPrefix, indexedText } from "../tables/indexedText.ts"
import { statementsOn } from "../tables/tables.ts"
import { countQueries } from "./counts.ts"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { readSubjects, subjectColumns } from "./subjects.ts"

/** The queries of the catalog on one connection. */
export const readQueries = (connection: Connection): ReadQueries<DatabaseError> => ({
  ...subjectQueries(connection),
  ...relatedQueries(connection),
  ...logQueries(connection),
  ...countQueries(connection),
  ask: statementsOn(connection),
})

type Queries<Name extends keyof ReadQueries<never>> = Pick<ReadQueries<DatabaseError>, Name>

const subjectQueries = (
  connection: Connection,
): Queries<"listed" | "listedAt" | "byKey" | "byText" | "identifiersFrom" | "keysOf" | "objectTypes"> => ({
  listed: (workspace, list, page) => {
    const { from, parameters } = listOf(list)
    const { down, up } = from
    const after = page.after ?? (page.order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
    const bound = [workspace, after, page.limit, sliceBytesMax, ...parameters]
    return Effect.map(connection.query(page.order === "asc" ? up : down, bound), cutRows)
  },
  listedAt: (workspace, keys, state) =>
    Effect.map(connection.query(rowsAtSql, [workspace, int8s(keys), sliceBytesMax, state]), cutRows),
  byKey: (workspace, key, state) => first(connection.query(byKeySql[state], [workspace, key])),
  byText: (workspace, lookup, state) =>
    first(connection.query(byTextSql[state], [workspace, indexedText(lookup)])),
  keysOf: (workspace, { beginnings, whole }, limit) => {
    if (beginnings.length === 0 && whole.length === 0) return Effect.succeed([])
    const from = beginnings.map(indexedPrefix)
    const wanted = [texts(whole.map(indexedText)), texts(from), texts(from.map(afterPrefix))]
    return Effect.map(connection.queryByIndex(keysSql, [workspace, ...wanted, limit]), (rows) =>
      rows.map(([key]) => subjectKey(integer(key))),
    )
  },
  objectTypes: (workspace, after, max) =>
    Effect.map(connection.queryByIndex(typesSql, [workspace, max, after ?? ""]), (rows) => {
      const found = rows.map(([name]) => text(name))
      const whole = found.filter((type) => Array.from(type).length < indexedNameLength)
      return {
        types: whole.map(fromStored),
        next: found.length < max ? null : (found.at(-1) ?? null),
        isCut: whole.length < found.length,
      }
    }),
  identifiersFrom: (workspace, prefix, after, limit) => {
    const beginning = indexedPrefix(prefix)
    const bound = [workspace, after ?? beginning, afterPrefix(beginning), limit]
    return Effect.map(
      connection.queryByIndex(after === null ? identifiersSql(">=") : identifiersSql(">"), bound),
      (rows) =>
        rows.map(([found, subject]) => ({ text: text(found), subject: subjectKey(integer(subject)) })),
    )
  },
})

const first = (rows: Effect.Effect<ReadonlyArray<NamedRow>, DatabaseError>) =>
  Effect.map(rows, ([row]) => Option.fromUndefinedOr(row))

const cutRows = (rows: ReadonlyArray<NamedRow>): CutRows => {
  const bytes = rows.reduce((sum, row) => sum + integer(row["bytes"]), 0)
  return { rows, isCut: bytes >= sliceBytesMax }
}

const withSize = `SELECT ${subjectColumns}, coalesce(sizes.size, 0) AS size FROM subjects AS found
  LEFT JOIN sizes ON sizes.workspace = found.workspace AND sizes.subject = coalesce(found.owner, found.key)`

/** Selects the subjects of a kind. The query ends in a condition, so that more conditions can be appended. */
const selectOf = (state: ListedCode): string => {
  const isSized = state === stateCodes.object || state === stateCodes.segment
  const select = isSized ? withSize : `SELECT ${subjectColumns} FROM subjects AS found`
  return `${select} WHERE found.workspace = $1 AND found.state = ${state}`
}

const ofEachKind = <A>(of: (state: ListedCode) => A): Readonly<Record<ListedCode, A>> => ({
  [stateCodes.person]: of(stateCodes.person),
  [stateCodes.object]: of(stateCodes.object),
  [stateCodes.delivery]: of(stateCodes.delivery),
  [stateCodes.form]: of(stateCodes.form),
  [stateCodes.segment]: of(stateCodes.segment),
})

const byKeySql = ofEachKind((state) => `${selectOf(state)} AND found.key = $2`)

const byTextSql = ofEachKind(
  (state) =>
    `${selectOf(state)} AND found.key = (SELECT subject FROM identifiers WHERE workspace = $1 AND text = $2)`,
)

const keysSql = `
  SELECT found.subject FROM unnest($2::text[]) AS wanted (text)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE workspace = $1 AND text = wanted.text COLLATE "C" OFFSET 0
  ) AS found
  UNION
  SELECT found.subject FROM unnest($3::text[], $4::text[]) AS wanted (first, last)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers
    WHERE workspace = $1 AND text >= wanted.first COLLATE "C" AND text < wanted.last COLLATE "C"
    ORDER BY text LIMIT $5
  ) AS found`

/** The query jumps in the index from each type to the next. Of a long type, the index has only the beginning. */
const typesSql = `
  WITH RECURSIVE types (name, place) AS (
    (
      SELECT ${indexedName}, 1 FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} AND ${indexedName} > $3
      ORDER BY ${indexedName} LIMIT 1
    )
    UNION ALL
    SELECT (
      SELECT ${indexedName} FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} AND ${indexedName} > types.name
      ORDER BY ${indexedName} LIMIT 1
    ), place + 1
    FROM types WHERE types.name IS NOT NULL AND place < $2
  )
  SELECT name FROM types WHERE name IS NOT NULL`

const identifiersSql = (compare: ">" | ">=") =>
  `SELECT text, subject FROM identifiers WHERE workspace = $1 AND text ${compare} $2 AND text < $3 ORDER BY text LIMIT $4`

/** Adds to each row the length of the documents before it, so that the server returns only rows that fit into a slice. */
const measured = (rows: string, order: string, columns = ""): string => `
  SELECT * FROM (
    SELECT found.*, octet_length(found.doc) AS bytes, coalesce(sum(octet_length(found.doc)) OVER (
      ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0)::bigint AS bytes_before ${columns} FROM ${rows}
  ) AS page`

/** `OFFSET 0` makes the planner do one index lookup for each key. */
const rowsAtSql = `${measured(
  `unnest($2::bigint[]) WITH ORDINALITY AS wanted (key, place) CROSS JOIN LATERAL (
    SELECT ${subjectColumns} FROM subjects AS found
    WHERE found.workspace = $1 AND found.key = wanted.key AND found.state = $4 OFFSET 0
  ) AS found`,
  "place",
  ", place",
)} WHERE bytes_before < $3 ORDER BY place`

/** The statements that read a list upwards and downwards. `key` is the column that orders the rows. */
const walkOf = (query: string, key = "found.key") => {
  const sqlOf = (order: "ASC" | "DESC", compare: "<" | ">") =>
    `${measured(`(${query} AND ${key} ${compare} $2 ORDER BY ${key} ${order} LIMIT $3) AS found`, `key ${order}`)}
    WHERE bytes_before < $4 ORDER BY key ${order}`
  return { up: sqlOf("ASC", ">"), down: sqlOf("DESC", "<") }
}

const walkKind = ofEachKind((state) => walkOf(selectOf(state)))

const walkType = walkOf(
  `${selectOf(stateCodes.object)} AND ${indexedName} = left($5, ${indexedNameLength}) AND name = $5`,
)

const walkLinked = walkOf(
  `SELECT ${subjectColumns} FROM links
    JOIN subjects AS found ON found.workspace = links.workspace AND found.key = links.subject
    WHERE links.workspace = $1 AND links.target = $5`,
  "links.subject",
)

const listOf = (list: SubjectList) => {
  switch (list._tag) {
    case "OfKind":
      return { from: walkKind[list.state], parameters: [] }
    case "ObjectsOfType":
      return { from: walkType, parameters: [toStored(list.typeId)] }
    case "LinkedTo":
      return { from: walkLinked, parameters: [list.target] }
  }
}

const sizesSql = `
  SELECT found.* FROM unnest($2::bigint[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT key, state, owner, octet_length(doc) FROM subjects WHERE workspace = $1 AND key = wanted.key OFFSET 0
  ) AS found`

const suppressedSql = "SELECT EXISTS (SELECT FROM suppressions WHERE workspace = $1 AND digest = $2) AS found"

const anyErasedSql = "SELECT EXISTS (SELECT FROM erased_addresses WHERE workspace = $1) AS found"

const erasedSql = `
  SELECT wanted.key FROM unnest($2::bigint[]) AS wanted (key)
  WHERE EXISTS (SELECT FROM subjects WHERE workspace = $1 AND state = ${stateCodes.erased} AND key = wanted.key)`

const relatedQueries = (
  connection: Connection,
): Queries<
  | "sizes"
  | "subjects"
  | "prunedTo"
  | "isSuppressed"
  | "hasErasedAddresses"
  | "erasedAddresses"
  | "erasedAmong"
> => {
  const exists = (sql: string, parameters: ReadonlyArray<Parameter>) =>
    Effect.map(connection.query(sql, parameters), ([row]) => row?.["found"] === true)
  return {
    subjects: (workspace, keys) => readSubjects(connection, workspace, keys),
    sizes: (workspace, keys) =>
      keys.size === 0
        ? Effect.succeed(new Map())
        : Effect.map(
            connection.queryByIndex(sizesSql, [workspace, sortedKeys(keys)]),
            (rows) =>
              new Map(
                rows.map(([key, state, owner, bytes]) => [
                  subjectKey(integer(key)),
                  { state: integer(state), owner: ownerOf(owner), bytes: integer(bytes) },
                ]),
              ),
          ),
    isSuppressed: (workspace, digest) => exists(suppressedSql, [workspace, digest]),
    prunedTo: (workspace) => readPrunedTo(connection, workspace),
    hasErasedAddresses: (workspace) => exists(anyErasedSql, [workspace]),
    erasedAddresses: (workspace, addresses) => readErasedAddresses(connection, workspace, addresses),
    erasedAmong: (workspace, keys) =>
      keys.size === 0
        ? Effect.succeed(new Set())
        : Effect.map(
            connection.queryByIndex(erasedSql, [workspace, sortedKeys(keys)]),
            (rows) => new Set(rows.map(([key]) => subjectKey(integer(key)))),
          ),
  }
}

/** Returns the sizes of the subjects of log entries. An entry without a subject has none, or one that no longer exists. */
const sizesIn = (entries: ReadonlyArray<NamedRow>): ReadonlyMap<SubjectKey, SubjectSize> =>
  new Map(
    entries.flatMap((row) =>
      row["subject_state"] === null
        ? []
        : [
            [
              subjectKey(integer(row["subject"])),
              {
                state: integer(row["subject_state"]),
                owner: ownerOf(row["subject_owner"]),
                bytes: integer(row["subject_bytes"]),
              },
            ] as const,
          ],
    ),
  )

const sortedKeys = (keys: ReadonlySet<SubjectKey>) => int8s([...keys].toSorted((a, b) => a - b))

const ownerOf = (value: unknown): SubjectKey | null => {
  const owner = integerOrNull(value)
  return owner === null ? null : subjectKey(owner)
}

/**
 * The columns of `activity` that `entryFromRow` decodes. A deduplication key (claim) that is too long for the index is
 * stored in `long_claim`. `$1` is the workspace.
 */
const entryColumns =
  "sequence, workspace, subject, kind, name, source, outcome, at, received, processed, coalesce(long_claim, claim) AS claim, parts, detail, sender, (SELECT json FROM contexts WHERE contexts.workspace = $1 AND contexts.number = activity.context) AS described"

/**
 * Returns rows until their total size exceeds `$3` bytes, with the size of the subject of each. The result includes the row
 * that exceeds the limit.
 */
const entriesSql = `
  SELECT page.*, about.state AS subject_state, about.owner AS subject_owner, about.bytes AS subject_bytes FROM (
    SELECT found.*, (octet_length(detail) + coalesce(octet_length(described), 0) + coalesce(parts, 0))::bigint AS bytes,
      coalesce(sum(octet_length(detail) + coalesce(octet_length(described), 0) + coalesce(parts, 0)) OVER (
        ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0)::bigint AS bytes_before, place
    FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (sequence, place)
    CROSS JOIN LATERAL (
      SELECT ${entryColumns} FROM activity WHERE workspace = $1 AND sequence = wanted.sequence OFFSET 0
    ) AS found
  ) AS page
  LEFT JOIN LATERAL (
    SELECT state, owner, octet_length(doc) AS bytes FROM subjects WHERE workspace = $1 AND key = page.subject OFFSET 0
  ) AS about ON true
  WHERE bytes_before < $3 ORDER BY place`

const partsSql = `
  SELECT sequence, subject, doc FROM entry_parts WHERE workspace = $1 AND sequence = ANY($2::bigint[])
  ORDER BY sequence, place`

/** Reads the entries of a workspace at the given positions with all rows of their parts. */
export const readEntries = (
  connection: Connection,
  workspace: WorkspaceId,
  positions: ReadonlyArray<Sequence>,
): Effect.Effect<readonly [rows: ReadonlyArray<Row>, parts: ReadonlyArray<Row>], DatabaseError> =>
  Effect.all([
    connection.query(
      `SELECT ${entryColumns} FROM activity WHERE workspace = $1 AND sequence = ANY($2::bigint[]) ORDER BY sequence`,
      [workspace, int8s(positions)],
    ),
    connection.query(partsSql, [workspace, int8s(positions)]),
  ])

const callsSql =
  "SELECT sequence, doc FROM rejected_calls WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND characters > 0"

const emptiedSql =
  "SELECT sequence FROM rejected_calls WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND characters = 0"

const sendersSql = "SELECT id, doc FROM senders WHERE workspace = $1 AND id = ANY($2::bigint[])"

const evidenceSql = `
  SELECT DISTINCT sequence FROM entry_parts WHERE workspace = $1 AND sequence < $2 AND ${sqlEvidence}
  ORDER BY sequence DESC LIMIT $3`

const evidenceBetweenSql = `
  SELECT DISTINCT part.sequence FROM (
    SELECT found.sequence FROM unnest($4::bigint[]) AS wanted (subject)
    CROSS JOIN LATERAL (
      SELECT sequence FROM entry_parts
      WHERE workspace = $1 AND subject = wanted.subject AND sequence < $2 AND ${sqlEvidence} OFFSET 0
    ) AS found LIMIT ${rowsPerQueryMax}
  ) AS part
  JOIN activity ON activity.workspace = $1 AND activity.sequence = part.sequence
  WHERE activity.subject = ANY($4::bigint[]) ORDER BY part.sequence DESC LIMIT $3`

const logQueries = (
  connection: Connection,
): Queries<"emptiedCalls" | "entries" | "evidence" | "parts" | "rejectedCalls" | "senders"> => ({
  evidence: (workspace, between, before, limit) => {
    const bound = [workspace, before ?? Number.MAX_SAFE_INTEGER, limit]
    const rows =
      between === null
        ? connection.queryByIndex(evidenceSql, bound)
        : connection.queryByIndex(evidenceBetweenSql, [...bound, int8s(between)])
    return Effect.map(rows, (found) => found.map(([position]) => sequenceOf(integer(position))))
  },
  senders: (workspace, ids) => connection.query(sendersSql, [workspace, int8s([...ids])]),
  entries: (workspace, positions, bytesMax) =>
    Effect.map(connection.query(entriesSql, [workspace, int8s(positions), bytesMax]), (rows) => {
      const last = rows.at(-1)
      // Counts as the statement does, in bytes. The characters of a text that is not ASCII are fewer.
      const bytes = last === undefined ? 0 : integer(last["bytes_before"]) + integer(last["bytes"])
      return { rows, isCut: bytes >= bytesMax, sizes: sizesIn(rows) }
    }),
  parts: (workspace, positions) => connection.query(partsSql, [workspace, int8s([...positions])]),
  rejectedCalls: (workspace, positions) => connection.query(callsSql, [workspace, int8s(positions)]),
  emptiedCalls: (workspace, positions) =>
    Effect.map(connection.queryByIndex(emptiedSql, [workspace, int8s(positions)]), (found) =>
      found.map(([sequence]) => sequenceOf(integer(sequence))),
    ),
})
