import { exceedsBytes } from "@inlet/core/values/Json"
import type { Limits } from "@inlet/core/workspace/Limits"
import { headerTexts } from "./faults.ts"

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
