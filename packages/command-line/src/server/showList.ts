import { Effect, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import { firstPage, type PageFlags, type PageQuery } from "../flags/flags.ts"
import { JsonOutput } from "../output/JsonOutput.ts"
import { printNote } from "../output/note.ts"
import { currentScreen } from "../output/Screen.ts"
import { columnsLeftOut, drawTable, type Column } from "../output/table.ts"
import { printLines } from "./show.ts"

/** A page of a list as the client decodes it, and the HTTP response that contained it. */
export type PageAnswer<Item, Cursor> = readonly [
  page: { readonly items: ReadonlyArray<Item>; readonly next: Cursor | null },
  response: HttpClientResponse.HttpClientResponse,
]

/** What is said if a list is empty. */
export interface NothingFound {
  /** Said on a terminal. */
  readonly empty: string
  /** Said instead, also in a pipe, because what was asked looks like a mistake. */
  readonly hint: string | null
}

const ItemsPage = Schema.fromJsonString(Schema.Struct({ items: Schema.Array(Schema.Unknown) }))

/** Returns the items of a page, each as one line of JSON. */
const itemsIn = (text: string) =>
  Effect.map(Schema.decodeUnknownEffect(ItemsPage)(text), ({ items }) =>
    items.map((item) => JSON.stringify(item)),
  )

const NextPage = Schema.fromJsonString(Schema.Struct({ next: Schema.NullOr(Schema.String) }))

/**
 * Prints a page of a list: with `--json` as the server sent it, with `-o ndjson` an item a line, otherwise as a table. With `--all`, also prints the pages after it,
 * each as soon as it arrives. Says on standard error if there are more items.
 */
export const showList = Effect.fnUntraced(function* <Item, Cursor, E, R>(
  flags: PageFlags<Cursor>,
  read: (query: PageQuery<Cursor>) => Effect.Effect<PageAnswer<Item, Cursor>, E, R>,
  columns: ReadonlyArray<Column<Item>>,
  none: NothingFound,
) {
  const { format, print } = yield* JsonOutput
  const json = format !== "text"
  let query = firstPage(flags)
  let shown = 0
  const leftOut = new Set<string>()
  for (;;) {
    const [{ items, next }, response] = yield* read(query)
    const text = yield* response.text
    const screen = yield* currentScreen
    if (format === "json") yield* print(text)
    else if (format === "ndjson") yield* Effect.forEach(yield* itemsIn(text), print, { discard: true })
    else {
      const lines = drawTable(screen, columns, items)
      // Only the first page of a terminal's table has the line with the headings.
      yield* printLines(screen.isTerminal && shown > 0 ? lines.slice(1) : lines)
      for (const heading of columnsLeftOut(screen, columns, items)) leftOut.add(heading)
    }
    shown += items.length
    const isLast = next === null || !flags.all
    if (isLast && leftOut.size > 0) {
      yield* printNote(`The terminal is too narrow for ${[...leftOut].join(", ")}: widen it, or add --json`)
    }
    if (next === null) {
      if (shown === 0 && none.hint !== null && !json) yield* printNote(none.hint)
      else if (shown === 0 && screen.isTerminal && !json) yield* printNote(none.empty)
      return
    }
    if (!flags.all) {
      const { next: cursor } = yield* Schema.decodeUnknownEffect(NextPage)(text)
      const how = `add --all, or --after ${cursor}`
      return yield* printNote(shown === 0 ? `Nothing found so far: ${how}` : `There are more: ${how}`)
    }
    query = { ...query, after: next }
  }
})
