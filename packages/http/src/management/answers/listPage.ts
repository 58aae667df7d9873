import type { Page, PageRequest } from "@inlethq/core/values/Page"

/** Returns a page of a list that is completely in memory. The items in `ascending` must be sorted by cursor. */
export const listPage = <Item, Cursor>(
  ascending: ReadonlyArray<Item>,
  cursorOf: (item: Item) => Cursor,
  isBefore: (a: Cursor, b: Cursor) => boolean,
  { after, limit, order }: PageRequest<Cursor>,
): Page<Item, Cursor> => {
  const rest = ascending.filter((item) => {
    if (after === null) return true
    return order === "asc" ? isBefore(after, cursorOf(item)) : isBefore(cursorOf(item), after)
  })
  const items = (order === "asc" ? rest : rest.toReversed()).slice(0, limit)
  const last = items.at(-1)
  return { items, next: rest.length > limit && last !== undefined ? cursorOf(last) : null }
}
