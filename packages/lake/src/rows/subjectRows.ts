import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { unmergedIn } from "@inlethq/core/person/mergeReceipt"
import type { Person } from "@inlethq/core/state/Person"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { LakeRow } from "../columns.ts"

/** Since when the subjects that an entry gives to a person belong to them. Subjects that are gone are missing. */
export type GivenSince = ReadonlyMap<SubjectKey, EpochMillis>

/**
 * The subjects of a range of the log, and the people to whom they belong. A merge changes one row of it, and no row of an
 * event.
 */
export class RangeSubjects {
  private readonly rows = new Map<SubjectKey, LakeRow>()

  get size(): number {
    return this.rows.size
  }

  add(record: ActivityRecord, given: GivenSince): void {
    this.addSubject(record)
    this.addChanges(record, given)
  }

  /** Adds somebody who is a person again, because a merge was undone at a position. */
  addSeparated(sequence: Sequence, person: Person): void {
    this.put(sequence, person.key, person.key, person.createdAt, "person")
    this.addAttached(sequence, person)
  }

  /** Returns the rows in the order of the positions at which they were seen last. */
  inOrder(): ReadonlyArray<LakeRow> {
    return [...this.rows.values()].toSorted((a, b) => Number(a[0]) - Number(b[0]))
  }

  /** Adds whom the entry is about, as they are now. Entries that follow say what changed meanwhile. */
  private addSubject({ entry: { sequence }, subject }: ActivityRecord): void {
    switch (subject?._tag) {
      case "Person":
        return this.put(sequence, subject.key, subject.key, subject.createdAt, "person")
      case "Attached":
        return this.put(sequence, subject.key, subject.owner, subject.since, "attached")
      case "Visitor":
        return this.put(sequence, subject.key, null, null, "visitor")
      case "DataObject":
        return this.put(sequence, subject.key, null, null, "object")
      case "Erased":
      case "Delivery":
      case "Form":
      case "Segment":
      case "SegmentMembers":
      case "RuleBuild":
      case undefined:
        return
    }
    subject satisfies undefined
  }

  /** Adds who belongs to somebody else because of the entry, which says so in what it overwrote of the people. */
  private addChanges({ entry, subject: about }: ActivityRecord, given: GivenSince): void {
    if (entry.overwritten.length === 0) return
    const separated = unmergedIn(entry.data, entry.workspace)
    for (const { before, subject } of entry.overwritten) {
      // Of a new person, the entry does not say it. If they were merged since, a later entry does.
      if (before === null && about?._tag === "Person" && about.key === subject)
        this.addAttached(entry.sequence, about)
      for (const key of before?.attached?.added ?? []) {
        const since = given.get(key)
        if (since !== undefined) this.put(entry.sequence, key, subject, since, "attached")
      }
      if (separated === undefined) continue
      for (const { at, key, since } of before?.attached?.removed ?? []) {
        if (key === separated) this.put(entry.sequence, key, key, at, "person")
        else this.put(entry.sequence, key, separated, since, "attached")
      }
    }
  }

  private addAttached(sequence: Sequence, { attached, key: owner }: Person): void {
    for (const { key, since } of attached) this.put(sequence, key, owner, since, "attached")
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

/** Returns the subjects that an entry gives to people. */
export const givenIn = ({ entry }: ActivityRecord): ReadonlyArray<SubjectKey> =>
  entry.overwritten.flatMap(({ before }) => before?.attached?.added ?? [])
