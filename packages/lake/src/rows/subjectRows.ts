import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { Person } from "@inlet/core/state/Person"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { LakeRow } from "../columns.ts"

/**
 * The subjects of a range of the log, and the people to whom they belong. A merge changes one row of it, and no row of an
 * event.
 */
export class RangeSubjects {
  private readonly rows = new Map<SubjectKey, LakeRow>()
  private readonly firstAt: EpochMillis

  /** `firstAt` is the receipt time of the first entry of the range. */
  constructor(firstAt: EpochMillis) {
    this.firstAt = firstAt
  }

  get size(): number {
    return this.rows.size
  }

  add({ entry, owner, subject }: ActivityRecord): void {
    if (entry.subject === null || subject === null) return
    switch (subject._tag) {
      case "Person":
        return this.addPerson(entry.sequence, subject)
      case "Attached":
        this.put(entry.sequence, subject.key, subject.owner, subject.since, "attached")
        if (owner !== null) this.addPerson(entry.sequence, owner)
        return
      case "Visitor":
        return this.put(entry.sequence, subject.key, null, null, "visitor")
      case "DataObject":
        return this.put(entry.sequence, subject.key, null, null, "object")
      case "Erased":
      case "Delivery":
      case "Form":
      case "Segment":
      case "SegmentMembers":
      case "RuleBuild":
        return
    }
    subject satisfies never
  }

  /** Adds somebody who is a person again, because a merge was undone at a position. */
  addSeparated(sequence: Sequence, person: Person): void {
    this.put(sequence, person.key, person.key, person.createdAt, "person")
    for (const one of person.attached) this.put(sequence, one.key, person.key, one.since, "attached")
  }

  /** Returns the rows in the order of the positions at which they were seen last. */
  inOrder(): ReadonlyArray<LakeRow> {
    return [...this.rows.values()].toSorted((a, b) => Number(a[0]) - Number(b[0]))
  }

  private addPerson(sequence: Sequence, { attached, createdAt, key }: Person): void {
    this.put(sequence, key, key, createdAt, "person")
    for (const one of attached) {
      // Whoever was attached earlier is in the rows of an earlier range.
      if (one.at >= this.firstAt) this.put(sequence, one.key, key, one.since, "attached")
    }
  }

  private put(
    sequence: Sequence,
    key: SubjectKey,
    owner: SubjectKey | null,
    since: EpochMillis | null,
    state: string,
  ): void {
    this.rows.set(key, [sequence, key, owner, since, state])
  }
}
