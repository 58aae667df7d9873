import { hasColour } from "@inlethq/runtime/colour"
import { Console, Effect } from "effect"
import process from "node:process"
import { paint } from "./Screen.ts"
import { printable } from "./text.ts"

/**
 * Prints a note for people to standard error, so that standard output has only the result of the command. On a terminal
 * the note is dim.
 */
export const printNote = (text: string): Effect.Effect<void> =>
  Effect.suspend(() => Console.error(paint({ hasColour: hasColour(process.stderr) }, "dim", printable(text))))
