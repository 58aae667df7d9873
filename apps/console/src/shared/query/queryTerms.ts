import { termsIn, type QueryTerm } from "@inlethq/log/filter/queryTerms"

/** Returns a value as it is written in a query, in quotes where it would not stand for itself otherwise. */
export const writtenValue = (value: string): string =>
  /^[\p{L}\p{N}_./@+$-]+$/u.test(value) ? value : `"${value.replaceAll(/["\\*]/g, String.raw`\$&`)}"`

/** A condition to add to a query. */
export interface NewTerm {
  readonly key: string
  readonly value: string
  readonly isExcluded?: boolean
  /** True if `*` in the value stands for any text. */
  readonly isPattern?: boolean
}

export const writtenTerm = ({ isExcluded = false, isPattern = false, key, value }: NewTerm): string =>
  `${isExcluded ? "-" : ""}${key}:${isPattern ? value : writtenValue(value)}`

/** Returns a query with a condition more. What it asked of the same key before makes way, unless both can hold. */
export const withTerm = (text: string, term: NewTerm): string => {
  const written = writtenTerm(term)
  const kept = termsIn(text).filter(
    (one) =>
      one.key !== term.key ||
      (term.isExcluded === true ? one.isExcluded : false) ||
      (term.isExcluded !== true && one.isExcluded && !saysSame(one, term)),
  )
  const others = kept.map(({ from, to }) => text.slice(from, to)).filter((one) => one !== written)
  return [...others, written].join(" ")
}

const saysSame = ({ values }: QueryTerm, { value }: NewTerm): boolean =>
  values.some((one) => one.length === 1 && one[0] === value)
