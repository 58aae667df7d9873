import { Console, Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import { JsonOutput } from "../output/JsonOutput.ts"
import { currentScreen, type Screen } from "../output/Screen.ts"

/** A decoded answer of the management API, and the HTTP response that contained it. */
export type Answer<Document> = readonly [document: Document, response: HttpClientResponse.HttpClientResponse]

/**
 * Prints the answer of a call to the management API: with `--json` or `--jq` as JSON, otherwise as the lines that `draw`
 * returns.
 */
export const show = Effect.fnUntraced(function* <Document, E, R>(
  call: Effect.Effect<Answer<Document>, E, R>,
  draw: (document: Document, screen: Screen) => ReadonlyArray<string>,
) {
  const [document, response] = yield* call
  const { isWanted, print } = yield* JsonOutput
  yield* isWanted ? print(yield* response.text) : printLines(draw(document, yield* currentScreen))
  return document
})

/** Prints lines to standard output. */
export const printLines = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  lines.length === 0 ? Effect.void : Console.log(lines.join("\n"))
