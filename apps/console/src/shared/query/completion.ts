import { count } from "../values/figures.ts"
import type { KnownValue, QueryLanguage } from "./QueryLanguage.ts"
import { writtenValue } from "./queryTerms.ts"

/** A text that completes the term at the caret. */
export interface Completion {
  readonly text: string
  readonly hint: string
  /** The start of the part of the query that `text` replaces. */
  readonly from: number
  /** The end of the part of the query that `text` replaces. */
  readonly to: number
}

interface TermAtCaret {
  readonly from: number
  readonly sign: string
  /** Undefined while the key is being typed. */
  readonly key: string | undefined
  /** What stands before the value that is being typed, such as `-name:a,`. */
  readonly before: string
  readonly typed: string
}

/** Returns the term in which the caret is. A quote that is open at the caret keeps its spaces. */
export const termAtCaret = (query: string, caret: number): TermAtCaret => {
  const before = query.slice(0, caret)
  const [term = ""] = /(?:[^\s"]|"(?:[^"\\]|\\.)*(?:"|$))*$/.exec(before) ?? []
  const from = caret - term.length
  const [, sign = "", key, values = ""] = /^(-?)([^\s:"]+):(.*)$/s.exec(term) ?? []
  if (key === undefined) {
    return { from, sign: term.startsWith("-") ? "-" : "", key, before: "", typed: term.replace(/^-/, "") }
  }
  const [typed = ""] = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|$))*$/.exec(values) ?? []
  return {
    from,
    sign,
    key,
    before: term.slice(0, term.length - typed.length),
    typed: typed.replaceAll(/^"|"$/g, "").replaceAll(/\\(.)/gs, "$1"),
  }
}

/** Returns the completions of the term at the caret, best first. */
export const completionsAt = (
  query: string,
  caret: number,
  language: QueryLanguage,
): ReadonlyArray<Completion> => {
  const { before, from, key, sign, typed } = termAtCaret(query, caret)
  const range = { from, to: caret }
  if (key !== undefined) {
    return language
      .known(key, typed)
      .map((known) => ({ ...range, text: before + writtenValue(known.value), hint: hintOf(known) }))
  }
  const keys = Object.entries(language.keys)
    .filter(([name]) => name.startsWith(typed))
    .map(([name, hint]) => ({ ...range, text: `${sign}${name}:`, hint }))
  return query.trim() === ""
    ? [...language.examples.map(([text, hint]) => ({ ...range, text, hint })), ...keys]
    : keys
}

const hintOf = ({ count: times, hint = "" }: KnownValue): string =>
  times === undefined ? hint : hint === "" ? count(times) : `${hint} · ${count(times)}`

/** Returns the query with the completion inserted, and the position of the caret after the completion. */
export const complete = (query: string, { from, text, to }: Completion): readonly [string, number] => [
  query.slice(0, from) + text + query.slice(to),
  from + text.length,
]
