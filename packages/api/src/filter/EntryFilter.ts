import { Schema } from "effect"

/**
 * The keys of filter terms. A key stands for a field of an activity entry, or for several identifiers of the entry's
 * subject.
 */
export const FilterKey = Schema.Literals([
  "kind",
  "outcome",
  "name",
  "source",
  "rule",
  "reason",
  "person",
  "object",
  "operation",
  "id",
])
export type FilterKey = typeof FilterKey.Type

const isNormalised = (texts: ReadonlyArray<string>): boolean =>
  (texts.length > 1 || texts[0] !== "") && texts.slice(1, -1).every((text) => text !== "")

/**
 * The value of a term, as the list of literal texts between its wildcards. `order_*` is `["order_", ""]`. A value
 * without a wildcard is a single text that is not empty.
 */
export const FilterValue = Schema.NonEmptyArray(Schema.String).check(
  Schema.makeFilter(isNormalised, { expected: "texts that are not empty between wildcards" }),
)
export type FilterValue = typeof FilterValue.Type

/** A condition on an entry. The field that the key stands for must match at least one of the values. */
export const FilterTerm = Schema.Struct({
  /** Null for a bare word, which is compared with the start of the entry's name and identifiers. */
  key: Schema.NullOr(FilterKey),
  /** True if the term excludes the entries that match it. */
  isExcluded: Schema.Boolean,
  values: Schema.NonEmptyArray(FilterValue),
})
export type FilterTerm = typeof FilterTerm.Type

/** A parsed filter of activity entries. An entry must meet every term. */
export const EntryFilter = Schema.Array(FilterTerm)
export type EntryFilter = typeof EntryFilter.Type
