import { fitsPattern, wildcardPattern } from "@inlethq/core/log/WildcardPattern"
import { reasonTexts } from "./reasonTexts.ts"
import { textInBrand } from "./WrittenBrand.ts"

/** What a reason says, without what fills its text: a filter must not read what a client sent. */
const said: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  [...reasonTexts].map(([code, { template }]) => [
    code,
    [...new Set([template, textInBrand("cio", template)])].map((text) => text.replaceAll(/\{\w+\}/g, "…")),
  ]),
)

/**
 * Returns the codes that a value of a filter term `reason:` stands for. A code stands for itself. Other values are words of
 * the sentences that Inlet makes of the codes today; with wildcards, a value is compared with codes and whole sentences.
 */
export const codesSaying = (value: readonly [string, ...Array<string>]): ReadonlyArray<string> => {
  const [text] = value
  if (value.length === 1) {
    if (reasonTexts.has(text)) return [text]
    return codesWhere((sentence) => hasWords(sentence, text))
  }
  const pattern = wildcardPattern(value)
  const matching = new Set(codesWhere((sentence) => fitsPattern(pattern, sentence)))
  return [...said.keys()].filter((code) => matching.has(code) || fitsPattern(pattern, code))
}

const codesWhere = (matches: (sentence: string) => boolean): ReadonlyArray<string> =>
  [...said].flatMap(([code, sentences]) => (sentences.some(matches) ? [code] : []))

const letter = /[\p{L}\p{N}_]/u

/** Returns whether a sentence contains words, which begin and end where its words do. */
const hasWords = (sentence: string, words: string): boolean => {
  for (let at = sentence.indexOf(words); at >= 0; at = sentence.indexOf(words, at + 1)) {
    const before = sentence.slice(0, at)
    const after = sentence.slice(at + words.length)
    if (!letter.test(before.slice(-1)) && !letter.test(after.slice(0, 1))) return true
  }
  return false
}
