import { Schema } from "effect"
import { ErasureRecord } from "../ledger/ErasureRecord.ts"
import { ActivityEntry } from "../log/ActivityEntry.ts"
import { Attributes } from "../state/Attributes.ts"
import { Channel, DeliveryMetric, SourceIds } from "../state/Delivery.ts"
import { Device } from "../state/Device.ts"
import { FieldMapping } from "../state/Form.ts"
import { LeafState } from "../state/LeafState.ts"
import { Attachment, Origins, Person } from "../state/Person.ts"
import { BuiltPeople, Reading, Settles } from "../state/RuleBuild.ts"
import { NextRule } from "../state/Segment.ts"
import { Identifier, Sequence, SubjectKey } from "../values/Identifier.ts"

/** A person was created. If a visitor had the same key, the person replaces the visitor. */
const PersonCreated = Schema.TaggedStruct("PersonCreated", {
  key: SubjectKey,
  at: Schema.Int,
})

/**
 * A person received an identifier. A new `id` or `email` replaces the previous `id` or `email`. A new anonymous id is
 * added to the previous anonymous ids.
 */
const IdentifierAssigned = Schema.TaggedStruct("IdentifierAssigned", {
  key: SubjectKey,
  identifier: Identifier,
  at: Schema.Int,
  /**
   * The time stated in the update, not the time of its arrival. Updates with an earlier time cannot change the
   * identifier.
   */
  setAt: Schema.Int,
})

/** A person's email was removed. From now on, another person can have this email. */
const EmailRemoved = Schema.TaggedStruct("EmailRemoved", {
  key: SubjectKey,
  at: Schema.Int,
  /**
   * The time stated in the update, not the time of its arrival. Updates with an earlier time cannot set the email.
   */
  setAt: Schema.Int,
})

/**
 * An update repeated the stored `id` or `email`. The time of this update is recorded, so that an update with an earlier
 * time cannot change the identifier.
 */
const IdentifierConfirmed = Schema.TaggedStruct("IdentifierConfirmed", {
  key: SubjectKey,
  kind: Schema.Literals(["id", "email"]),
  setAt: Schema.Int,
})

/** Attributes of a person, a visitor or an object received new values, or the same values with a newer time. */
const AttributesAssigned = Schema.TaggedStruct("AttributesAssigned", {
  key: SubjectKey,
  entries: Attributes,
  at: Schema.Int,
})

/** A request named a visitor (someone who is not a person yet), for the first time or again. */
const VisitorSeen = Schema.TaggedStruct("VisitorSeen", {
  key: SubjectKey,
  knownAs: Identifier,
  at: Schema.Int,
})

/**
 * A visitor was identified as the person `owner`. The visitor's activity received at `since` or later belongs to that
 * person.
 */
const VisitorAttached = Schema.TaggedStruct("VisitorAttached", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})

/**
 * A person was merged into `owner`. All activity of the merged person belongs to the owner, and the merged person's
 * identifiers become free.
 */
const PersonAbsorbed = Schema.TaggedStruct("PersonAbsorbed", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
  /** The log position of the merge. */
  merge: Sequence,
  /** Missing if the owner got no identifier of the merged person. */
  moved: Attachment.fields.moved,
})

/** What a person has from merged people changed. */
const OriginsNoted = Schema.TaggedStruct("OriginsNoted", { key: SubjectKey, origins: Origins })

/** An event named a person by an identifier that a merge moved to them. Such events are recorded under `key` from now on. */
const MovedNameUsed = Schema.TaggedStruct("MovedNameUsed", {
  key: SubjectKey,
  owner: SubjectKey,
  secondary: SubjectKey,
  merge: Sequence,
  at: Schema.Int,
})

/** A merge was undone. Both people are given as they are afterwards. */
const PeopleSeparated = Schema.TaggedStruct("PeopleSeparated", {
  primary: Person,
  secondary: Person,
  /** Whether the secondary is erased in the same commit, so that no rule decides about them. */
  erases: Schema.optionalKey(Schema.Literal(true)),
})

/**
 * A device was added to a person or a visitor, or updated. If another person or visitor had the device, they lost it.
 */
const DeviceAdded = Schema.TaggedStruct("DeviceAdded", {
  key: SubjectKey,
  token: Schema.NonEmptyString,
  device: Device,
  at: Schema.Int,
})

