import { Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"
import process from "node:process"

/** The properties of standard output that decide how results are drawn. */
export interface Screen {
  /** True for a terminal. Output to a pipe or a file has a format for programs instead of people. */
  readonly isTerminal: boolean
  readonly hasColour: boolean
  /** The width of the terminal in cells. */
  readonly columns: number
}

/** The width of the terminal in cells, if standard output does not report its width. */
const columnsDefault = 80

/** Returns the current screen. Its width changes when the terminal is resized. */
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
