import { Schema } from "effect"
import { ActivityKind, ActivitySource, EventKind } from "./Activity.ts"
import { Assignment } from "./Attributes.ts"
import { Channel, DeliveryMetric, SourceIds } from "./delivery/Delivery.ts"
import { FieldMapping } from "./form/Form.ts"
import { ObjectReference, Reference, SubjectKey } from "./Identifier.ts"
import { Fault } from "./Outcome.ts"
import { Workspace } from "./Workspace.ts"

/** What every command carries besides what it asks for. Times are milliseconds since 1970. */
const Envelope = Schema.Struct({
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /** The operation's own time: orders updates and dates events. */
  at: Schema.Int,
  /** Whether `at` was reckoned from the time of receipt, and moves with it; otherwise the client stated it. */
  followsReceipt: Schema.Boolean,
  /** The time that the client's clock showed, where it was corrected. */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The place in its batch; null outside one. */
  batchIndex: Schema.NullOr(Schema.Int),
  /** Makes a second arrival have no effect (contract §8). */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** Parts of the request that were left out already. */
  faults: Schema.Array(Fault),
})
export type Envelope = typeof Envelope.Type

const envelope = Envelope.fields

/** Whether relationships are added, with attributes that are merged into those that are there, or removed. */
const RelationshipAction = Schema.Literals(["add", "delete"])

/** An object that a person is related to, as a request names it (track-api §2.3). */
const ObjectEntry = Schema.Struct({ object: ObjectReference, assignments: Schema.Array(Assignment) })
export type ObjectEntry = typeof ObjectEntry.Type

/** A person, or an anonymous visitor, who is related to an object, as a request names them (track-api §2.3). */
const PersonEntry = Schema.Struct({ person: Reference, assignments: Schema.Array(Assignment) })
export type PersonEntry = typeof PersonEntry.Type

/** What a request says of a device (track-api §2.4). */
const deviceParts = {
  token: Schema.NonEmptyString,
  platform: Schema.NonEmptyString,
  lastUsed: Schema.NullOr(Schema.Int),
  /** Whether the request says when it was last used; otherwise `lastUsed` is the time of the call or null. */
  lastUsedGiven: Schema.Boolean,
  assignments: Schema.Array(Assignment),
}

/** What an operation that is not about a device says of one beside (contract §13). */
const DeviceChange = Schema.Union([
  Schema.TaggedStruct("DeviceHeld", deviceParts),
  Schema.TaggedStruct("DeviceGone", { token: Schema.NonEmptyString }),
])
export type DeviceChange = typeof DeviceChange.Type

/** Add or update a person, or what is kept about an anonymous visitor (track-api §2.1). */
export const IdentifyPerson = Schema.TaggedStruct("IdentifyPerson", {
  ...envelope,
  /** Who is addressed; the identifiers below are the others that the request holds. */
  target: Reference,
  id: Schema.NullOr(Schema.NonEmptyString),
  email: Schema.NullOr(Schema.NonEmptyString),
  /** Whether the request removes the person's email; `email` is null then (contract §16). */
  removeEmail: Schema.Boolean,
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  assignments: Schema.Array(Assignment),
  /** What the request says about the person's relationships; null for nothing. */
  relationships: Schema.NullOr(
    Schema.Struct({ action: RelationshipAction, entries: Schema.Array(ObjectEntry) }),
  ),
  /** What the request says of a device beside; null for nothing. */
  device: Schema.NullOr(DeviceChange),
  /** `_update`: never create anybody. */
  updateOnly: Schema.Boolean,
})
export type IdentifyPerson = typeof IdentifyPerson.Type

/** Remove a person and all that hangs on it (contract §6). */
export const DeletePerson = Schema.TaggedStruct("DeletePerson", { ...envelope, target: Reference })
export type DeletePerson = typeof DeletePerson.Type

/** Remove a person and take its identifiers no more (track-api §3). */
export const SuppressPerson = Schema.TaggedStruct("SuppressPerson", { ...envelope, target: Reference })
export type SuppressPerson = typeof SuppressPerson.Type

/** Take the identifiers again that were suppressed together (track-api §3). */
export const UnsuppressPerson = Schema.TaggedStruct("UnsuppressPerson", { ...envelope, target: Reference })
export type UnsuppressPerson = typeof UnsuppressPerson.Type

/** Make one person of two: the primary stays (track-api §4.3 rule 1). */
export const MergePeople = Schema.TaggedStruct("MergePeople", {
  ...envelope,
  primary: Reference,
  secondary: Reference,
})
export type MergePeople = typeof MergePeople.Type

