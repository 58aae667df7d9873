import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { subjectKey } from "../columns/ids.ts"
import { pageBytesMax } from "../budgets/pageBudget.ts"
import { sliceDocumentsMax } from "../budgets/ReadBudget.ts"
import type { CutRows, Read, SubjectList } from "./ReadQueries.ts"

/** The items of a page so far. */
export interface FilledPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly bytes: number
  /** The key of the last item. Null for an empty page. */
  readonly last: SubjectKey | null
  /** Whether a further item was found that the page has no room for. */
  readonly isFull: boolean
}

export const emptyPage = { items: [], bytes: 0, last: null, isFull: false } as const

/**
 * Adds the items of further rows to a page until it is full. `isItem` says whether a row that the page has no room for is
 * an item at all, so that there is a next page.
 */
export const fillPage = <Item>(
  before: FilledPage<Item>,
  rows: ReadonlyArray<Row>,
  limit: number,
  itemOf: (row: Row) => Item | undefined,
  isItem: (row: Row) => boolean = () => true,
): FilledPage<Item> => {
  const items = [...before.items]
  let { bytes, last } = before
  for (const row of rows) {
    const length = text(row["doc"]).length
    const isFull = items.length === limit || (items.length > 0 && bytes + length > pageBytesMax)
    if (isFull) {
      if (isItem(row)) return { items, bytes, last, isFull }
      continue
    }
    const item = itemOf(row)
    if (item === undefined) continue
    items.push(item)
    bytes += length
    last = subjectKey(integer(row["key"]))
  }
  return { items, bytes, last, isFull: false }
}

export const pageOf = <Item>({ isFull, items, last }: FilledPage<Item>): Page<Item, SubjectKey> => ({
  items,
  next: isFull ? last : null,
})

export const keyOf = (row: Row | undefined): SubjectKey | null =>
  row === undefined ? null : subjectKey(integer(row["key"]))

/** Whether a list has no rows after these, of which `wanted` were asked for. */
export const isLast = ({ isCut, rows }: CutRows, wanted: number): boolean => !isCut && rows.length < wanted

/** Reads a page of a list in slices. */
export const readPage = Effect.fnUntraced(function* <Item>(
  read: Read,
  workspace: WorkspaceId,
  list: SubjectList,
  { after, limit, order }: PageRequest<SubjectKey>,
  itemOf: (row: Row) => Item,
): Effect.fn.Return<Page<Item, SubjectKey>, StoreUnavailable> {
  let page: FilledPage<Item> = emptyPage
  for (;;) {
    const before = page
    // Reads one more row than the page holds, to find out whether there is a next page.
    const wanted = Math.min(limit + 1 - before.items.length, sliceDocumentsMax)
    const part = { after: before.last ?? after, order, limit: wanted }
    const { filled, isEnd } = yield* read((ask) =>
      Effect.map(ask.listed(workspace, list, part), (found) => ({
        filled: fillPage(before, found.rows, limit, itemOf),
        isEnd: isLast(found, wanted),
      })),
    )
    page = filled
    if (page.isFull || isEnd) return pageOf(page)
  }
})
