import type { Page } from "@inlet/core/values/Page"
import type { ReadTurns } from "@inlet/engine/reads/ReadTurns"
import type { Slices } from "@inlet/core/Slices"
import type { Json } from "@inlet/core/values/Json"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"

/** The characters of JSON at which a page ends whose items the store does not bound in bytes. */
export const pageCharactersMax = 1024 * 1024

/** The largest number of items that are serialised before other work may use the thread. */
const itemsPerSlice = 100

/**
 * The largest number of characters of JSON that are serialised before other work may use the thread. At least one item
 * is serialised each time.
 */
const charactersPerSlice = 128 * 1024

/** Additional fields of a page, besides its items and its next cursor. */
type PageFields = Readonly<Record<string, Json>>

/**
 * Returns a function that responds with a page as JSON. The page is serialised in slices, because serialising a page of
 * large items at once would block the thread for tens of milliseconds.
 */
export const pageAnswer = <Source, Item, Place>(
  documentOf: (source: Source) => Item,
  item: Schema.Codec<Item, unknown>,
  cursor: Schema.Codec<Place, string>,
) => {
  const encodeItem = Schema.encodeSync(item)
  const encodeCursor = Schema.encodeSync(cursor)

  function* written({ items, next }: Page<Source, Place>, fields: PageFields): Slices<string> {
    const parts: Array<string> = []
    let characters = 0
    let last = 0
    for (const [index, record] of items.entries()) {
      if (index - last === itemsPerSlice || characters > charactersPerSlice) {
        characters = 0
        last = index
        yield
      }
      const text = JSON.stringify(encodeItem(documentOf(record)))
      parts.push(text)
      characters += text.length
    }
    const end = JSON.stringify(next === null ? null : encodeCursor(next))
    const more = Object.entries(fields).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    )
    return `{"items":[${parts.join(",")}],"next":${end}${more.join("")}}`
  }

  return (turns: ReadTurns, page: Page<Source, Place>, fields: PageFields = {}) =>
    Effect.map(
      turns.work(() => written(page, fields)),
      // The response body is a string, because the memory of a `Buffer` is outside the V8 heap and is freed much later.
      (text) =>
        HttpServerResponse.raw(text, {
          contentType: "application/json",
          contentLength: Buffer.byteLength(text),
        }),
    )
}
