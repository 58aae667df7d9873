import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { Slices } from "@inlet/core/Slices"
import type { LakeErasure } from "@inlet/core/ports/LakeFiles"
import type { Sequence } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { LakeRow } from "@inlet/lake/columns"
import { dayOf } from "@inlet/lake/layout"
import { activityRow } from "@inlet/lake/rows/activityRows"
import { isDeletion } from "@inlet/lake/rows/isDeletion"
import { RangeSubjects } from "@inlet/lake/rows/subjectRows"
import { rowsPerSlice } from "./lakeLimits.ts"

/** A range of positions whose files are being written. */
export class OpenRange {
  readonly from: number
  /** The receipt time of the first row, or of the first entry as long as all entries are erased. */
  firstAt: EpochMillis
  readonly openedAt: EpochMillis
  readonly subjects: RangeSubjects
  readonly deletions: Array<LakeErasure> = []
  rows = 0
  erased = 0
  bytes = 0

  /** `firstAt` is the receipt time of the first entry, and `openedAt` the time at which it was read. */
  constructor(from: number, firstAt: EpochMillis, openedAt: EpochMillis) {
    this.from = from
    this.firstAt = firstAt
    this.openedAt = openedAt
    this.subjects = new RangeSubjects(firstAt)
  }

  /** Returns the rows of entries, and notes whom they are about and who was deleted. */
  *rowsOf(records: ReadonlyArray<ActivityRecord>): Slices<ReadonlyArray<LakeRow>> {
    const rows: Array<LakeRow> = []
    let built = 0
    for (const record of records) {
      const row = activityRow(record)
      if (row === null) this.erased++
      else {
        if (this.rows + rows.length === 0) this.firstAt = record.entry.receivedAt
        rows.push(row)
      }
      this.subjects.add(record)
      const { kind, receivedAt, sequence, subject } = record.entry
      if (isDeletion(kind) && subject !== null)
        this.deletions.push({ position: sequence, subject, receivedAt })
      if (++built % rowsPerSlice === 0) yield
    }
    this.rows += rows.length
    return rows
  }
}

/** Splits entries where a later day begins, because a file has the entries of one day. */
export const byDay = (
  records: ReadonlyArray<ActivityRecord>,
): ReadonlyArray<ReadonlyArray<ActivityRecord>> => {
  const days: Array<Array<ActivityRecord>> = []
  let last = ""
  for (const record of records) {
    const day = dayOf(record.entry.receivedAt)
    if (day <= last) days.at(-1)?.push(record)
    else days.push([record])
    if (day > last) last = day
  }
  return days
}

/** Returns the last position before an entry. */
export const before = ({ entry }: ActivityRecord): number => entry.sequence - 1

/**
 * Whether entries begin a later day than that of a range. Around midnight, the entries of nodes whose clocks differ
 * alternate between two days, and would otherwise each get a file.
 */
export const isLaterDay = (range: OpenRange, [first]: ReadonlyArray<ActivityRecord>): boolean =>
  first !== undefined && dayOf(first.entry.receivedAt) > dayOf(range.firstAt)

/** The position of a feed, as a number. */
export const positionOr0 = (position: Sequence | null): number => position ?? 0
