import { fitsPattern, wildcardPattern } from "@inlethq/core/log/WildcardPattern"
import { foldText } from "@inlethq/core/values/foldText"

/** A condition of a query: `key:value`, a list of values, or a word. */
export interface QueryTerm {
  /** Null for a word without a key. */
  readonly key: string | null
  readonly isExcluded: boolean
  /** The alternatives. Each is a list of the literal texts between its wildcards. */
  readonly values: ReadonlyArray<ReadonlyArray<string>>
  /** Where the term stands in the text. */
  readonly from: number
  readonly to: number
}

/**
 * Reads a query: terms that all must hold, separated by spaces, written as in the filter language (docs/filters.md) but with
 * any key, and also `key=value`. What that language refuses, such as a quote that is not closed, is read as far as it goes,
 * because somebody is typing.
 */
export const termsIn = (text: string): ReadonlyArray<QueryTerm> => {
  const terms: Array<QueryTerm> = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) at++
    else {
      const term = termAt(text, at)
      if (term.values.some((value) => value.join("*") !== "")) terms.push(term)
      at = Math.max(term.to, at + 1)
    }
  }
  return terms
}

const termAt = (text: string, from: number): QueryTerm => {
  const isExcluded = text.charAt(from) === "-"
  const keyAndSign = /([^\s:="\\*,]+)[:=]/y
  keyAndSign.lastIndex = from + (isExcluded ? 1 : 0)
  const [, key = null] = keyAndSign.exec(text) ?? []
  let at = key === null ? from + (isExcluded ? 1 : 0) : keyAndSign.lastIndex
  const values: Array<ReadonlyArray<string>> = []
  for (;;) {
    const [value, end] = valueAt(text, at)
    values.push(value)
    at = end + 1
    if (text.charAt(end) !== ",") return { key, isExcluded, values, from, to: end }
  }
}

/** Reads a value and returns it with the offset of the character after it. */
const valueAt = (text: string, start: number): readonly [value: ReadonlyArray<string>, end: number] => {
  const isQuoted = text.charAt(start) === '"'
  const value: Array<string> = []
  let literal = ""
  let at = isQuoted ? start + 1 : start
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted ? character === '"' : /[\s,]/.test(character)) break
    if (character === "*") {
      value.push(literal)
      literal = ""
    } else literal += character === "\\" ? text.charAt(++at) : character
  }
  return [[...value, literal], isQuoted ? Math.min(text.length, at + 1) : at]
}

/** Tests texts for what a term asks. Case and accents do not matter, and a word may be inside of a text. */
export const termTest = ({
  isExcluded,
  key,
  values,
}: QueryTerm): ((texts: ReadonlyArray<string>) => boolean) => {
  const patterns = values.map((value) =>
    wildcardPattern((key === null ? ["", ...value, ""] : value).map(foldText)),
  )
  return (texts) =>
    texts.some((text) => {
      const folded = foldText(text)
      return patterns.some((pattern) => fitsPattern(pattern, folded))
    }) !== isExcluded
}
