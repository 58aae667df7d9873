import {
  hasPartOf,
  isShownWith,
  toActivityView,
  type ActivityRecord,
} from "@inlethq/core/catalog/ActivityView"
import { hasReasonOf, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import { isAbout } from "@inlethq/core/catalog/NamedSubjects"
import type { Outcome } from "@inlethq/core/log/Outcome"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { kindCodes, outcomeCodes } from "../columns/codes.ts"
import { integer, text, type Row } from "../columns/columns.ts"
import { nameColumn } from "../rows/entryRows.ts"
import { anyRuleCode, reasonCodes, ruleCode } from "../columns/entryCodes.ts"
import type { WantedSubjects } from "./namedSubjects.ts"
import { fromStored } from "../columns/storedText.ts"

/*
 * Filters of the activity log. Some filters test a row before its document is read. Others test a decoded record.
 */

/** Describes the entries that a scan of the log looks for. */
export interface WantedEntries {
  readonly workspace: WorkspaceId
  readonly filter: ActivityFilter
  readonly order: "asc" | "desc"
  /**
   * The log position at which the scan ends. The scan leaves out the entry at this position. Null if the scan continues
   * to the last entry (`asc`) or the first entry (`desc`).
   */
  readonly end: Sequence | null
  /** Null if the scan does not look for the entries of certain subjects. */
  readonly subjects: WantedSubjects | null
  /** The scan stops when the collected entries have more bytes than this. */
  readonly bytesMax: number
}

/** The columns of a row of the log that `rowFilter` expects, after the position of the entry, if `needsCodes` is false. */
export const lightColumnsWithoutCodes = "subject, kind, outcome, name"

/** The columns of a row of the log that `rowFilter` expects, after the position of the entry. */
export const lightColumns = `${lightColumnsWithoutCodes}, rule_code, reason_code, anonymous_code`

/** Returns whether `rowFilter` checks the codes of rows. */
export const needsCodes = ({ filter: { reasons, rules }, subjects }: WantedEntries): boolean =>
  reasons !== null || rules !== null || (subjects !== null && subjects.anonymousCodes.length > 0)

/** Returns whether every entry of the log is wanted. */
export const wantsAll = ({ filter }: Pick<WantedEntries, "filter">): boolean =>
  Object.values(filter).every((value) => value === null)

/** The largest number of names for which a scan caches whether the name matches the filter. */
const cachedNamesMax = 1000

/** Returns a function that checks whether a stored name matches the search. The function caches its results. */
export const nameMatcher = ({ search }: ActivityFilter): ((stored: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (stored) => {
    if (search === null) return true
    const before = known.get(stored)
    if (before !== undefined) return before
    const isNamed = search(fromStored(stored))
    if (known.size >= cachedNamesMax) known.clear()
    known.set(stored, isNamed)
    return isNamed
  }
}

/**
 * Returns a function that checks whether a row may match a filter, without the row's document. The columns of the row
 * are those of `lightColumns`. `withParts` contains the positions of entries about objects that also
 * record an effect on the wanted person.
 */
export const rowFilter = (
  { filter: { kind, name, outcome, reasons, rules, search }, subjects }: WantedEntries,
  isNamed: (stored: string) => boolean,
): ((row: Row, withParts: ReadonlySet<number>) => boolean) => {
  const isAbout = aboutFilter(subjects)
  const isRuled = codeFilter(5, rules?.map(ruleCode) ?? null)
  const isReasoned =
    reasons === "any" ? hasReason : codeFilter(6, reasons === null ? null : reasonCodes(reasons))
  const kindCode = kind === null ? null : kindCodes[kind]
  const stored = nameColumn(name)
  const outcomes = outcome === null ? null : storedOutcomes(outcome)
  return (row, withParts) =>
    isAbout(row, withParts) &&
    (kindCode === null || row[2] === kindCode) &&
    (outcomes === null || outcomes.some((code) => row[3] === code)) &&
    (stored === null || row[4] === stored) &&
    (search === null || (row[4] !== null && isNamed(text(row[4])))) &&
    isRuled(row) &&
    isReasoned(row)
}

const aboutFilter = (
  subjects: WantedSubjects | null,
): ((row: Row, withParts: ReadonlySet<number>) => boolean) => {
  if (subjects === null) return () => true
  const keys = new Set<unknown>(subjects.keys)
  const { anonymousCodes, deletions } = subjects
  const isAnonymous = anonymousCodes.length === 0 ? () => false : codeFilter(7, anonymousCodes)
  return (row, withParts) =>
    keys.has(row[1]) ||
    withParts.has(integer(row[0])) ||
    (deletions && row[2] === kindCodes.object_delete) ||
    isAnonymous(row)
}

/** Returns a function that checks whether the code in a column of a row is one of the given codes. */
const codeFilter = (column: number, codes: ReadonlyArray<number> | null): ((row: Row) => boolean) => {
  if (codes === null) return () => true
  const wanted = new Set<unknown>(codes)
  return (row) => hasAnyRule(row) || wanted.has(row[column])
}

const hasReason = (row: Row): boolean => hasAnyRule(row) || row[6] !== null

/** Returns whether the codes of a row say nothing about its entry (`anyRuleCode`). */
const hasAnyRule = (row: Row): boolean => row[5] === null || row[5] === anyRuleCode

/**
 * Returns the code of each outcome that a matching entry can have in the store. The stored outcome can differ from the
 * outcome that readers see: the operation of a visitor is stored as pending, and readers see it as applied or partial
 * after the visitor is identified.
 */
export const storedOutcomes = (outcome: Outcome): ReadonlyArray<number> =>
  outcome === "applied" || outcome === "partial"
    ? [outcomeCodes[outcome], outcomeCodes.pending]
    : [outcomeCodes[outcome]]

/** Returns whether a record matches a filter in every field. */
export const matchesFilter = (record: ActivityRecord, filter: ActivityFilter): boolean => {
  if (wantsAll({ filter })) return true
  const { about, kind, name, outcome, person, reasons, rules, search, withErased } = filter
  const view = toActivityView(record)
  return (
    (kind === null || view.kind === kind) &&
    (name === null || view.name === name) &&
    (search === null || (view.name !== null && search(view.name))) &&
    (outcome === null || view.outcome === outcome) &&
    (rules === null || (view.rule !== null && rules.includes(view.rule))) &&
    (reasons === null || hasReasonOf(view, reasons)) &&
    (about === null || isAbout(view, about)) &&
    (person === null ||
      view.person?.key === person.key ||
      view.subject === person.key ||
      (withErased === true ? hasPartOf(view, person) : isShownWith(view, person)))
  )
}
