import { anyRuleCode, ruleCodes } from "@inlethq/storage/columns/entryCodes"

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
const kindAndOutcome = `(coalesce(kind, 0::smallint)::integer * ${outcomesPerKind} + outcome)`

/**
 * Combines kind, outcome and rule into one number, so that one index finds entries by any of them. Few of these numbers
 * occur in a log.
 */
export const indexedDecision = `(${kindAndOutcome} * ${ruleCodes} + coalesce(rule_code, ${anyRuleCode}::smallint))`

/** Returns the kind, the outcome and the code of the rule that `indexedDecision` combines. Kind 0 is no kind. */
export const decisionOf = (
  decision: number,
): { readonly kind: number; readonly outcome: number; readonly rule: number } => {
  const before = Math.floor(decision / ruleCodes)
  return {
    kind: Math.floor(before / outcomesPerKind),
    outcome: before % outcomesPerKind,
    rule: decision % ruleCodes,
  }
}
