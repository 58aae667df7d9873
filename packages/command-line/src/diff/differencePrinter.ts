import type { Json } from "@inlethq/core/values/Json"
import { Effect } from "effect"
import { JsonOutput } from "../output/JsonOutput.ts"
import { currentScreen } from "../output/Screen.ts"
import { drawTable, type Column } from "../output/table.ts"
import { printLines } from "../server/show.ts"
import type { Difference } from "./differences.ts"

const textOf = (path: string | null, value: Json): string => {
  if (path === null) return value === true ? "there" : "missing"
  return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
}

const columnsFor = (sides: {
  readonly here: string
  readonly there: string
}): ReadonlyArray<Column<Difference>> => [
  { heading: "KIND", text: ({ kind }) => kind },
  { heading: "ID", text: ({ id }) => id, style: () => "bold", shrinks: true },
  { heading: "PATH", text: ({ path }) => path ?? "", shrinks: true },
  { heading: sides.here, text: ({ here, path }) => textOf(path, here), shrinks: true },
  { heading: sides.there, text: ({ path, there }) => textOf(path, there), shrinks: true },
]

/** Returns what prints differences as they are found: rows of one table with these headings, or a line of JSON for each. */
export const differencePrinter = (sides: { readonly here: string; readonly there: string }) => {
  const columns = columnsFor(sides)
  let found = 0
  return Effect.fnUntraced(function* (differences: ReadonlyArray<Difference>) {
    const { isWanted: json, print } = yield* JsonOutput
    if (json) for (const one of differences) yield* print(JSON.stringify(one))
    else {
      const screen = yield* currentScreen
      const lines = drawTable(screen, columns, differences)
      // Only the first lines on a terminal have the headings above them.
      yield* printLines(screen.isTerminal && found > 0 ? lines.slice(1) : lines)
    }
    found += differences.length
  })
}
