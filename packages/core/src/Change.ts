import { Schema } from "effect"
import { ActivityEntry } from "./log/ActivityEntry.ts"
import { Attributes } from "./state/Attributes.ts"
import { Channel, DeliveryMetric, SourceIds } from "./state/Delivery.ts"
import { Device } from "./state/Device.ts"
import { FieldMapping } from "./state/Form.ts"
import { Identifier, Sequence, SubjectKey, WorkspaceId } from "./values/Identifier.ts"

/** A person exists now, in the place of the visitor with the same key where there was one. */
const PersonCreated = Schema.TaggedStruct("PersonCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  at: Schema.Int,
})

/** A person carries an identifier now, in the place of the one of that kind before. */
const IdentifierAssigned = Schema.TaggedStruct("IdentifierAssigned", {
  key: SubjectKey,
  identifier: Identifier,
  at: Schema.Int,
  /** The time of the update, which orders later ones. */
  setAt: Schema.Int,
})

/** A person has no email any more; the email is free for another person. */
const EmailRemoved = Schema.TaggedStruct("EmailRemoved", {
  key: SubjectKey,
  at: Schema.Int,
  /** The time of the update, which orders later ones. */
  setAt: Schema.Int,
})

/** A later update that could have changed the `id` or `email` of a person named the value that is stored. */
const IdentifierConfirmed = Schema.TaggedStruct("IdentifierConfirmed", {
  key: SubjectKey,
  kind: Schema.Literals(["id", "email"]),
  setAt: Schema.Int,
})

/** Attributes of a person, a visitor or an object have new values or times. */
const AttributesAssigned = Schema.TaggedStruct("AttributesAssigned", {
  key: SubjectKey,
  entries: Attributes,
  at: Schema.Int,
})

/** Somebody who is no person was named, for the first time or again. */
const VisitorSeen = Schema.TaggedStruct("VisitorSeen", {
  key: SubjectKey,
  workspace: WorkspaceId,
  knownAs: Identifier,
  at: Schema.Int,
})

/** A visitor turned out to be a person: what it did from `since` on is the person's. */
const VisitorAttached = Schema.TaggedStruct("VisitorAttached", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})

/** A person is now a part of `owner`: all that it did is the owner's, and its identifiers are free. */
const PersonAbsorbed = Schema.TaggedStruct("PersonAbsorbed", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
})

/** A person or a visitor has a device, as it stands here, and nobody else has it any more. */
const DeviceAdded = Schema.TaggedStruct("DeviceAdded", {
  key: SubjectKey,
  token: Schema.NonEmptyString,
  device: Device,
  at: Schema.Int,
})

/** A person or a visitor has a device no more. */
const DeviceRemoved = Schema.TaggedStruct("DeviceRemoved", {
  key: SubjectKey,
  token: Schema.NonEmptyString,
  at: Schema.Int,
})

/** A person or a visitor is related to an object; attributes of the relationship have new values or times. */
const RelationshipAssigned = Schema.TaggedStruct("RelationshipAssigned", {
  key: SubjectKey,
  object: SubjectKey,
  entries: Attributes,
  at: Schema.Int,
})

/** A person or a visitor is related to an object no more. */
const RelationshipRemoved = Schema.TaggedStruct("RelationshipRemoved", {
  key: SubjectKey,
  object: SubjectKey,
  at: Schema.Int,
})

/** An object exists now. */
const ObjectCreated = Schema.TaggedStruct("ObjectCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
  at: Schema.Int,
})

/** A manual segment exists now. */
const SegmentCreated = Schema.TaggedStruct("SegmentCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  at: Schema.Int,
})

/** A person is in a segment. */
const SegmentJoined = Schema.TaggedStruct("SegmentJoined", { key: SubjectKey, segment: SubjectKey })

/** A person is in a segment no more. */
const SegmentLeft = Schema.TaggedStruct("SegmentLeft", { key: SubjectKey, segment: SubjectKey })

/** A form exists, or has fields that it did not have, or has some of them mapped anew. */
const FormMapped = Schema.TaggedStruct("FormMapped", {
  key: SubjectKey,
  workspace: WorkspaceId,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
  at: Schema.Int,
})

/** A delivery was named, for the first time or again. */
const DeliverySeen = Schema.TaggedStruct("DeliverySeen", {
  key: SubjectKey,
  workspace: WorkspaceId,
  deliveryId: Schema.NonEmptyString,
  at: Schema.Int,
})

/** What a delivery is and to whom it went was registered. */
const DeliveryRegistered = Schema.TaggedStruct("DeliveryRegistered", {
  key: SubjectKey,
  channel: Channel,
  person: Schema.NullOr(SubjectKey),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
  at: Schema.Int,
})

/** A metric of a delivery was reported; `at` is the report's own time, `receivedAt` when it came. */
const MetricReported = Schema.TaggedStruct("MetricReported", {
  key: SubjectKey,
  metric: DeliveryMetric,
  at: Schema.Int,
  receivedAt: Schema.Int,
})

/** Identifiers are suppressed together, under the key of whoever carried them or a new one. */
const IdentifiersSuppressed = Schema.TaggedStruct("IdentifiersSuppressed", {
  group: SubjectKey,
  workspace: WorkspaceId,
  identifiers: Schema.NonEmptyArray(Identifier),
})

/** Identifiers that were suppressed together are free again. */
const SuppressionLifted = Schema.TaggedStruct("SuppressionLifted", { group: SubjectKey })

/** A person, a visitor, an object or a segment is gone with all that hung on it and was recorded before `before`. */
const SubjectDeleted = Schema.TaggedStruct("SubjectDeleted", { key: SubjectKey, before: Sequence })

/** An operation was decided; its entry is the last change of each command. */
const OperationRecorded = Schema.TaggedStruct("OperationRecorded", { entry: ActivityEntry })

/** What happened. Whatever anyone can see is a function of committed changes. */
export const Change = Schema.Union([
  PersonCreated,
  IdentifierAssigned,
  EmailRemoved,
  IdentifierConfirmed,
  AttributesAssigned,
  VisitorSeen,
  VisitorAttached,
  PersonAbsorbed,
  DeviceAdded,
  DeviceRemoved,
  RelationshipAssigned,
  RelationshipRemoved,
  ObjectCreated,
  SegmentCreated,
  SegmentJoined,
  SegmentLeft,
  FormMapped,
  DeliverySeen,
  DeliveryRegistered,
  MetricReported,
  IdentifiersSuppressed,
  SuppressionLifted,
  SubjectDeleted,
  OperationRecorded,
])
export type Change = typeof Change.Type

/** The change with a tag. */
export type ChangeOf<Tag extends Change["_tag"]> = Extract<Change, { readonly _tag: Tag }>
