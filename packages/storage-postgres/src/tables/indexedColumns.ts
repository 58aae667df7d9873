/*
 * The columns of `activity` by which the log is searched. A query uses an index only if it contains the index's expression unchanged.
 */

/** Characters of a name that are indexed. An index row of PostgreSQL cannot hold a text of any length. */
export const indexedNameLength = 100

/** The first characters of a name. Names that begin alike share an index entry, so readers compare the whole name too. */
export const indexedName = `left(name, ${indexedNameLength})`

/** Codes of outcomes are smaller than this. */
const outcomesPerKind = 100

/** Kind and outcome as one number. Entries without a kind count as kind 0. */
export const indexedOutcome = `(coalesce(kind, 0::smallint)::integer * ${outcomesPerKind} + outcome)`

/** Returns the number that the index contains for a kind and an outcome. */
export const outcomeKey = (kind: number, outcome: number): number => kind * outcomesPerKind + outcome
