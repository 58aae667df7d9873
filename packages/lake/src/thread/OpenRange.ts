import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { LakeErasure } from "@inlethq/core/ports/LakeFiles"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { NamesThen } from "@inlethq/log/history/IdentifierWalk"
import type { LakeRow } from "../columns.ts"
import { activityRow } from "../rows/activityRows.ts"
import { isDeletion } from "../rows/isDeletion.ts"
import { RangeSubjects, type GivenSince } from "../rows/subjectRows.ts"

/** A range of positions whose files are being written. */
export class OpenRange {
  /** The receipt time of the first row, or of the first entry as long as all entries are erased. */
  firstAt: EpochMillis
  readonly subjects = new RangeSubjects()
  readonly deletions: Array<LakeErasure> = []
  rows = 0
  erased = 0
  bytes = 0

  /** `firstAt` is the receipt time of the first entry. */
  constructor(firstAt: EpochMillis) {
    this.firstAt = firstAt
  }

  get entries(): number {
    return this.rows + this.erased
  }

  /**
   * Whether an entry is of a later day, and so belongs into another file. Around midnight, the entries of nodes whose
   * clocks differ alternate between two days, and would otherwise each get a file.
   */
  isBefore({ entry }: ActivityRecord): boolean {
    return this.rows > 0 && Math.floor(entry.receivedAt / dayMs) > Math.floor(this.firstAt / dayMs)
  }

  /** Notes whom an entry is about and who was deleted. Returns its row, or null if it is erased. */
  add(record: ActivityRecord, given: GivenSince, names: NamesThen | null): LakeRow | null {
    const { kind, receivedAt, sequence, subject } = record.entry
    const row = activityRow(record, names)
    if (row === null) this.erased++
    else if (this.rows++ === 0) this.firstAt = receivedAt
    this.subjects.add(record, given)
    if (isDeletion(kind) && subject !== null) this.deletions.push({ position: sequence, subject, receivedAt })
    return row
  }
}
