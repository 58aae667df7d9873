import { Context, type Effect, type Option } from "effect"
import type { ActivityKind } from "../log/ActivityEntry.ts"
import type { ActivityRecord } from "./ActivityView.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { Delivery } from "../state/Delivery.ts"
import type { Form } from "../state/Form.ts"
import type { Identifier, Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { NameSearch } from "../log/NameSearch.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Outcome } from "../log/Outcome.ts"
import type { Person } from "../state/Person.ts"
import type { Segment } from "../state/Segment.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { Visitor } from "../state/Visitor.ts"

/** Which part of a list to read: at most `limit` items behind the cursor `after`. */
export interface PageRequest<Cursor> {
  readonly limit: number
  readonly after: Cursor | null
  readonly order: "asc" | "desc"
}

/**
 * A part of a list; `next` continues it, and is null at its end. A page ends before its limit only where its items are large,
 * and it is empty only at the end.
 */
export interface Page<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  readonly next: Cursor | null
}

/** Which entries of the activity log to read; null leaves a field open. */
export interface ActivityFilter {
  readonly kind: ActivityKind | null
  readonly outcome: Outcome | null
  readonly name: string | null
  readonly search: NameSearch | null
  /** Only what belongs to this person now. */
  readonly person: Person | null
}

/** What was found by following the log for a while. */
export interface Followed {
  readonly items: ReadonlyArray<ActivityRecord>
  /** The last position that was looked at, so that following goes on behind it; null before the first entry. */
  readonly readTo: Sequence | null
  /** Whether the log ended there. */
  readonly caughtUp: boolean
}

/** Leaves nothing out. */
export const noFilter: ActivityFilter = {
  kind: null,
  outcome: null,
  name: null,
  search: null,
  person: null,
}

/**
 * A person with the segments and the first `relatedShownMax` objects, in lists `relatedListedMax`, that it names and that are
 * still there; fewer objects where those are large.
 */
export interface PersonRecord {
  readonly person: Person
  readonly relationships: ReadonlyArray<{ readonly object: DataObject; readonly attributes: Attributes }>
  readonly segments: ReadonlyArray<SubjectKey>
}

/** An object and how many people and visitors are related to it. */
export interface ObjectRecord {
  readonly object: DataObject
  readonly peopleTotal: number
}

/** A person or a visitor who is related to an object, and the attributes of the relationship. */
export interface RelatedRecord {
  readonly subject: Person | Visitor
  readonly attributes: Attributes
}

/** A segment and how many people are in it. */
export interface SegmentRecord {
  readonly segment: Segment
  readonly size: number
}

/** A delivery and whom it went to; once that person is gone, so is what says who it was. */
export interface DeliveryRecord {
  readonly delivery: Delivery
  readonly person: Person | null
}

/** Objects that one person is shown with, and each person of a list: as many as a person may have after a merge by default. */
export const relatedShownMax = 2000
export const relatedListedMax = 50

/** Entries that following the log gives at a time, and bytes of what they hold; one entry in any case. */
export const followedMax = 100
export const followedBytesMax = 64 * 1024

/** Slices after which following the log answers, so that whoever follows can tell how far it came. */
export const followedSlicesMax = 50

/** What operators read: everything committed, and nothing that was deleted. */
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
    /** People by the time they were first seen; with a prefix those whose id or email begins with it. */
    people(
      workspace: WorkspaceId,
      prefix: string | null,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable>
    object(
      workspace: WorkspaceId,
      typeId: string,
      objectId: string,
    ): Effect.Effect<Option.Option<ObjectRecord>, StoreUnavailable>
    /** Objects by the time they were first seen, of one type or of all. */
    objects(
      workspace: WorkspaceId,
      typeId: string | null,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<ObjectRecord, SubjectKey>, StoreUnavailable>
    /** The people and visitors related to an object by the time they were first seen. */
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
    /** The people in a segment by the time they were first seen. */
    members(
      workspace: WorkspaceId,
      segment: SubjectKey,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable>
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
    /** Every workspace that knows a delivery, for who names one without credentials. */
    workspacesOfDelivery(deliveryId: string): Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable>
    isSuppressed(workspace: WorkspaceId, identifier: Identifier): Effect.Effect<boolean, StoreUnavailable>
    activity(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      page: PageRequest<Sequence>,
    ): Effect.Effect<Page<ActivityRecord, Sequence>, StoreUnavailable>
    /** Looks for entries behind a position in the order of the log, until some are found or the log ends. */
    follow(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      after: Sequence | null,
    ): Effect.Effect<Followed, StoreUnavailable>
    operation(
      workspace: WorkspaceId,
      sequence: Sequence,
    ): Effect.Effect<Option.Option<ActivityRecord>, StoreUnavailable>
  }
>()("@inlet/core/catalog/Catalog") {}
