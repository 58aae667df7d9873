import type { JsonObject } from "@inlethq/core/values/Json"
import type { Slices } from "@inlethq/core/Slices"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Data, Effect } from "effect"
import { jsonTexts } from "../management/answers/jsonTexts.ts"

/** The answer to a call of the App API. `json` is null if there is no body. */
export interface AppAnswer {
  readonly status: number
  readonly json: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A call of the App API is refused. */
export class AppRefused extends Data.TaggedError("AppRefused")<{
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}> {}

export const refuse = (status: number, message: string): AppRefused => new AppRefused({ status, message })

export const json = (document: JsonObject): AppAnswer => ({ status: 200, json: JSON.stringify(document) })

/** Returns a list for `answerLists`. */
export const list =
  <Item>(
    items: ReadonlyArray<Item>,
    documentOf: (item: Item) => unknown,
  ): (() => Slices<ReadonlyArray<string>>) =>
  () =>
    jsonTexts(items, documentOf)

/** Answers with lists, and with other fields after them. Fields that are undefined are left out. */
export const answerLists = (
  turns: ReadTurns,
  lists: Readonly<Record<string, () => Slices<ReadonlyArray<string>>>>,
  others: Readonly<Record<string, JsonObject[string] | undefined>> = {},
): Effect.Effect<AppAnswer, StoreUnavailable> => {
  function* written(): Slices<string> {
    const fields: Array<string> = []
    for (const [name, texts] of Object.entries(lists)) {
      fields.push(`${JSON.stringify(name)}:[${(yield* texts()).join(",")}]`)
    }
    for (const [name, value] of Object.entries(others)) {
      if (value !== undefined) fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
    }
    return `{${fields.join(",")}}`
  }
  return Effect.map(turns.work(written), (text) => ({ status: 200, json: text }))
}