/** A device was removed from a person or a visitor. */
const DeviceRemoved = Schema.TaggedStruct("DeviceRemoved", {
  key: SubjectKey,
  token: Schema.NonEmptyString,
  at: Schema.Int,
})

/**
 * A person or a visitor was related to an object, or the attributes of their relationship received new values or a
 * newer time.
 */
const RelationshipAssigned = Schema.TaggedStruct("RelationshipAssigned", {
  key: SubjectKey,
  object: SubjectKey,
  entries: Attributes,
  at: Schema.Int,
})

/** A relationship of a person or a visitor was removed. */
const RelationshipRemoved = Schema.TaggedStruct("RelationshipRemoved", {
  key: SubjectKey,
  object: SubjectKey,
  at: Schema.Int,
})

/** An object was created. */
const ObjectCreated = Schema.TaggedStruct("ObjectCreated", {
  key: SubjectKey,
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
  at: Schema.Int,
})

/** A segment was created. */
const SegmentCreated = Schema.TaggedStruct("SegmentCreated", {
  key: SubjectKey,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  at: Schema.Int,
})

/** The name, the description or the pause of a segment changed. */
const SegmentUpdated = Schema.TaggedStruct("SegmentUpdated", {
  key: SubjectKey,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  paused: Schema.Boolean,
})

/** A segment got a rule, which takes effect once it is built. */
const RuleProposed = Schema.TaggedStruct("RuleProposed", { key: SubjectKey, next: NextRule })

/**
 * The build of the rules began that segments are to get. A build under way begins again. `rules` also has the segments whose rules name
 * these segments, because who is in them may change, too. A build that settles has no rules.
 */
const BuildStarted = Schema.TaggedStruct("BuildStarted", {
  key: SubjectKey,
  until: Sequence,
  at: Schema.Int,
  leaves: Schema.Array(SubjectKey),
  readings: Schema.Array(Reading),
  rules: Schema.ReadonlyMap(SubjectKey, NextRule),
  settles: Settles,
})

/** A build read a part of the log. `to` is the position up to which the reading is done, or null if it is done. */
const HistoryRead = Schema.TaggedStruct("HistoryRead", {
  key: SubjectKey,
  ended: Schema.Int,
  to: Schema.Int,
})

/** A build evaluated its rules for the people up to a key. */
const PeopleWalked = Schema.TaggedStruct("PeopleWalked", {
  key: SubjectKey,
  to: SubjectKey,
  people: Schema.Array(SubjectKey),
})

/** A build found people who are in one version of a segment only, the next one or that in force. */
const PeopleFound = Schema.TaggedStruct("PeopleFound", {
  key: SubjectKey,
  found: Schema.ReadonlyMap(SubjectKey, BuiltPeople),
})

/** A build ended, and its rules took the places of those before. */
const BuildFinished = Schema.TaggedStruct("BuildFinished", {
  key: SubjectKey,
  at: Schema.Int,
  before: Sequence,
})

/** A person was added to a segment by hand. */
const SegmentJoined = Schema.TaggedStruct("SegmentJoined", { key: SubjectKey, segment: SubjectKey })

/** A person was removed from a segment by hand. */
const SegmentLeft = Schema.TaggedStruct("SegmentLeft", { key: SubjectKey, segment: SubjectKey })

/** A person entered a segment by its rule. `segment` is the key of the members of the rule's version. */
const SegmentEntered = Schema.TaggedStruct("SegmentEntered", { key: SubjectKey, segment: SubjectKey })

/** A person left a segment by its rule. */
const SegmentExited = Schema.TaggedStruct("SegmentExited", { key: SubjectKey, segment: SubjectKey })

/** What is stored about leaves of rules and a person or a visitor changed. The states are by the keys of the leaves. */
const LeafStatesSet = Schema.TaggedStruct("LeafStatesSet", {
  key: SubjectKey,
  states: Schema.ReadonlyMap(SubjectKey, LeafState),
})

/** A person or a visitor is gone, and with them what was stored about them and the leaves of rules. */
const LeafStatesRemoved = Schema.TaggedStruct("LeafStatesRemoved", { key: SubjectKey })

/** A form was created, received new fields, or had some of its fields mapped to other attributes. */
const FormMapped = Schema.TaggedStruct("FormMapped", {
  key: SubjectKey,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
  at: Schema.Int,
})

/** A request named a delivery, for the first time or again. */
const DeliverySeen = Schema.TaggedStruct("DeliverySeen", {
  key: SubjectKey,
  deliveryId: Schema.NonEmptyString,
  at: Schema.Int,
})

