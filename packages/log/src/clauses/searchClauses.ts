import { clauses } from "./generated.ts"

/** The longest part of a text that a search shows, in characters. */
const partLengthMax = 480

/** A clause that a search found, in parts, so that a reader who cuts long texts gets all of it. */
export interface FoundClause {
  readonly rule: string
  readonly title: string
  readonly url: string
  readonly text: ReadonlyArray<string>
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_§.]+/gu) ?? []

const partsOf = (text: string): ReadonlyArray<string> =>
  text.match(new RegExp(`[^]{1,${partLengthMax}}(?:\\s|$)|[^]{1,${partLengthMax}}`, "g")) ?? []

/** Returns the clause with a name, or the clauses that have most of the words of a query, best first. */
export const searchClauses = (query: string, limit: number): ReadonlyArray<FoundClause> => {
  const named = clauses.filter(({ rule }) => rule === query.trim())
  const wanted = [...new Set(wordsOf(query))]
  const scored = clauses.map((clause) => {
    const title = new Set(wordsOf(`${clause.rule} ${clause.title}`))
    const text = new Set(wordsOf(clause.text))
    const score = wanted.reduce((sum, word) => sum + (title.has(word) ? 3 : 0) + (text.has(word) ? 1 : 0), 0)
    return { clause, score }
  })
  const best = scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.clause.text.length - b.clause.text.length)
    .map(({ clause }) => clause)
  return (named.length > 0 ? named : best.slice(0, limit)).map(({ rule, text, title, url }) => ({
    rule,
    title,
    url,
    text: partsOf(text),
  }))
}
