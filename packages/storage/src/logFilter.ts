import { hasPartOf, toActivityView, type ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { ActivityFilter } from "@inlet/core/catalog/Catalog"
import type { Outcome } from "@inlet/core/log/Outcome"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { kindCodes, outcomeCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import { nameColumn } from "./entryRows.ts"
import { fromStored } from "./storedText.ts"

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
  /**
   * If the scan looks for entries of one person, the keys under which these entries are stored: the key of the person,
   * and the keys of visitors and people who were merged into the person. Null if the scan is not limited to one person.
   */
  readonly subjects: ReadonlyArray<SubjectKey> | null
  /** The scan stops when the collected entries have more bytes than this. */
  readonly bytesMax: number
}

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
 * are position, subject, kind, outcome and name. `withParts` contains the positions of entries about objects that also
 * record an effect on the wanted person.
 */
export const rowFilter = (
  { filter: { kind, name, outcome, search }, subjects }: WantedEntries,
  isNamed: (stored: string) => boolean,
): ((row: Row, withParts: ReadonlySet<number>) => boolean) => {
  const kindCode = kind === null ? null : kindCodes[kind]
  const stored = nameColumn(name)
  const outcomes = outcome === null ? null : storedOutcomes(outcome)
  const keys = subjects === null ? null : new Set<unknown>(subjects)
  return (row, withParts) =>
    (keys === null || keys.has(row[1]) || withParts.has(integer(row[0]))) &&
    (kindCode === null || row[2] === kindCode) &&
    (outcomes === null || outcomes.some((code) => row[3] === code)) &&
    (stored === null || row[4] === stored) &&
    (search === null || (row[4] !== null && isNamed(text(row[4]))))
}

/**
 * Returns the code of each outcome that a matching entry can have in the store. The stored outcome can differ from the
 * outcome that readers see: the operation of a visitor is stored as pending, and readers see it as applied or partial
 * after the visitor is identified.
 */
export const storedOutcomes = (outcome: Outcome): ReadonlyArray<number> =>
  outcome === "applied" || outcome === "partial"
    ? [outcomeCodes[outcome], outcomeCodes.pending]
    : [outcomeCodes[outcome]]

export const matchesFilter = (
  record: ActivityRecord,
  { kind, name, outcome, person, search }: ActivityFilter,
): boolean => {
  if (kind === null && name === null && outcome === null && person === null && search === null) return true
  const view = toActivityView(record)
  return (
    (kind === null || view.kind === kind) &&
    (name === null || view.name === name) &&
    (search === null || (view.name !== null && search(view.name))) &&
    (outcome === null || view.outcome === outcome) &&
    (person === null ||
      view.person?.key === person.key ||
      view.subject === person.key ||
      hasPartOf(view, person))
  )
}
