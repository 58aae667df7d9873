import type { Page, PageRequest } from "@inlet/core/Directory"
import type { SubjectKey, WorkspaceId } from "@inlet/core/Identifier"
import type { SQLInputValue } from "node:sqlite"
import { Option } from "effect"
import type { ListedCode } from "./codes.ts"
import type { Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { toStored } from "./storedText.ts"

/** Reads rows behind a cursor in the order of their keys; `given` is what the condition of the query binds. */
export type Walk = (given: ReadonlyArray<SQLInputValue>, page: PageRequest<SubjectKey>) => ReadonlyArray<Row>

/** Walks what a query finds, by the column that holds the key; the query ends in a condition. */
export const walker = (database: Database, query: string, key = "key"): Walk => {
  const of = (order: string, compare: string) =>
    database.prepare(`${query} AND ${key} ${compare} ? ORDER BY ${key} ${order} LIMIT ?`)
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  return (given, { after, limit, order }) =>
    order === "asc"
      ? up.all(...given, after ?? 0, limit)
      : down.all(...given, after ?? Number.MAX_SAFE_INTEGER, limit)
}

/** Walks the subjects of a kind in a workspace. */
export const walkListed = (
  database: Database,
  state: ListedCode,
): ((workspace: WorkspaceId, page: PageRequest<SubjectKey>) => ReadonlyArray<Row>) => {
  const walk = walker(database, `SELECT * FROM subjects WHERE workspace = ? AND state = ${state}`)
  return (workspace, page) => walk([workspace], page)
}

/** Asks for one item more, which tells whether the list goes on. */
export const andOneMore = <Cursor>(page: PageRequest<Cursor>): PageRequest<Cursor> => ({
  ...page,
  limit: page.limit + 1,
})

/** The page of items that were read with one more. */
export const pageOf = <Item extends { readonly key: SubjectKey }>(
  items: ReadonlyArray<Item>,
  limit: number,
): Page<Item, SubjectKey> => {
  const shown = items.slice(0, limit)
  return { items: shown, next: items.length > limit ? (shown.at(-1)?.key ?? null) : null }
}

/** Finds the subject of a kind to which the text of an object, a delivery or a form leads. */
export const readNamed = (
  database: Database,
  state: ListedCode,
): ((workspace: WorkspaceId, text: string) => Option.Option<Row>) => {
  const statement = database.prepare(
    `SELECT found.* FROM identifiers CROSS JOIN subjects AS found ON found.key = identifiers.subject WHERE text = ? AND state = ${state} AND workspace = ?`,
  )
  return (workspace, text) => Option.fromUndefinedOr(statement.get(toStored(text), workspace))
}