/**
 * Say that whoever was known by a previous id is the person who is addressed (pipelines-api §2.2): a merge, or where the
 * previous id is known only as an anonymous one, an identify with it (contract §13).
 */
export const AliasPerson = Schema.TaggedStruct("AliasPerson", {
  ...envelope,
  target: Reference,
  previous: Reference,
  previousId: Schema.NonEmptyString,
})
export type AliasPerson = typeof AliasPerson.Type

/** Record what somebody did (track-api §2.5). `target` is null for an event that nobody can be given. */
export const RecordEvent = Schema.TaggedStruct("RecordEvent", {
  ...envelope,
  kind: EventKind,
  target: Schema.NullOr(Reference),
  /** The anonymous id that the request named, beside its target or as its target. */
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  name: Schema.NonEmptyString,
  data: Schema.Json,
  /** What the request says of a device beside; null for nothing. */
  device: Schema.NullOr(DeviceChange),
})
export type RecordEvent = typeof RecordEvent.Type

/** Add a device to a person or a visitor, or update it (track-api §2.4). An unknown person is created. */
export const AddDevice = Schema.TaggedStruct("AddDevice", {
  ...envelope,
  target: Reference,
  ...deviceParts,
})
export type AddDevice = typeof AddDevice.Type

/** Remove a device of a person or a visitor (track-api §2.4). */
export const DeleteDevice = Schema.TaggedStruct("DeleteDevice", {
  ...envelope,
  target: Reference,
  token: Schema.NonEmptyString,
})
export type DeleteDevice = typeof DeleteDevice.Type

/** Add or remove relationships from the person's side (track-api §2.3, §4.2). */
export const ChangeRelationships = Schema.TaggedStruct("ChangeRelationships", {
  ...envelope,
  target: Reference,
  action: RelationshipAction,
  entries: Schema.Array(ObjectEntry),
})
export type ChangeRelationships = typeof ChangeRelationships.Type

/** Add or update an object, and relate people or visitors to it (track-api §2.2, §4.2). */
export const IdentifyObject = Schema.TaggedStruct("IdentifyObject", {
  ...envelope,
  object: ObjectReference,
  assignments: Schema.Array(Assignment),
  entries: Schema.Array(PersonEntry),
})
export type IdentifyObject = typeof IdentifyObject.Type

/** Remove an object and its relationships (contract §9). */
export const DeleteObject = Schema.TaggedStruct("DeleteObject", { ...envelope, object: ObjectReference })
export type DeleteObject = typeof DeleteObject.Type

/** Add or remove relationships from the object's side (track-api §2.3, §4.2). */
export const ChangeObjectRelationships = Schema.TaggedStruct("ChangeObjectRelationships", {
  ...envelope,
  object: ObjectReference,
  action: RelationshipAction,
  entries: Schema.Array(PersonEntry),
})
export type ChangeObjectRelationships = typeof ChangeObjectRelationships.Type

/** Take what somebody entered into a form (track-api §2.7, §4.3 rule 3). */
export const SubmitForm = Schema.TaggedStruct("SubmitForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  fields: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
})
export type SubmitForm = typeof SubmitForm.Type

/** Add people to a manual segment or remove them (track-api §4.3 rule 2). `segment` is null where the text is no segment id. */
export const ChangeMembership = Schema.TaggedStruct("ChangeMembership", {
  ...envelope,
  segment: Schema.NullOr(SubjectKey),
  action: Schema.Literals(["add", "remove"]),
  people: Schema.Array(Reference),
})
export type ChangeMembership = typeof ChangeMembership.Type

/** Take a report about a message (track-api §2.6, contract §11). */
export const ReportMetric = Schema.TaggedStruct("ReportMetric", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  metric: DeliveryMetric,
  recipient: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  href: Schema.NullOr(Schema.String),
  deviceToken: Schema.NullOr(Schema.String),
  /** What was clicked in a message within an app. */
  actionName: Schema.NullOr(Schema.String),
  actionValue: Schema.NullOr(Schema.String),
})
export type ReportMetric = typeof ReportMetric.Type

/** Unsubscribe the person whom a message went to, or take that back (track-api §4.3, contract §11). */
export const UnsubscribeByDelivery = Schema.TaggedStruct("UnsubscribeByDelivery", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  unsubscribe: Schema.Boolean,
})
export type UnsubscribeByDelivery = typeof UnsubscribeByDelivery.Type