/**
 * An operator registered a delivery with its channel, its recipient and the ids of its sources (such as its campaign).
 */
const DeliveryRegistered = Schema.TaggedStruct("DeliveryRegistered", {
  key: SubjectKey,
  channel: Channel,
  person: Schema.NullOr(SubjectKey),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
  at: Schema.Int,
})

/**
 * A metric of a delivery was reported. `at` is the time that the report states, and `receivedAt` is the time when the
 * report arrived.
 */
const MetricReported = Schema.TaggedStruct("MetricReported", {
  key: SubjectKey,
  metric: DeliveryMetric,
  at: Schema.Int,
  receivedAt: Schema.Int,
})

/**
 * Identifiers were suppressed together, as one group. Requests with these identifiers are ignored from now on. The key
 * of the group is that of the person or visitor who had the identifiers, or a new key if the identifiers were unused.
 */
const IdentifiersSuppressed = Schema.TaggedStruct("IdentifiersSuppressed", {
  group: SubjectKey,
  identifiers: Schema.NonEmptyArray(Identifier),
})

/** A group of suppressed identifiers was released. Requests with these identifiers are no longer ignored. */
const SuppressionLifted = Schema.TaggedStruct("SuppressionLifted", { group: SubjectKey })

/**
 * A person, a visitor, an object or a segment was deleted. All of its activity recorded before log position `before` is
 * deleted too.
 */
const SubjectDeleted = Schema.TaggedStruct("SubjectDeleted", { key: SubjectKey, before: Sequence })

/**
 * Someone asked to delete or suppress a person whom nobody knows by these identifiers. What is kept of rejected calls
 * that were recorded before log position `before` and contain one of them is erased.
 */
const IdentifiersErased = Schema.TaggedStruct("IdentifiersErased", {
  identifiers: Schema.NonEmptyArray(Identifier),
  before: Sequence,
})

/** The deletion or the suppression of a person or visitor, or the release of a suppression, was written into the ledger. */
const ErasureRecorded = Schema.TaggedStruct("ErasureRecorded", {
  record: ErasureRecord,
  /** The keys whose digests the record has. */
  subjects: Schema.NonEmptyArray(SubjectKey),
  /** The identifiers that forwards tell their receivers, which the log does not keep. */
  named: Schema.Array(Identifier),
})

/**
 * A record of the ledger that the data did not have took effect: they were restored from before the erasure. What was
 * recorded about the person before log position `before` is erased.
 */
const ErasureRepeated = Schema.TaggedStruct("ErasureRepeated", {
  record: ErasureRecord,
  subjects: Schema.NonEmptyArray(SubjectKey),
  before: Sequence,
})

/** An operation was recorded in the activity log. Every command ends with this change. */
const OperationRecorded = Schema.TaggedStruct("OperationRecorded", {
  entry: ActivityEntry,
  /** The person or visitor whose rules count the entry, if it is recorded under another key of theirs. */
  holder: Schema.optionalKey(SubjectKey),
})

/** One change of the state. Everything that readers see is computed from committed changes. */
export const Change = Schema.Union([
  PersonCreated,
  IdentifierAssigned,
  EmailRemoved,
  IdentifierConfirmed,
  AttributesAssigned,
  VisitorSeen,
  VisitorAttached,
  PersonAbsorbed,
  MovedNameUsed,
  OriginsNoted,
  PeopleSeparated,
  DeviceAdded,
  DeviceRemoved,
  RelationshipAssigned,
  RelationshipRemoved,
  ObjectCreated,
  SegmentCreated,
  SegmentUpdated,
  RuleProposed,
  BuildStarted,
  HistoryRead,
  PeopleWalked,
  PeopleFound,
  BuildFinished,
  SegmentJoined,
  SegmentLeft,
  SegmentEntered,
  SegmentExited,
  LeafStatesSet,
  LeafStatesRemoved,
  FormMapped,
  DeliverySeen,
  DeliveryRegistered,
  MetricReported,
  IdentifiersSuppressed,
  SuppressionLifted,
  SubjectDeleted,
  IdentifiersErased,
  ErasureRecorded,
  ErasureRepeated,
  OperationRecorded,
])
export type Change = typeof Change.Type

/** The change with the given tag. */
export type ChangeOf<Tag extends Change["_tag"]> = Extract<Change, { readonly _tag: Tag }>
