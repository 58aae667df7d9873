import { exceedsBytes } from "@inlet/core/values/Json"
import type { Limits } from "@inlet/core/workspace/Limits"
import { headerTexts } from "./csvTexts.ts"

/** Checks column names by the rules that all kinds of files share, and returns the error messages. */
export const namesFaults = (
  { attributeNameBytesMax }: Limits,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.flatMap((name, i) => {
    const column = i + 1
    const first = seen.get(name)
    seen.set(name, first ?? column)
    if (name === "") return [headerTexts.unnamedColumn({ column })]
    if (first !== undefined) return [headerTexts.repeatedColumn({ column, first })]
    if (!exceedsBytes(name, attributeNameBytesMax)) return []
    return [headerTexts.longColumn({ column, bytes: attributeNameBytesMax })]
  })
}

/** The largest number of columns, and of characters of a column, that an error about a missing column lists. */
const listedMax = 10
const listedLengthMax = 40

/** Returns the fault of a header that lacks columns. It lists the columns that the header has. */
export const missingFault = (missing: string, names: ReadonlyArray<string>): string => {
  const listed = names.slice(0, listedMax).map((name) => `\`${shortened(name)}\``)
  const more = names.length > listedMax ? [`${names.length - listedMax} more`] : []
  return headerTexts.missingColumn({ names: missing, found: [...listed, ...more].join(", ") })
}

const shortened = (name: string): string =>
  name.length > listedLengthMax ? `${name.slice(0, listedLengthMax)}…` : name
