import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/Slices"
import type { SQLInputValue } from "node:sqlite"
import { Option } from "effect"
import type { ListedCode } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowIdRange, sqlRowId } from "../engine/rowIds.ts"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { Slice } from "@inlet/storage/Slice"
import { subjectColumns } from "./subjects.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectKey } from "@inlet/storage/ids"

/**
 * Runs a query on the rows of a workspace that follow a cursor. Reads the rows lazily, in the order of their keys.
 * `parameters` are the parameters of the query.
 */
export type Walk = (
  workspace: WorkspaceId,
  parameters: ReadonlyArray<SQLInputValue>,
  page: PageRequest<SubjectKey>,
) => Iterable<Row>

/**
 * Prepares a `Walk` (a lazy read in the order of keys) over the rows of a query on `subjects AS found`. The query must
 * end in a condition, because more conditions are appended.
 */
export const walker = (database: Database, query: string): Walk => {
  const of = (order: string) =>
    database.prepare(`${query} AND found.id >= ? AND found.id < ? ORDER BY found.id ${order} LIMIT ?`)
  const up = of("ASC")
  const down = of("DESC")
  return (workspace, parameters, { after, limit, order }) =>
    order === "asc"
      ? up.iterate(...parameters, ...rowIdRange(workspace, (after ?? 0) + 1, Infinity), limit)
      : down.iterate(...parameters, ...rowIdRange(workspace, 1, after ?? Infinity), limit)
}

/**
 * Prepares a `Walk` (a lazy read in the order of keys) over everything that is linked to a target, such as the people
 * in a segment. The parameter of the query is the key of the target.
 */
export const linkWalker = (database: Database): Walk => {
  const of = (order: string, compare: string) =>
    database.prepare(`
      SELECT ${subjectColumns} FROM links
      CROSS JOIN subjects AS found ON found.id = ${sqlRowId("links.workspace", "links.subject")}
      WHERE links.workspace = ? AND target = ? AND links.subject ${compare} ?
      ORDER BY links.subject ${order} LIMIT ?`)
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  return (workspace, parameters, { after, limit, order }) =>
    order === "asc"
      ? up.iterate(workspace, ...parameters, after ?? 0, limit)
      : down.iterate(workspace, ...parameters, after ?? Number.MAX_SAFE_INTEGER, limit)
}

/**
 * Prepares a walk (a lazy read in the order of keys) over all rows of a workspace with the given state code, such as
 * all people or all objects.
 */
export const walkListed = (
  database: Database,
  state: ListedCode,
): ((workspace: WorkspaceId, page: PageRequest<SubjectKey>) => Iterable<Row>) => {
  const walk = walker(database, `SELECT ${subjectColumns} FROM subjects AS found WHERE state = ${state}`)
  return (workspace, page) => walk(workspace, [], page)
}

/** Reads a page of rows in slices (bounded parts). */
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
    // Reads one more row than the page holds, to find out whether there is a next page.
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

/** Finds the object, delivery or form that a lookup text (a unique string) resolves to. */
export const findByText = (
  database: Database,
  state: ListedCode,
): ((workspace: WorkspaceId, text: string) => Option.Option<Row>) => {
  const statement = database.prepare(
    `SELECT ${subjectColumns} FROM identifiers CROSS JOIN subjects AS found ON found.id = ${sqlRowId("identifiers.workspace", "identifiers.subject")} WHERE identifiers.workspace = ? AND text = ? AND state = ${state}`,
  )
  return (workspace, text) => Option.fromUndefinedOr(statement.get(workspace, toStored(text)))
}
