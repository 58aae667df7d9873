import { Schema } from "effect"
import { ActivityEntry } from "./log/ActivityEntry.ts"
import { Attributes } from "./state/Attributes.ts"
import { Channel, DeliveryMetric, SourceIds } from "./state/Delivery.ts"
import { Device } from "./state/Device.ts"
import { FieldMapping } from "./state/Form.ts"
import { Identifier, Sequence, SubjectKey, WorkspaceId } from "./values/Identifier.ts"

/** A person was created. If a visitor had the same key, the person replaces it. */
const PersonCreated = Schema.TaggedStruct("PersonCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  at: Schema.Int,
})

/** A person received an identifier, which replaces their previous one of the same kind. Anonymous ids are added instead. */
const IdentifierAssigned = Schema.TaggedStruct("IdentifierAssigned", {
  key: SubjectKey,
  identifier: Identifier,
  at: Schema.Int,
  /** The update's own time. It decides which of two updates is newer. */
  setAt: Schema.Int,
})

/** A person's email was removed. Another person can have it from now on. */
const EmailRemoved = Schema.TaggedStruct("EmailRemoved", {
  key: SubjectKey,
  at: Schema.Int,
  /** The update's own time. It decides which of two updates is newer. */
  setAt: Schema.Int,
})

/**
 * An update named the `id` or `email` that is already stored. Its time is recorded so that older updates cannot change
 * the identifier.
 */
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

/** A visitor was named by a request, for the first time or again. */
const VisitorSeen = Schema.TaggedStruct("VisitorSeen", {
  key: SubjectKey,
  workspace: WorkspaceId,
  knownAs: Identifier,
  at: Schema.Int,
})

/** A visitor was identified as a person. Its activity received from `since` on belongs to `owner`. */
const VisitorAttached = Schema.TaggedStruct("VisitorAttached", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})

/** A person was merged into `owner`. All their activity belongs to the owner, and their identifiers are free. */
const PersonAbsorbed = Schema.TaggedStruct("PersonAbsorbed", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
})

/** A person or a visitor has this device. It was removed from its previous holder, if any. */
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

/** A person or a visitor is related to an object, or attributes of that relationship have new values or times. */
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
  workspace: WorkspaceId,
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
  at: Schema.Int,
})

/** A manual segment was created. */
const SegmentCreated = Schema.TaggedStruct("SegmentCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  at: Schema.Int,
})

/** A person was added to a segment. */
const SegmentJoined = Schema.TaggedStruct("SegmentJoined", { key: SubjectKey, segment: SubjectKey })

/** A person was removed from a segment. */
const SegmentLeft = Schema.TaggedStruct("SegmentLeft", { key: SubjectKey, segment: SubjectKey })

/** A form was created, received new fields, or had some of its fields mapped to other attributes. */
const FormMapped = Schema.TaggedStruct("FormMapped", {
  key: SubjectKey,
  workspace: WorkspaceId,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
  at: Schema.Int,
})

/** A delivery was named by a request, for the first time or again. */
const DeliverySeen = Schema.TaggedStruct("DeliverySeen", {
  key: SubjectKey,
  workspace: WorkspaceId,
  deliveryId: Schema.NonEmptyString,
  at: Schema.Int,
})

/** An operator registered a delivery with its channel, recipient and sources. */
const DeliveryRegistered = Schema.TaggedStruct("DeliveryRegistered", {
  key: SubjectKey,
  channel: Channel,
  person: Schema.NullOr(SubjectKey),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
  at: Schema.Int,
})

/** A metric of a delivery was reported. `at` is the report's own time, `receivedAt` the time it arrived. */
const MetricReported = Schema.TaggedStruct("MetricReported", {
  key: SubjectKey,
  metric: DeliveryMetric,
  at: Schema.Int,
  receivedAt: Schema.Int,
})

/** Identifiers were suppressed as one group. The group has the key of their person or visitor, or a new key. */
const IdentifiersSuppressed = Schema.TaggedStruct("IdentifiersSuppressed", {
  group: SubjectKey,
  workspace: WorkspaceId,
  identifiers: Schema.NonEmptyArray(Identifier),
})

/** A group of suppressed identifiers was released. */
const SuppressionLifted = Schema.TaggedStruct("SuppressionLifted", { group: SubjectKey })

/** A person, a visitor, an object or a segment was deleted, with all activity recorded before position `before`. */
const SubjectDeleted = Schema.TaggedStruct("SubjectDeleted", { key: SubjectKey, before: Sequence })

/** An operation was decided. Its entry is the last change of every command. */
const OperationRecorded = Schema.TaggedStruct("OperationRecorded", { entry: ActivityEntry })

/** A change of the state. Everything that readers see is a function of committed changes. */
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

/** The change with the given tag. */
export type ChangeOf<Tag extends Change["_tag"]> = Extract<Change, { readonly _tag: Tag }>
