import { CliOutput } from "effect/cli"
import { paint, type Screen } from "./Screen.ts"
import { clip, fit, printable } from "./text.ts"

/** A name and a value. A name with the value null is left out. */
export type Field = readonly [name: string, value: string | null]

/** The largest width of the column that shows the names of fields. */
const nameWidthMax = 28

/** Draws names and values in two columns. On a terminal each line is cut to the width of the terminal. */
export const drawFields = (screen: Screen, fields: ReadonlyArray<Field>): ReadonlyArray<string> => {
  const shown = fields.flatMap(([name, value]) =>
    value === null || value === "" ? [] : [[printable(name), printable(value)] as const],
  )
  const widest = Math.max(0, ...shown.map(([name]) => CliOutput.displayWidth(name)))
  const width = Math.min(nameWidthMax, widest)
  const room = screen.isTerminal ? screen.columns - width - 4 : Number.POSITIVE_INFINITY
  return shown.map(([name, value]) => `  ${paint(screen, "dim", fit(name, width))}  ${clip(value, room)}`)
}
