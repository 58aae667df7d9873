import type { Page } from "@inlet/core/Directory"
import type { ReadTurns, Slices } from "@inlet/core/ReadTurns"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"

/** Items that are written before others may have the thread, and characters of their text; one item in any case. */
const itemsPerSlice = 100
const charactersPerSlice = 128 * 1024

/**
 * Answers with a page in the form of its endpoint's contract, written a slice at a time: a whole page of large items would
 * hold the thread for tens of milliseconds.
 */
export const pageAnswer = <Record, Item, Place>(
  documentOf: (record: Record) => Item,
  item: Schema.Codec<Item, unknown>,
  cursor: Schema.Codec<Place, string>,
) => {
  const encodeItem = Schema.encodeSync(item)
  const encodeCursor = Schema.encodeSync(cursor)

  function* written({ items, next }: Page<Record, Place>): Slices<Buffer> {
    const parts: Array<Buffer> = []
    let texts: Array<string> = []
    let characters = 0
    for (const [index, record] of items.entries()) {
      if (texts.length === itemsPerSlice || characters > charactersPerSlice) {
        parts.push(Buffer.from(texts.join("")))
        texts = []
        characters = 0
        yield
      }
      const text = JSON.stringify(encodeItem(documentOf(record)))
      texts.push(index === 0 ? text : `,${text}`)
      characters += text.length
    }
    const end = JSON.stringify(next === null ? null : encodeCursor(next))
    return Buffer.concat([
      Buffer.from('{"items":['),
      ...parts,
      Buffer.from(`${texts.join("")}],"next":${end}}`),
    ])
  }

  return (turns: ReadTurns, page: Page<Record, Place>) =>
    Effect.map(
      turns.work(() => written(page)),
      (body) => HttpServerResponse.uint8Array(body, { contentType: "application/json" }),
    )
}
