import { Schema } from "effect"

/** The keys of filter terms. Each names a field of an activity entry, or several identifiers of its subject. */
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
 * The value of a term, as the literal texts between its wildcards: `order_*` is `["order_", ""]`. A value without a
 * wildcard is one text, which is not empty.
 */
export const FilterValue = Schema.NonEmptyArray(Schema.String).check(
  Schema.makeFilter(isNormalised, { expected: "texts that are not empty between wildcards" }),
)
export type FilterValue = typeof FilterValue.Type

/** A condition on an entry: the field of the key matches one of the values. */
export const FilterTerm = Schema.Struct({
  /** Null for a bare word, which matches the start of the name or of an identifier. */
  key: Schema.NullOr(FilterKey),
  /** Whether entries that match are left out. */
  isExcluded: Schema.Boolean,
  values: Schema.NonEmptyArray(FilterValue),
})
export type FilterTerm = typeof FilterTerm.Type

/** A parsed filter of activity entries. An entry must meet every term. */
export const EntryFilter = Schema.Array(FilterTerm)
export type EntryFilter = typeof EntryFilter.Type
