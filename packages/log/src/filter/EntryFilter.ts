import { Schema } from "effect"

/**
 * The keys of filter terms. Most keys select one field of an activity entry. `person` and `object` select all
 * identifiers of the person or object that the entry is about, `key` the id and the name of a key, and `entered`, `left` and `segment` the segments that somebody entered or left by
 * a rule. `page` to `library` select where the call came from, and `plan` whether it fits its plan.
 */
export const FilterKey = Schema.Literals([
  "kind",
  "outcome",
  "name",
  "source",
  "key",
  "client",
  "rule",
  "reason",
  "person",
  "object",
  "operation",
  "id",
  "entered",
  "left",
  "segment",
  "page",
  "campaign",
  "app",
  "country",
  "bot",
  "library",
  "plan",
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

/** A condition on a log entry. The field that `key` stands for must match at least one of `values`. */
export const FilterTerm = Schema.Struct({
  /**
   * Null for a word without a key. Such a word matches a log entry if one of these texts starts with the word: the
   * `name`, an identifier of the person or object, the operation id, or the deduplication key.
   */
  key: Schema.NullOr(FilterKey),
  /** True if the filter excludes the entries that match this term. */
  isExcluded: Schema.Boolean,
  values: Schema.NonEmptyArray(FilterValue),
})
export type FilterTerm = typeof FilterTerm.Type

/** A parsed filter of activity entries. An entry must meet every term. */
export const EntryFilter = Schema.Array(FilterTerm)
export type EntryFilter = typeof EntryFilter.Type
