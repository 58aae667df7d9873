import { membersOf } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/** Returns the day of a time in UTC, as the number of days since 1970-01-01. */
export const dayNumber = (at: EpochMillis): number => Math.floor(at / dayMs)

/**
 * Returns the segments whose size a batch may have changed, with the keys that their people store. `targets` are those
 * whose links have changed. Also returns targets that the batch has not loaded, of which only the store knows whether
 * they are segments.
 */
export const resizedSegments = (
  targets: Iterable<SubjectKey>,
  { rules, subjects, written }: Pick<WorkingSet, "rules" | "subjects" | "written">,
): ReadonlyMap<SubjectKey, SubjectKey> => {
  const resized = new Map<SubjectKey, SubjectKey>()
  for (const target of targets) {
    const ruled = rules.memberships.get(target)
    if (ruled === undefined) {
      const seen = subjects.get(target)
      if (seen === undefined || seen._tag === "Segment") resized.set(target, target)
    } else if (rules.definitions.get(ruled)?.segment.rule?.members === target) {
      resized.set(ruled, target)
    }
  }
  // A segment that is new begins with its size, and one whose rule takes effect goes on with another.
  for (const key of written.subjects) {
    const segment = subjects.get(key)
    if (segment?._tag !== "Segment") continue
    if (segment.rule !== null || segment.next === null) resized.set(key, membersOf(segment))
  }
  return resized
}

/** The size that a segment had after its last change of a day. */
export interface SizeOfDay {
  /** The day in UTC, as the number of days since 1970-01-01. */
  readonly day: number
  readonly size: number
}

/** The size of a segment on a day, or null if it is not known. */
export interface KnownSize {
  readonly day: number
  readonly size: number | null
}

/**
 * Returns the size of a segment on each day from `first` to `last`. A day without a change has the size of the day
 * before. `now` is the size of today, which is the last day; null if the segment has none yet.
 */
export const sizesByDay = (
  kept: ReadonlyArray<SizeOfDay>,
  first: number,
  last: number,
  now: number | null,
): ReadonlyArray<KnownSize> => {
  const days: Array<KnownSize> = []
  let at = 0
  let size: number | null = null
  for (let day = first; day < last; day++) {
    for (let next = kept[at]; next !== undefined && next.day <= day; next = kept[++at]) size = next.size
    days.push({ day, size })
  }
  days.push({ day: last, size: now })
  return days
}
