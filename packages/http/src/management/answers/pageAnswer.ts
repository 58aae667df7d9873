import type { Page } from "@inlethq/core/values/Page"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import type { Slices } from "@inlethq/core/Slices"
import type { Json } from "@inlethq/core/values/Json"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonTexts } from "./jsonTexts.ts"

/** The characters of JSON at which a page ends whose items the store does not bound in bytes. */
export const pageCharactersMax = 1024 * 1024

/** Additional fields of a page, besides its items and its next cursor. */
type PageFields = Readonly<Record<string, Json>>

/** Returns a function that responds with a page as JSON, which is serialised in slices. */
export const pageAnswer = <Source, Item, Place>(
  documentOf: (source: Source) => Item,
  item: Schema.Codec<Item, unknown>,
  cursor: Schema.Codec<Place, string>,
) => {
  const encodeItem = Schema.encodeSync(item)
  const encodeCursor = Schema.encodeSync(cursor)

  function* written({ items, next }: Page<Source, Place>, fields: PageFields): Slices<string> {
    const texts = yield* jsonTexts(items, (record) => encodeItem(documentOf(record)))
    const end = JSON.stringify(next === null ? null : encodeCursor(next))
    const more = Object.entries(fields).map(
      ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    )
    return `{"items":[${texts.join(",")}],"next":${end}${more.join("")}}`
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
