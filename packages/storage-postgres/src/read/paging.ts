import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { ListedCode } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { sliceBytesMax, sliceDocumentsMax } from "@inlet/storage/Slice"
import { Effect, Option } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import type { Parameter } from "../engine/parameters.ts"
import { indexedText } from "../tables/indexedText.ts"
import type { Read } from "./Read.ts"
import { subjectColumns } from "./subjects.ts"

/** The next rows of a list in the order of their keys. `isEnd` is true if the list has no more rows. */
interface Walked {
  readonly rows: ReadonlyArray<Row>
  readonly isEnd: boolean
}

/**
 * Reads the rows of a workspace after a cursor: at most `limit` rows, and fewer if their documents are large.
 * `parameters` become the parameters of the query from `$5` on.
 */
export type Walk = (
  connection: Connection,
  workspace: WorkspaceId,
  parameters: ReadonlyArray<Parameter>,
  page: PageRequest<SubjectKey>,
) => Effect.Effect<Walked, DatabaseError>

const keyMax = Number.MAX_SAFE_INTEGER

/**
 * Returns a `Walk` (a read in the order of keys) over the rows of a query. The query must end in a condition, because
 * more conditions are appended. `key` is the SQL of the column that orders the rows. The server returns rows until
 * their total size exceeds `sliceBytesMax`.
 */
export const walkOf = (query: string, key = "found.key"): Walk => {
  const sqlOf = (order: "ASC" | "DESC", compare: "<" | ">") => `
    SELECT * FROM (
      SELECT found.*, octet_length(doc) AS bytes,
        coalesce(sum(octet_length(doc)) OVER (ORDER BY key ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS bytes_before
      FROM (${query} AND ${key} ${compare} $2 ORDER BY ${key} ${order} LIMIT $3) AS found
    ) AS page
    WHERE bytes_before < $4 ORDER BY key ${order}`
  const up = sqlOf("ASC", ">")
  const down = sqlOf("DESC", "<")
  return (connection, workspace, parameters, { after, limit, order }) => {
    const from = after ?? (order === "asc" ? 0 : keyMax)
    const bound = [workspace, from, limit, sliceBytesMax, ...parameters]
    return Effect.map(connection.query(order === "asc" ? up : down, bound), (rows) => {
      const bytes = rows.reduce((sum, row) => sum + integer(row["bytes"]), 0)
      return { rows, isEnd: rows.length < limit && bytes < sliceBytesMax }
    })
  }
}

/**
 * Reads everything that is linked to a target, such as the people in a segment, in the order of keys. Parameter `$5` is
 * the key of the target.
 */
export const walkLinked: Walk = walkOf(
  `SELECT ${subjectColumns} FROM links
    JOIN subjects AS found ON found.workspace = links.workspace AND found.key = links.subject
    WHERE links.workspace = $1 AND links.target = $5`,
  "links.subject",
)

/**
 * Returns a `Walk` (a read in the order of keys) over all subjects of one kind in a workspace, such as all people or
 * all objects. `state` is the code of the kind.
 */
export const walkListed = (state: ListedCode): Walk =>
  walkOf(
    `SELECT ${subjectColumns} FROM subjects AS found WHERE found.workspace = $1 AND found.state = ${state}`,
  )

/** Reads a page of rows in slices (bounded parts). */
export const pageOf = <Item>(
  read: Read,
  walk: Walk,
  workspace: WorkspaceId,
  parameters: ReadonlyArray<Parameter>,
  { after, limit, order }: PageRequest<SubjectKey>,
  itemOf: (row: Row) => Item,
): Effect.Effect<Page<Item, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    const items: Array<Item> = []
    let last: SubjectKey | null = null
    let bytes = 0
    for (;;) {
      // Reads one more row than the page holds, to find out whether there is a next page.
      const wanted = Math.min(limit + 1 - items.length, sliceDocumentsMax)
      const part: PageRequest<SubjectKey> = { after: last ?? after, order, limit: wanted }
      const { isEnd, rows } = yield* read((connection) => walk(connection, workspace, parameters, part))
      for (const row of rows) {
        bytes += integer(row["bytes"])
        const isFull = items.length === limit || (items.length > 0 && bytes > pageBytesMax)
        if (isFull) return { items, next: last }
        items.push(itemOf(row))
        last = subjectKey(integer(row["key"]))
      }
      if (isEnd) return { items, next: null }
    }
  })

const textSql = `
  SELECT ${subjectColumns} FROM identifiers
  JOIN subjects AS found ON found.workspace = identifiers.workspace AND found.key = identifiers.subject
  WHERE identifiers.workspace = $1 AND identifiers.text = $2 AND found.state = $3`

/**
 * Finds the object, delivery or form that a lookup text (a unique string) resolves to. `state` is the state code of
 * objects, of deliveries or of forms. Returns an empty option if the row is missing or has another state code.
 */
export const findByText = (
  connection: Connection,
  workspace: WorkspaceId,
  text: string,
  state: ListedCode,
): Effect.Effect<Option.Option<Row>, DatabaseError> =>
  Effect.map(connection.query(textSql, [workspace, indexedText(text), state]), ([row]) =>
    Option.fromUndefinedOr(row),
  )
