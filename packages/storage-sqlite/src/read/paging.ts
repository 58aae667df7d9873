import type { Page, PageRequest } from "@inlet/core/catalog/Catalog"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/catalog/ReadTurns"
import type { SQLInputValue } from "node:sqlite"
import { Option } from "effect"
import type { ListedCode } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { Slice } from "./Slice.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectKey } from "@inlet/storage/subjectRows"

/**
 * Document text that one page reads, and again what those have whom its items name: beyond it a page ends early, though
 * never before its first item.
 */
export const pageBytesMax = 1024 * 1024

/**
 * Reads rows behind a cursor in the order of their keys, one by one as they are asked for; `given` is what the condition of
 * the query binds.
 */
export type Walk = (given: ReadonlyArray<SQLInputValue>, page: PageRequest<SubjectKey>) => Iterable<Row>

/** Walks what a query finds, by the column that holds the key; the query ends in a condition. */
export const walker = (database: Database, query: string, key = "key"): Walk => {
  const of = (order: string, compare: string) =>
    database.prepare(`${query} AND ${key} ${compare} ? ORDER BY ${key} ${order} LIMIT ?`)
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  return (given, { after, limit, order }) =>
    order === "asc"
      ? up.iterate(...given, after ?? 0, limit)
      : down.iterate(...given, after ?? Number.MAX_SAFE_INTEGER, limit)
}

/** Walks the subjects of a kind in a workspace. */
export const walkListed = (
  database: Database,
  state: ListedCode,
): ((workspace: WorkspaceId, page: PageRequest<SubjectKey>) => Iterable<Row>) => {
  const walk = walker(database, `SELECT * FROM subjects WHERE workspace = ? AND state = ${state}`)
  return (workspace, page) => walk([workspace], page)
}

/** Reads a page of the rows of a walk, as many of them as it may hold. */
export function* pageOf<Item>(
  walk: (page: PageRequest<SubjectKey>) => Iterable<Row>,
  { after, limit, order }: PageRequest<SubjectKey>,
  itemOf: (row: Row) => Item,
): Slices<Page<Item, SubjectKey>> {
  const items: Array<Item> = []
  let last: SubjectKey | null = null
  let bytes = 0
  for (;;) {
    const slice = new Slice()
    // One more tells whether the list goes on.
    const wanted = Math.min(limit + 1 - items.length, slice.documents)
    let read = 0
    let isCut = false
    for (const row of walk({ after: last ?? after, order, limit: wanted })) {
      const length = text(row["doc"]).length
      isCut = read > 0 && length > slice.bytes
      if (isCut) break
      slice.decode(length)
      bytes += length
      const isFull = items.length === limit || (items.length > 0 && bytes > pageBytesMax)
      if (isFull) return { items, next: last }
      items.push(itemOf(row))
      last = subjectKey(integer(row["key"]))
      read++
    }
    if (read < wanted && !isCut) return { items, next: null }
    yield
  }
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
