import type { EntryFilter, FilterTerm, FilterValue } from "./EntryFilter.ts"

/** Formats a filter as text. Parsing the text returns the same filter. */
export const printFilter = (filter: EntryFilter): string => filter.map(printTerm).join(" ")

const printTerm = ({ isExcluded, key, values }: FilterTerm): string =>
  `${isExcluded ? "-" : ""}${key === null ? "" : `${key}:`}${values.map(printValue).join(",")}`

const printValue = (value: FilterValue): string => {
  const needsQuotes = value.some((text) => /[\s",:]/.test(text)) || value[0].startsWith("-")
  const text = value.map((literal) => literal.replaceAll(/["*\\]/g, "\\$&")).join("*")
  return needsQuotes ? `"${text}"` : text
}
