import { Context, type Effect, type Option } from "effect"
import type { ActivityEntry, ActivityKind } from "../log/ActivityEntry.ts"
import type { ActivityCounts, CountedSteps } from "./ActivityCounts.ts"
import type { ActivityRecord } from "./ActivityView.ts"
import type { NamedSubjects } from "./NamedSubjects.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { Delivery } from "../state/Delivery.ts"
import type { EvidenceReason } from "../log/evidence.ts"
import type { Form } from "../state/Form.ts"
import type { Identifier, Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { NameSearch } from "../log/NameSearch.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Outcome } from "../log/Outcome.ts"
import type { Person } from "../state/Person.ts"
import type { Segment } from "../state/Segment.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { FoundSubjects, SubjectSearch } from "./SubjectSearch.ts"
import type { Subject } from "../state/Subject.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Visitor } from "../state/Visitor.ts"
import type { Page, PageRequest } from "../values/Page.ts"

/** A request for a page of the activity log. */
export interface LogPageRequest extends PageRequest<Sequence> {
  /**
   * The log position at which the read stops, going up if `order` is `asc` and down if it is `desc`. The page does not
   * contain the entry at this position. If `end` is missing, the read continues to the newest entry (`asc`) or to
   * the oldest entry (`desc`).
   */
  readonly end?: Sequence
}

/** A filter of the activity log; null fields match all entries. */
export interface ActivityFilter {
  readonly kind: ActivityKind | null
  readonly outcome: Outcome | null
  readonly name: string | null
  readonly search: NameSearch | null
  /**
   * Matches only entries that belong to this person now, including operations about objects that had an effect on this
   * person.
   */
  readonly person: Person | null
  /**
   * Whether to match also entries that are erased, because their subject was deleted, but still say what they overwrote
   * of the person.
   */
  readonly withErased: true | null
  /** Matches only entries with one of these rules. */
  readonly rules: ReadonlyArray<string> | null
  /** Matches only entries with a reason of one of these codes, or with any reason. */
  readonly reasons: ReadonlyArray<string> | "any" | null
  /** Matches only entries about one of these people, visitors and objects. */
  readonly about: NamedSubjects | null
}

/**
 * The result of following the log: the entries that match the filter, and the log position up to which entries were
 * read.
 */
export interface Followed {
  readonly items: ReadonlyArray<ActivityRecord>
  /**
   * The last log position that was read, or null if nothing was read yet. The next call of `follow` continues after
   * this position.
   */
  readonly readTo: Sequence | null
  /** Whether the end of the log was reached. */
  readonly caughtUp: boolean
}

/** Matches all entries. */
export const noFilter: ActivityFilter = {
  kind: null,
  outcome: null,
  name: null,
  search: null,
  person: null,
  withErased: null,
  rules: null,
  reasons: null,
  about: null,
}

/**
 * A person with their segments and objects. Deleted segments and objects are left out. Holds at most `relatedShownMax`
 * objects (`relatedListedMax` if the person is an item of a list), and fewer if the objects are large.
 */
export interface PersonRecord {
  readonly person: Person
  readonly relationships: ReadonlyArray<{ readonly object: DataObject; readonly attributes: Attributes }>
  readonly segments: ReadonlyArray<SubjectKey>
}

/** A person by their identifiers. */
export type PersonNames = Pick<Person, "key" | "workspace" | "id" | "email">

/** An object and the number of people and visitors related to it. */
export interface ObjectRecord {
  readonly object: DataObject
  readonly peopleTotal: number
}

/** A person or a visitor who is related to an object, and the attributes of the relationship. */
export interface RelatedRecord {
  readonly subject: Person | Visitor
  readonly attributes: Attributes
}

/** A segment and the number of people in it. */
export interface SegmentRecord {
  readonly segment: Segment
  readonly size: number
}

/** To whom a person, visitor or other subject belongs. */
export interface Ownership {
  /** The person; null for a visitor and for anything that is no person. */
  readonly owner: SubjectKey | null
  /** Of a visitor or merged person: their activity that was received from then on is the owner's. Otherwise null. */
  readonly since: EpochMillis | null
}

/** Returns to whom a subject belongs, or undefined if it was deleted. */
export const ownershipOf = (subject: Subject | undefined): Ownership | undefined => {
  switch (subject?._tag) {
    case "Person":
      return { owner: subject.key, since: null }
    case "Attached":
      return { owner: subject.owner, since: subject.since }
    case "Erased":
    case undefined:
      return undefined
    case "Visitor":
    case "DataObject":
    case "Delivery":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return unowned
  }
}

export const unowned: Ownership = { owner: null, since: null }

/** A delivery and its recipient. If the recipient was deleted, the delivery shows no data about them. */
export interface DeliveryRecord {
  readonly delivery: Delivery
  readonly person: Person | null
}

/** An operation that says that two people may be one, as the people are now. */
export interface EvidenceRecord {
  readonly entry: ActivityEntry
  readonly reason: EvidenceReason
  readonly people: readonly [Person, Person]
}

/**
 * The largest number of objects in a `PersonRecord` if one person is read. With the default limits, a merged person has
 * at most this many objects.
 */
export const relatedShownMax = 2000
/** The largest number of objects in a `PersonRecord` if the person is an item of a list. */
export const relatedListedMax = 50

/** The largest number of types of objects that are listed. */
export const objectTypesMax = 1000

/** Returns types of objects as they are listed. They are numbers as a rule, so shorter ones come first. */
export const listedTypes = (types: Iterable<string>): ReadonlyArray<string> =>
  [...types]
    .toSorted((a, b) => (a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length))
    .slice(0, objectTypesMax)

/** The largest number of entries that one call of `follow` returns. */
export const followedMax = 100
/**
 * The largest total number of bytes of the entries that one call of `follow` returns. A single entry is returned whatever
 * its size.
 */
export const followedBytesMax = 64 * 1024

/**
 * The largest number of slices that one call of `follow` runs. The call then returns even if nothing matched, so that
 * the caller sees progress.
 */
export const followedSlicesMax = 50

/** Returns whether an entry has a reason of one of these codes, or any reason. */
export const hasReasonOf = (
  { reasons }: Pick<ActivityEntry, "reasons">,
  codes: ReadonlyArray<string> | "any",
): boolean => (codes === "any" ? reasons.length > 0 : reasons.some(({ code }) => codes.includes(code)))

/** The read interface for operators. Shows all committed data except deleted data. */
export class Catalog extends Context.Service<
  Catalog,
  {
    person(
      workspace: WorkspaceId,
      key: SubjectKey,
    ): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable>
    personByIdentifier(
      workspace: WorkspaceId,
      identifier: Identifier,
    ): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable>
    /** Adds to a person, as they are or were, those of their objects and segments that still exist. */
    recordOf(workspace: WorkspaceId, person: Person): Effect.Effect<PersonRecord, StoreUnavailable>
    /** Lists people in order of creation: all people, or those with an id, an email or a name that begins with the prefix. */
    people(
      workspace: WorkspaceId,
      prefix: string | null,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable>
    /**
     * Finds people, objects, deliveries and forms by identifier, by the beginning of an identifier, and people by name.
     * Exact matches come first, and are complete unless `hasAllTypes` is false. Of the others, at most `limit` of each
     * kind are found.
     */
    search(workspace: WorkspaceId, search: SubjectSearch): Effect.Effect<FoundSubjects, StoreUnavailable>
    object(
      workspace: WorkspaceId,
      typeId: string,
      objectId: string,
    ): Effect.Effect<Option.Option<ObjectRecord>, StoreUnavailable>
    /** Lists the objects of one type or of all types, in order of creation. */
    objects(
      workspace: WorkspaceId,
      typeId: string | null,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<ObjectRecord, SubjectKey>, StoreUnavailable>
    /** Lists the types of the objects that there are, at most `objectTypesMax` (`listedTypes`). */
    objectTypes(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Lists the people and visitors related to an object, in order of creation. */
    related(
      workspace: WorkspaceId,
      object: SubjectKey,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<RelatedRecord, SubjectKey>, StoreUnavailable>
    segment(
      workspace: WorkspaceId,
      key: SubjectKey,
    ): Effect.Effect<Option.Option<SegmentRecord>, StoreUnavailable>
    segments(
      workspace: WorkspaceId,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<SegmentRecord, SubjectKey>, StoreUnavailable>
    /** Lists the people in a segment, in order of creation. */
    members(
      workspace: WorkspaceId,
      segment: SubjectKey,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable>
    /** Lists the people in a segment as `members` does, by their identifiers only, which takes a fraction of the time. */
    memberNames(
      workspace: WorkspaceId,
      segment: SubjectKey,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<PersonNames, SubjectKey>, StoreUnavailable>
    form(workspace: WorkspaceId, formId: string): Effect.Effect<Option.Option<Form>, StoreUnavailable>
    forms(
      workspace: WorkspaceId,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<Form, SubjectKey>, StoreUnavailable>
    delivery(
      workspace: WorkspaceId,
      deliveryId: string,
    ): Effect.Effect<Option.Option<DeliveryRecord>, StoreUnavailable>
    deliveries(
      workspace: WorkspaceId,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable>
    /**
     * Lists the deliveries that were registered with a person, or with somebody who was merged into a person, in order
     * of creation. `recipient` is the key with which they were registered. May contain some that have another recipient now.
     */
    deliveriesTo(
      workspace: WorkspaceId,
      recipient: SubjectKey,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable>
    /**
     * Returns every workspace that has a delivery with this id, because requests without credentials contain the id of
     * the delivery but no workspace.
     */
    workspacesOfDelivery(deliveryId: string): Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable>
    isSuppressed(workspace: WorkspaceId, identifier: Identifier): Effect.Effect<boolean, StoreUnavailable>
    activity(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      page: LogPageRequest,
    ): Effect.Effect<Page<ActivityRecord, Sequence>, StoreUnavailable>
    /** Counts the log entries of each period of time by kind and outcome. */
    counts(workspace: WorkspaceId, steps: CountedSteps): Effect.Effect<ActivityCounts, StoreUnavailable>
    /**
     * Reads the log after a position until entries match the filter, the log ends, or `followedSlicesMax` slices have
     * run.
     */
    follow(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      after: Sequence | null,
    ): Effect.Effect<Followed, StoreUnavailable>
    operation(
      workspace: WorkspaceId,
      sequence: Sequence,
    ): Effect.Effect<Option.Option<ActivityRecord>, StoreUnavailable>
    /** Returns which of the given people, visitors and other subjects were deleted or no longer exist. */
    goneAmong(
      workspace: WorkspaceId,
      keys: ReadonlySet<SubjectKey>,
    ): Effect.Effect<ReadonlySet<SubjectKey>, StoreUnavailable>
    /** Returns to whom each of the given subjects belongs now, without those that were deleted or no longer exist. */
    ownersAmong(
      workspace: WorkspaceId,
      keys: ReadonlySet<SubjectKey>,
    ): Effect.Effect<ReadonlyMap<SubjectKey, Ownership>, StoreUnavailable>
    /**
     * Returns the last log position that pruning has passed, or 0. All later entries are there, apart from those that
     * were erased.
     */
    prunedTo(workspace: WorkspaceId): Effect.Effect<number, StoreUnavailable>
    /**
     * Lists the operations which say that two people may be one, newest first. `limit` counts operations, and the page
     * leaves out those whose two people are one by now or not both there, so it may be empty before the last page. If
     * `between` is given, only operations that are about one of these subjects and another of them are found.
     */
    evidence(
      workspace: WorkspaceId,
      between: ReadonlyArray<SubjectKey> | null,
      page: Pick<PageRequest<Sequence>, "after" | "limit">,
    ): Effect.Effect<Page<EvidenceRecord, Sequence>, StoreUnavailable>
    /**
     * Returns which of the given log entries are no longer shown in full, because a person or another subject of theirs
     * was deleted, or because they are no longer in the log.
     */
    erasedAmong(
      workspace: WorkspaceId,
      sequences: ReadonlyArray<Sequence>,
    ): Effect.Effect<ReadonlySet<Sequence>, StoreUnavailable>
  }
>()("@inlethq/core/catalog/Catalog") {}
