import type { EntryFilter, FilterTerm, FilterValue } from "./EntryFilter.ts"
import { codesSaying } from "@inlethq/wire/texts/reasonCodes"

/**
 * Returns a filter that is kept: its words of sentences become the codes that have them today, so that the filter goes on to
 * find the same entries when a text is reworded. Words that no sentence has stay.
 */
export const withCodes = (filter: EntryFilter): EntryFilter =>
  filter.map((term) => (term.key === "reason" ? codedTerm(term) : term))

const codedTerm = (term: FilterTerm): FilterTerm => {
  const [first, ...others] = term.values.flatMap(codedValue)
  return first === undefined ? term : { ...term, values: [first, ...others] }
}

const codedValue = (value: FilterValue): ReadonlyArray<FilterValue> => {
  const codes = value.every((text) => text === "") ? [] : codesSaying(value)
  return codes.length === 0 ? [value] : codes.map((code): FilterValue => [code])
}
