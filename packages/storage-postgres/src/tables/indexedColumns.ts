/*
 * The SQL expressions that the indexes of the log and the searches in the log use. PostgreSQL uses an index only if the
 * query contains the expression of the index unchanged.
 */

/** The number of characters of a name that are indexed. The size of an index row of PostgreSQL is limited. */
export const indexedNameLength = 100

/**
 * SQL for the first characters of a name, which are in an index. Different names can begin with the same characters, so
 * readers also compare the whole name.
 */
export const indexedName = `left(name, ${indexedNameLength})`

/** The codes of all outcomes are smaller than this number. */
const outcomesPerKind = 100

/** Combines kind and outcome into one number. Entries without a kind count as kind 0. */
export const indexedOutcome = `(coalesce(kind, 0::smallint)::integer * ${outcomesPerKind} + outcome)`

/** Returns the number into which `indexedOutcome` combines a kind and an outcome. */
export const outcomeKey = (kind: number, outcome: number): number => kind * outcomesPerKind + outcome
