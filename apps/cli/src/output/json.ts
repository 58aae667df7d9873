import { Console, Effect } from "effect"
import process from "node:process"
import { unprintable } from "./text.ts"

/**
 * Prints a JSON document as one line. On a terminal, control characters in its strings are escaped, which does not change the
 * document.
 */
export const printJson = (text: string): Effect.Effect<void> =>
  Effect.suspend(() => Console.log(process.stdout.isTTY === true ? escaped(text.trimEnd()) : text.trimEnd()))

/** Escapes the control characters that JSON may contain, as `\u009b`. */
export const escaped = (json: string): string =>
  json.replaceAll(unprintable, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
