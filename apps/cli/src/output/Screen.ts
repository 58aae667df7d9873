import { Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"
import process from "node:process"

/** The standard output of the command, as far as it decides how results are drawn. */
export interface Screen {
  /** Whether a person reads the output. Otherwise it is a pipe or a file, and results are drawn for programs. */
  readonly isTerminal: boolean
  readonly hasColour: boolean
  /** The width in characters. */
  readonly columns: number
}

/** The width of a terminal that does not tell its own. */
const columnsDefault = 80

/** Returns the screen as it is now. Terminals can be resized. */
export const currentScreen: Effect.Effect<Screen> = Effect.gen(function* () {
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  return {
    isTerminal: process.stdout.isTTY === true,
    hasColour: canColor,
    columns: process.stdout.columns ?? columnsDefault,
  }
})

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const

export type Style = keyof typeof codes

/** Returns a text with a style, or unchanged if the screen has no colour. */
export const paint = ({ hasColour }: Screen, style: Style | null, text: string): string =>
  hasColour && style !== null && text !== "" ? `\u001b[${codes[style]}m${text}\u001b[0m` : text
