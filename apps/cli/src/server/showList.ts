import { Console, Effect, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import { inlet } from "../inlet.ts"
import { currentScreen, paint } from "../output/Screen.ts"
import { drawTable, type Column } from "../output/table.ts"
import { printLines } from "./show.ts"

const NextPage = Schema.fromJsonString(Schema.Struct({ next: Schema.NullOr(Schema.String) }))

/**
 * Prints a page of a list: with `--json` as the server sent it, otherwise as a table. On a terminal, the last line says
 * how to print the next page.
 */
export const showList = Effect.fnUntraced(function* <Item, E, R>(
  call: Effect.Effect<
    readonly [page: { readonly items: ReadonlyArray<Item> }, response: HttpClientResponse.HttpClientResponse],
    E,
    R
  >,
  columns: ReadonlyArray<Column<Item>>,
  none: string,
) {
  const [{ items }, response] = yield* call
  const { json } = yield* inlet
  const text = yield* response.text
  if (json) return yield* Console.log(text)
  const screen = yield* currentScreen
  yield* printLines(drawTable(screen, columns, items))
  if (!screen.isTerminal) return
  const { next } = yield* Schema.decodeUnknownEffect(NextPage)(text)
  if (items.length === 0 && next === null) return yield* Console.log(paint(screen, "dim", none))
  if (next !== null) yield* Console.log(paint(screen, "dim", `More: add --after ${next}`))
})