/** An operator makes a manual segment. */
export const CreateSegment = Schema.TaggedStruct("CreateSegment", {
  ...envelope,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
})
export type CreateSegment = typeof CreateSegment.Type

/** An operator removes a manual segment; the people in it stay. */
export const DeleteSegment = Schema.TaggedStruct("DeleteSegment", { ...envelope, segment: SubjectKey })
export type DeleteSegment = typeof DeleteSegment.Type

/** An operator says which attributes some fields of a form set. */
export const MapForm = Schema.TaggedStruct("MapForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
})
export type MapForm = typeof MapForm.Type

/** An operator says what a delivery is and to whom it went (contract §11). */
export const RegisterDelivery = Schema.TaggedStruct("RegisterDelivery", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  channel: Channel,
  person: Schema.NullOr(Reference),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
})
export type RegisterDelivery = typeof RegisterDelivery.Type

/** Record that a request or an item was refused; nothing that it held is kept. */
export const RejectOperation = Schema.TaggedStruct("RejectOperation", {
  ...envelope,
  kind: Schema.NullOr(ActivityKind),
})
export type RejectOperation = typeof RejectOperation.Type

/** Tell operators that more requests came in than a workspace may send (contract §15). */
export const ReportExcess = Schema.TaggedStruct("ReportExcess", { ...envelope, requests: Schema.Int })
export type ReportExcess = typeof ReportExcess.Type

/** What a client or an operator asks for: decoded, measured, and not yet decided. */
export const Command = Schema.Union([
  IdentifyPerson,
  DeletePerson,
  SuppressPerson,
  UnsuppressPerson,
  MergePeople,
  AliasPerson,
  RecordEvent,
  AddDevice,
  DeleteDevice,
  ChangeRelationships,
  IdentifyObject,
  DeleteObject,
  ChangeObjectRelationships,
  SubmitForm,
  ChangeMembership,
  ReportMetric,
  UnsubscribeByDelivery,
  CreateSegment,
  DeleteSegment,
  MapForm,
  RegisterDelivery,
  RejectOperation,
  ReportExcess,
])
export type Command = typeof Command.Type

/** What a command is called in the activity log; null for what only operators do. */
export const kindOf = (command: Command): ActivityKind | null => {
  switch (command._tag) {
    case "IdentifyPerson":
      return "identify"
    case "DeletePerson":
      return "delete"
    case "SuppressPerson":
      return "suppress"
    case "UnsuppressPerson":
      return "unsuppress"
    case "MergePeople":
    case "AliasPerson":
      return "merge"
    case "AddDevice":
      return "add_device"
    case "DeleteDevice":
      return "delete_device"
    case "ChangeRelationships":
    case "ChangeObjectRelationships":
      return command.action === "add" ? "add_relationships" : "delete_relationships"
    case "IdentifyObject":
      return "object_identify"
    case "DeleteObject":
      return "object_delete"
    case "SubmitForm":
      return "form_submission"
    case "ChangeMembership":
      return command.action === "add" ? "segment_add" : "segment_remove"
    case "ReportMetric":
      return "delivery_metric"
    case "UnsubscribeByDelivery":
      return "unsubscribe"
    case "RecordEvent":
    case "RejectOperation":
      return command.kind
    case "CreateSegment":
    case "DeleteSegment":
    case "MapForm":
    case "RegisterDelivery":
    case "ReportExcess":
      return null
  }
}

/** The people and visitors whom a command acts on, as it names them, whom it is about first; who stands under an object is none. */
export const actsOn = (command: Command): ReadonlyArray<Reference> => {
  switch (command._tag) {
    case "IdentifyPerson":
    case "DeletePerson":
    case "SuppressPerson":
    case "UnsuppressPerson":
    case "AddDevice":
    case "DeleteDevice":
    case "ChangeRelationships":
      return [command.target]
    case "RecordEvent":
      return command.target === null ? [] : [command.target]
    case "MergePeople":
      return [command.primary, command.secondary]
    case "AliasPerson":
      return [command.target, command.previous]
    case "IdentifyObject":
    case "DeleteObject":
    case "ChangeObjectRelationships":
    case "SubmitForm":
    case "ChangeMembership":
    case "ReportMetric":
    case "UnsubscribeByDelivery":
    case "CreateSegment":
    case "DeleteSegment":
    case "MapForm":
    case "RegisterDelivery":
    case "RejectOperation":
    case "ReportExcess":
      return []
  }
}
