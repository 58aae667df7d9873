import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { lightColumns } from "@inlethq/storage/search/logFilter"
import { Effect } from "effect"
import type { Connection, IndexedRow } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts, type ArrayParameter } from "../engine/parameters.ts"
import { indexedDecision, indexedName, indexedNameLength } from "../tables/indexedColumns.ts"

/*
 * Finds the log entries that may match a filter. Each index of `activity` contains, for each value (such as the key of
 * a person), a sorted list of positions. A search for several values reads the beginning of each of their lists, and
 * merges the positions that it has read.
 *
 * The columns of a result row are the position of the entry and `lightColumns`.
 */

export type Order = "asc" | "desc"

/**
 * The rows that a search has found, in the order of the search. The rows include all matching rows up to the log
 * position `through`. `through` is null if the log has no further matching rows.
 */
export interface Candidates {
  readonly rows: ReadonlyArray<IndexedRow>
  readonly through: number | null
}

/**
 * The index of the log that a search uses, and the values to look up in this index. With `all`, the search uses no
 * index and reads every log entry. With `several`, it finds what any of the lists finds.
 */
export type Lists =
  | { readonly index: "all" }
  | { readonly index: "subject"; readonly keys: ReadonlyArray<SubjectKey> }
  | { readonly index: CodeIndex; readonly keys: ReadonlyArray<number> }
  | { readonly index: "name"; readonly names: ReadonlyArray<string> }
  | { readonly index: "several"; readonly lists: ReadonlyArray<Lists> }

type CodeIndex = "decision" | "reason" | "anonymous"

/** The largest number of lists that one statement merges. Each list contains the log positions of one key or name. */
const listsPerStatement = 1024

/**
 * Finds the next log entries that may match, starting after the position `from`. Returns at most about `rowsMax`
 * entries. If `lists` has more than `rowsMax / 2` values, returns at most two entries for each value instead.
 */
export const findCandidates = (
  connection: Connection,
  workspace: WorkspaceId,
  lists: Lists,
  from: number,
  order: Order,
  rowsMax: number,
): Effect.Effect<Candidates, DatabaseError> => {
  switch (lists.index) {
    case "all":
      return Effect.map(connection.queryByIndex(allSql[order], [workspace, from, rowsMax]), (rows) => ({
        rows,
        through: rows.length < rowsMax ? null : integer(rows.at(-1)?.[0]),
      }))
    case "subject":
      return mergeLists(connection, subjectSql[order], workspace, lists.keys, int8s, from, order, rowsMax)
    case "decision":
    case "reason":
    case "anonymous":
      return mergeLists(
        connection,
        codeSql[lists.index][order],
        workspace,
        lists.keys,
        int8s,
        from,
        order,
        rowsMax,
      )
    case "name":
      return mergeLists(connection, nameSql[order], workspace, lists.names, texts, from, order, rowsMax)
    case "several":
      return Effect.map(
        Effect.forEach(lists.lists, (one) =>
          findCandidates(connection, workspace, one, from, order, rowsMax),
        ),
        (found) => united(found, order),
      )
  }
}

/** Returns the rows of several searches, up to the position up to which each of them is complete. */
const united = (found: ReadonlyArray<Candidates>, order: Order): Candidates => {
  const through = found.reduce<number | null>(
    (nearest, { through: own }) =>
      own !== null && (nearest === null || isBefore(order, own, nearest)) ? own : nearest,
    null,
  )
  const byPosition = new Map(found.flatMap(({ rows }) => rows.map((row) => [integer(row[0]), row] as const)))
  return { rows: completeTo(through, byPosition, order), through }
}

/** Returns the rows up to a position, in the order of the search. */
const completeTo = (
  through: number | null,
  rows: ReadonlyMap<number, IndexedRow>,
  order: Order,
): ReadonlyArray<IndexedRow> => {
  const sign = order === "asc" ? 1 : -1
  return [...rows]
    .filter(([position]) => through === null || !isBefore(order, through, position))
    .toSorted(([a], [b]) => sign * (a - b))
    .map(([, row]) => row)
}

