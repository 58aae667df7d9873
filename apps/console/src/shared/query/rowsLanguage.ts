import { termsIn, termTest } from "@inlethq/log/filter/queryTerms"
import { countValues, fitting, type QueryLanguage } from "./QueryLanguage.ts"

/** What a query compares of a row under one key. */
export interface QueryField<Row> {
  readonly hint: string
  readonly texts: (row: Row) => ReadonlyArray<string>
}

/** The keys with which the rows of a list can be queried in the browser. */
export interface QueryFields<Row> {
  readonly fields: Readonly<Record<string, QueryField<Row>>>
  /** What a word without a key is looked for in. */
  readonly words: (row: Row) => ReadonlyArray<string>
  /** How much a row counts in the numbers beside values. */
  readonly weight: (row: Row) => number
  readonly examples: QueryLanguage["examples"]
  /** The texts of a key that has no field, if rows have such keys. */
  readonly other?: (row: Row, key: string) => ReadonlyArray<string>
}

/** Makes the language of queries for rows that are all in the browser. */
export const rowsLanguage = <Row>(
  { examples, fields, other, weight }: QueryFields<Row>,
  rows: ReadonlyArray<Row>,
): QueryLanguage => ({
  keys: Object.fromEntries(Object.entries(fields).map(([key, { hint }]) => [key, hint])),
  examples,
  known: (key, typed) => {
    const texts = fields[key]?.texts ?? ((row: Row) => other?.(row, key) ?? [])
    const counted = countValues(rows.flatMap((row) => texts(row).map((text) => [text, weight(row)] as const)))
    return fitting(counted, typed)
  },
})

/** Returns a test whether a row is what a query asks for. Case and accents do not matter. */
export const rowMatcher = <Row>(
  { fields, other, words }: QueryFields<Row>,
  query: string,
): ((row: Row) => boolean) => {
  const tests = termsIn(query).map((term) => {
    const isMet = termTest(term)
    return (row: Row) =>
      isMet(term.key === null ? words(row) : (fields[term.key]?.texts(row) ?? other?.(row, term.key) ?? []))
  })
  return (row) => tests.every((test) => test(row))
}
