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
  readonly firstAt: EpochMillis
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
      else rows.push(row)
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

/** Splits entries where a day begins, because a file has the entries of one day. */
export const byDay = (
  records: ReadonlyArray<ActivityRecord>,
): ReadonlyArray<ReadonlyArray<ActivityRecord>> => {
  const days: Array<Array<ActivityRecord>> = []
  let last = ""
  for (const record of records) {
    const day = dayOf(record.entry.receivedAt)
    if (day === last) days.at(-1)?.push(record)
    else days.push([record])
    last = day
  }
  return days
}

/** Returns the last position before an entry. */
export const before = ({ entry }: ActivityRecord): number => entry.sequence - 1

export const isSameDay = (range: OpenRange, [first]: ReadonlyArray<ActivityRecord>): boolean =>
  first !== undefined && dayOf(range.firstAt) === dayOf(first.entry.receivedAt)

/** The position of a feed, as a number. */
export const positionOr0 = (position: Sequence | null): number => position ?? 0
