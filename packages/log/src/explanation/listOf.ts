/** The largest number of names that a sentence of an explanation lists. */
const namesMax = 5

/** Returns names as a list in a sentence. */
export const listOf = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, namesMax)
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(", ")} and ${rest} more`
  const last = shown.at(-1) ?? ""
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${last}` : last
}
