import type { PageRequest } from "@inlethq/core/values/Page"
import { Schema } from "effect"

/** The number of items on a page if the request gives no limit. */
export const pageItemsDefault = 50

/** The largest number of items on a page. */
export const pageItemsMax = 1000

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageItemsMax })).annotate({
  description: `the largest number of items on a page, ${pageItemsDefault} by default and ${pageItemsMax} at most; a page of large items may have fewer items even if it is not the last page`,
})

const Order = Schema.Literals(["asc", "desc"]).annotate({ description: "newest first, unless `asc`" })

/** Query parameters of a list. To get the next page, a client sends the `next` of the last page as `after`. */
export const pageQuery = <Cursor extends Schema.Top>(cursor: Cursor) => ({
  limit: Schema.optionalKey(Limit),
  after: Schema.optionalKey(cursor),
  order: Schema.optionalKey(Order),
})

/**
 * A page of a list. `next` is the cursor of the next page, and null on the last page. Any page may have fewer items
 * than the limit, so only `next` shows whether more items follow.
 */
export const Page = <Item extends Schema.Top, Cursor extends Schema.Top>(item: Item, cursor: Cursor) =>
  Schema.Struct({ items: Schema.Array(item), next: Schema.NullOr(cursor) })

/** Returns the request for a page, with the defaults filled in. */
export const pageRequest = <Cursor>(query: {
  readonly limit?: number
  readonly after?: Cursor
  readonly order?: "asc" | "desc"
}): PageRequest<Cursor> => ({
  limit: query.limit ?? pageItemsDefault,
  after: query.after ?? null,
  order: query.order ?? "desc",
})
