import { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { Outcome } from "@inlethq/core/log/Outcome"
import { Schema } from "effect"
import { codesSaying } from "@inlethq/wire/texts/reasonCodes"
import type { EntryFilter, FilterKey } from "./EntryFilter.ts"

/** The conditions of a filter that a store can look up in its indexes. A field that is null matches all log entries. */
export interface IndexedPart {
  readonly kind: ActivityKind | null
  readonly outcome: Outcome | null
  readonly name: string | null
  readonly rules: ReadonlyArray<string> | null
  /** The codes of reasons. */
  readonly reasons: ReadonlyArray<string> | "any" | null
}

const isKind = Schema.is(ActivityKind)
const isOutcome = Schema.is(Outcome)

/**
 * Returns the conditions of a filter that a store can look up in its indexes. The conditions match every log entry that
 * the filter matches, and may match additional entries.
 */
export const indexedPart = (filter: EntryFilter): IndexedPart => {
  const kind = requiredText(filter, "kind")
  const outcome = requiredText(filter, "outcome")
  return {
    kind: isKind(kind) ? kind : null,
    outcome: isOutcome(outcome) ? outcome : null,
    name: requiredText(filter, "name") ?? null,
    rules: requiredTexts(filter, "rule") ?? null,
    reasons: reasonsIn(filter),
  }
}

const reasonsIn = (filter: EntryFilter): IndexedPart["reasons"] => {
  const texts = requiredTexts(filter, "reason")
  if (texts !== undefined) return [...new Set(texts.flatMap((text) => [text, ...codesSaying([text])]))]
  return filter.some(({ isExcluded, key }) => key === "reason" && !isExcluded) ? "any" : null
}

/**
 * Returns the text that the filter requires for `key`: the text of the first term with this key and a single value
 * without wildcards. Returns undefined if the filter has no such term. Excluding terms do not count.
 */
const requiredText = (filter: EntryFilter, key: FilterKey): string | undefined =>
  filter.map((term) => textsOf([term], key)).find((texts) => texts?.length === 1)?.[0]

/**
 * Returns the texts of which the filter requires one for `key`: those of the first term with this key that has no
 * wildcard. Returns undefined if the filter has no such term. Excluding terms do not count.
 */
export const requiredTexts = (filter: EntryFilter, key: FilterKey): ReadonlyArray<string> | undefined =>
  filter.map((term) => textsOf([term], key)).find((texts) => texts !== undefined)

const textsOf = ([term]: EntryFilter, key: FilterKey): ReadonlyArray<string> | undefined =>
  term === undefined || term.key !== key || term.isExcluded || term.values.some(({ length }) => length > 1)
    ? undefined
    : term.values.map(([text]) => text)