/**
 * Reads the first log positions that the index lists for each value, and merges these lists. If a list has more
 * positions than were read, the result is complete only up to the last position that was read from that list.
 */
const mergeLists = <Value>(
  connection: Connection,
  sql: string,
  workspace: WorkspaceId,
  values: ReadonlyArray<Value>,
  bind: (values: ReadonlyArray<Value>) => ArrayParameter,
  from: number,
  order: Order,
  rowsMax: number,
): Effect.Effect<Candidates, DatabaseError> =>
  Effect.gen(function* () {
    const perList = Math.max(Math.floor(rowsMax / values.length), 2)
    const found = new Map<number, IndexedRow>()
    let through: number | null = null
    for (let at = 0; at < values.length; at += listsPerStatement) {
      const part = bind(values.slice(at, at + listsPerStatement))
      for (const [place, ...row] of yield* connection.queryByIndex(sql, [workspace, part, from, perList])) {
        const position = integer(row[0])
        found.set(position, row)
        if (place === perList && (through === null || isBefore(order, position, through))) through = position
      }
    }
    return { rows: completeTo(through, found, order), through }
  })

/** Returns whether the log position `a` comes before `b` in an order. */
export const isBefore = (order: Order, a: number, b: number): boolean => (order === "asc" ? a < b : a > b)

const columns = `sequence, ${lightColumns}`

const inOrder = (order: Order) => (order === "asc" ? "ASC" : "DESC")

const after = (order: Order) => (order === "asc" ? ">" : "<")

const both = (sqlOf: (order: Order) => string): Readonly<Record<Order, string>> => ({
  asc: sqlOf("asc"),
  desc: sqlOf("desc"),
})

const allSql = both(
  (order) => `
  SELECT ${columns} FROM activity WHERE workspace = $1 AND sequence ${after(order)} $2
  ORDER BY sequence ${inOrder(order)} LIMIT $3`,
)

/** Selects a list of log entries for each value in `$2`. The first column numbers the entries of each list from 1. */
const listsSql = (type: string, lists: (order: Order) => string) =>
  both(
    (order) => `
    SELECT found.place, ${columns} FROM unnest($2::${type}[]) AS wanted (value)
    CROSS JOIN LATERAL (
      SELECT row_number() OVER (ORDER BY sequence ${inOrder(order)}) AS place, ${columns} FROM (${lists(order)}) AS list
    ) AS found`,
  )

const listSql = (order: Order, condition: string) => `
  SELECT ${columns} FROM activity WHERE workspace = $1 AND ${condition} AND sequence ${after(order)} $3
  ORDER BY sequence ${inOrder(order)} LIMIT $4`

const codeSql: Readonly<Record<CodeIndex, Readonly<Record<Order, string>>>> = {
  decision: listsSql("bigint", (order) => listSql(order, `${indexedDecision} = wanted.value::integer`)),
  reason: listsSql("bigint", (order) => listSql(order, "reason_code = wanted.value::smallint")),
  anonymous: listsSql("bigint", (order) => listSql(order, "anonymous_code = wanted.value::smallint")),
}

const nameSql = listsSql("text", (order) =>
  listSql(order, `${indexedName} = left(wanted.value, ${indexedNameLength}) COLLATE "C"`),
)

/**
 * Selects the log entries about a person or object. For a person, also selects entries about objects if these entries
 * record an effect on the person. Such an entry can have several parts about one person, and counts once.
 */
const subjectSql = listsSql(
  "bigint",
  (order) => `
  (${listSql(order, "subject = wanted.value")})
  UNION
  (SELECT ${columns.replaceAll(/\w+/g, "entries.$&")} FROM (
    SELECT DISTINCT sequence AS position FROM entry_parts
    WHERE workspace = $1 AND subject = wanted.value AND sequence ${after(order)} $3
    ORDER BY sequence ${inOrder(order)} LIMIT $4
  ) AS parts
  JOIN activity AS entries ON entries.workspace = $1 AND entries.sequence = parts.position)
  ORDER BY sequence ${inOrder(order)} LIMIT $4`,
)
