import { exceedsBytes } from "@inlet/core/Json"
import type { Limits } from "@inlet/core/Limits"

/** What is wrong with the names of columns, whatever they mean. */
export const namesFaults = (
  { attributeNameBytesMax }: Limits,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.flatMap((name, i) => {
    const column = i + 1
    const first = seen.get(name)
    seen.set(name, first ?? column)
    if (name === "") return [`column ${column} has no name`]
    if (first !== undefined) return [`column ${column} has the same name as column ${first}`]
    if (!exceedsBytes(name, attributeNameBytesMax)) return []
    return [`the name of column ${column} is longer than ${attributeNameBytesMax} bytes`]
  })
}
