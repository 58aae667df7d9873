import type { PageRequest } from "@inlet/core/catalog/Catalog"
import { Schema } from "effect"

/** Items of a page that does not say how many it wants. */
const pageItemsDefault = 50
const pageItemsMax = 1000

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageItemsMax })).annotate({
  description: `items of one page, ${pageItemsDefault} by default and ${pageItemsMax} at most; where items are large, a page has fewer of them and still a \`next\``,
})

const Order = Schema.Literals(["asc", "desc"]).annotate({ description: "newest first, unless `asc`" })

/** The query fields of a list; `after` is the `next` of the page before. */
export const pageQuery = <Cursor extends Schema.Top>(cursor: Cursor) => ({
  limit: Schema.optionalKey(Limit),
  after: Schema.optionalKey(cursor),
  order: Schema.optionalKey(Order),
})

/** A part of a list; `next` continues it, and is null at its end. A page may be short and still have a next one. */
export const Page = <Item extends Schema.Top, Cursor extends Schema.Top>(item: Item, cursor: Cursor) =>
  Schema.Struct({ items: Schema.Array(item), next: Schema.NullOr(cursor) })

/** What a list's query asks for. */
export const pageRequest = <Cursor>(query: {
  readonly limit?: number
  readonly after?: Cursor
  readonly order?: "asc" | "desc"
}): PageRequest<Cursor> => ({
  limit: query.limit ?? pageItemsDefault,
  after: query.after ?? null,
  order: query.order ?? "desc",
})
