/** A page to read: at most `limit` items after the cursor `after`. */
export interface PageRequest<Cursor> {
  readonly limit: number
  readonly after: Cursor | null
  readonly order: "asc" | "desc"
}

/**
 * A page of a list. `next` is the cursor of the next page, or null on the last page. Only the last page can be empty.
 * The other pages hold fewer items than the limit only if the items are large.
 */
export interface Page<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  readonly next: Cursor | null
}
