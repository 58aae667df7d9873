import { ActivityKind, ActivitySource } from "@inlethq/core/log/ActivityEntry"
import { Outcome } from "@inlethq/core/log/Outcome"
import { fitsPattern, wildcardPattern } from "@inlethq/core/log/WildcardPattern"
import { Data, Result, Schema } from "effect"
import { type EntryFilter, FilterKey, type FilterTerm, type FilterValue } from "./EntryFilter.ts"
import { filterTexts } from "./filterTexts.ts"

/** The largest number of characters that a filter may have. */
export const filterLengthMax = 1000

/** The error for a text that is not a valid filter. */
export class WrongFilter extends Data.TaggedError("WrongFilter")<{
  readonly message: string
  /** The offset of the invalid term in the text, from 0. */
  readonly offset: number
}> {}

/** The values that a key can have, for keys with a closed set of values. */
const knownValues: Partial<Record<FilterKey, ReadonlyArray<string>>> = {
  kind: ActivityKind.literals,
  outcome: Outcome.literals,
  source: ActivitySource.literals,
  plan: ["violated"],
}

const isFilterKey = Schema.is(FilterKey)

const space = /\s/

/**
 * Parses a filter. Terms are separated by spaces, and an entry must meet all terms. A term is `key:value` or a bare
 * word. `-` before a term excludes its matches, commas separate alternatives, and `*` matches any text. Spaces, commas
 * and colons are literal inside quotes, and a backslash makes the next character literal. An empty filter matches every
 * entry.
 */
export const parseFilter = (text: string): Result.Result<EntryFilter, WrongFilter> => {
  if (text.length > filterLengthMax) {
    return Result.fail(new WrongFilter({ message: filterTexts.tooLong({ max: filterLengthMax }), offset: 0 }))
  }
  return new FilterReader(text).filter()
}

/**
 * Returns the error message of an invalid term. `position` is the position of the term's first character in the filter,
 * counted from 1.
 */
type Problem = (at: { readonly term: string; readonly position: number }) => string

class FilterReader {
  private offset = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  filter(): Result.Result<EntryFilter, WrongFilter> {
    const terms: Array<FilterTerm> = []
    for (;;) {
      while (this.isAtSpace()) this.offset++
      if (this.isAtEnd()) return Result.succeed(terms)
      const start = this.offset
      const term = this.term()
      if (Result.isFailure(term)) return Result.fail(this.wrong(start, term.failure))
      terms.push(term.success)
    }
  }

  private term(): Result.Result<FilterTerm, Problem> {
    const isExcluded = this.skip("-")
    const key = this.key()
    if (Result.isFailure(key)) return Result.fail(key.failure)
    const first = this.value(key.success)
    if (Result.isFailure(first)) return Result.fail(first.failure)
    const values: [FilterValue, ...Array<FilterValue>] = [first.success]
    while (this.skip(",")) {
      const next = this.value(key.success)
      if (Result.isFailure(next)) return Result.fail(next.failure)
      values.push(next.success)
    }
    return Result.succeed({ key: key.success, isExcluded, values })
  }

  /** Reads a key and its colon. Returns null if the term is a bare word. */
  private key(): Result.Result<FilterKey | null, Problem> {
    const keyAndColon = /[^\s:"\\*,]*:/y
    keyAndColon.lastIndex = this.offset
    const key = keyAndColon.exec(this.text)?.[0].slice(0, -1)
    if (key === undefined) return Result.succeed(null)
    if (!isFilterKey(key)) {
      return Result.fail((at) => filterTexts.unknownKey({ ...at, keys: FilterKey.literals.join(", ") }))
    }
    this.offset = keyAndColon.lastIndex
    return Result.succeed(key)
  }

  private value(key: FilterKey | null): Result.Result<FilterValue, Problem> {
    const read = this.texts()
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const [first = "", ...rest] = read.success
    if (rest.length === 0 && first === "") return Result.fail(filterTexts.missingValue)
    const last = rest.pop()
    const value: FilterValue =
      last === undefined ? [first] : [first, ...rest.filter((text) => text !== ""), last]
    const known = key === null ? undefined : knownValues[key]
    const pattern = wildcardPattern(value)
    if (key !== null && known !== undefined && !known.some((text) => fitsPattern(pattern, text))) {
      return Result.fail((at) => filterTexts.unknownValue({ ...at, key, values: known.join(", ") }))
    }
    return Result.succeed(value)
  }

  /** Reads the texts between the wildcards of a value. */
  private texts(): Result.Result<ReadonlyArray<string>, Problem> {
    const texts: Array<string> = []
    const isQuoted = this.skip('"')
    let text = ""
    for (;;) {
      if (this.isAtEnd() || (!isQuoted && (this.isAtSpace() || this.text.charAt(this.offset) === ","))) break
      const character = this.text.charAt(this.offset++)
      if (character === '"')
        return isQuoted ? this.endQuote([...texts, text]) : Result.fail(filterTexts.strayQuote)
      if (character === "*") {
        texts.push(text)
        text = ""
      } else if (character === "\\") {
        if (this.isAtEnd()) return Result.fail(filterTexts.openEscape)
        text += this.text.charAt(this.offset++)
      } else text += character
    }
    return isQuoted ? Result.fail(filterTexts.openQuote) : Result.succeed([...texts, text])
  }

  private endQuote(texts: ReadonlyArray<string>): Result.Result<ReadonlyArray<string>, Problem> {
    const isEnd = this.isAtEnd() || this.isAtSpace() || this.text.charAt(this.offset) === ","
    return isEnd ? Result.succeed(texts) : Result.fail(filterTexts.strayQuote)
  }

  private skip(character: string): boolean {
    if (this.text.charAt(this.offset) !== character) return false
    this.offset++
    return true
  }

  private isAtEnd(): boolean {
    return this.offset >= this.text.length
  }

  private isAtSpace(): boolean {
    return !this.isAtEnd() && space.test(this.text.charAt(this.offset))
  }

  private wrong(start: number, problem: Problem): WrongFilter {
    const end = this.text.slice(start).search(space)
    const term = end < 0 ? this.text.slice(start) : this.text.slice(start, start + end)
    return new WrongFilter({ message: problem({ term, position: start + 1 }), offset: start })
  }
}
