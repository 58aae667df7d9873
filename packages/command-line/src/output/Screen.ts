import { Clock, Effect } from "effect"
import process from "node:process"
import { hasColour } from "@inlethq/runtime/colour"
import { inlet } from "../flags/inlet.ts"
import type { TimeStyle } from "./times.ts"

/** The properties of standard output that decide how results are drawn. */
export interface Screen {
  /** True for a terminal. Output to a pipe or a file has a format for programs instead of people. */
  readonly isTerminal: boolean
  readonly hasColour: boolean
  /** The width of the terminal in cells. */
  readonly columns: number
  readonly times: TimeStyle
}

/** The width in cells of a terminal that does not know its width. */
const columnsDefault = 80

/** Returns the width of a terminal in cells. `COLUMNS` overrides the width that the terminal reports. */
export const columnsOf = (stream: { readonly columns?: number }): number => {
  const given = process.env["COLUMNS"]?.trim() ?? ""
  if (/^[1-9]\d{0,4}$/.test(given)) return Number(given)
  const { columns = 0 } = stream
  return columns > 0 ? columns : columnsDefault
}

/** Returns the current screen. Its width changes when the terminal is resized. */
export const currentScreen = Effect.gen(function* () {
  const { utc } = yield* inlet
  const isTerminal = process.stdout.isTTY === true
  const screen: Screen = {
    isTerminal,
    hasColour: hasColour(process.stdout),
    columns: columnsOf(process.stdout),
    times: { isUtc: utc, isForPeople: isTerminal, now: yield* Clock.currentTimeMillis },
  }
  return screen
})

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const

export type Style = keyof typeof codes

/** Returns a text with a style, or unchanged if the screen has no colour. */
export const paint = ({ hasColour }: Pick<Screen, "hasColour">, style: Style | null, text: string): string =>
  hasColour && style !== null && text !== "" ? `\u001b[${codes[style]}m${text}\u001b[0m` : text
