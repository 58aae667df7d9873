import { ActivityKind } from "@inlet/core/log/ActivityEntry"
import { Outcome } from "@inlet/core/log/Outcome"
import { Schema } from "effect"
import type { EntryFilter, FilterKey } from "./EntryFilter.ts"

/** The conditions of a filter that a store can look up in its indexes. A field that is null matches all log entries. */
export interface IndexedPart {
  readonly kind: ActivityKind | null
  readonly outcome: Outcome | null
  readonly name: string | null
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
  }
}

/**
 * Returns the text that the filter requires for `key`: the text of the first term with this key and a single value
 * without wildcards. Returns undefined if the filter has no such term. Excluding terms do not count.
 */
const requiredText = (filter: EntryFilter, key: FilterKey): string | undefined =>
  filter.flatMap((term) => {
    const [first, ...others] = term.values
    const isSingle = term.key === key && !term.isExcluded && others.length === 0 && first.length === 1
    return isSingle ? [first[0]] : []
  })[0]
