import { Schema } from "effect"
import { Attributes, noAttributes } from "./Attributes.ts"
import { Devices, noDevices } from "./Device.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { noRelationships, Relationships } from "./Relationships.ts"

/**
 * A subject that a person has taken over: an anonymous visitor, a waiting identifier, or a person merged into it. Its
 * activity received from `since` on is the person's.
 */
const Attachment = Schema.Struct({
  key: SubjectKey,
  /** When it was taken over. */
  at: Schema.Int,
  since: Schema.Int,
  /** Whether a merge brought it: what it did triggers nothing (contract §6). */
  merged: Schema.Boolean,
})
export type Attachment = typeof Attachment.Type

/** A person (track-api §2.1). `key` is what the wire calls `svc_id`. */
export const Person = Schema.TaggedStruct("Person", {
  key: SubjectKey,
  workspace: WorkspaceId,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** The times of the updates that last set or removed the `id` and the `email`; null for one that was never set. */
  idAt: Schema.NullOr(Schema.Int),
  emailAt: Schema.NullOr(Schema.Int),
  anonymousIds: Schema.Array(Schema.String),
  attributes: Attributes,
  devices: Devices,
  relationships: Relationships,
  /** The manual segments that the person is in; one that was deleted may still stand here. */
  segments: Schema.Array(SubjectKey),
  attached: Schema.Array(Attachment),
  /** When the profile was created here; the client's `created_at` is an attribute. */
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Person = typeof Person.Type

export const emptyPerson = (key: SubjectKey, workspace: WorkspaceId, at: number): Person => ({
  _tag: "Person",
  key,
  workspace,
  id: null,
  email: null,
  idAt: null,
  emailAt: null,
  anonymousIds: [],
  attributes: noAttributes,
  devices: noDevices,
  relationships: noRelationships,
  segments: [],
  attached: [],
  createdAt: at,
  updatedAt: at,
})

/** A person with some fields changed. Spelled out, since a store may hand out people whose fields are read when asked for. */
export const patchPerson = (
  person: Person,
  fields: Partial<Omit<Person, "_tag" | "key" | "workspace" | "createdAt">>,
): Person => ({
  _tag: "Person",
  key: person.key,
  workspace: person.workspace,
  id: fields.id === undefined ? person.id : fields.id,
  email: fields.email === undefined ? person.email : fields.email,
  idAt: fields.idAt === undefined ? person.idAt : fields.idAt,
  emailAt: fields.emailAt === undefined ? person.emailAt : fields.emailAt,
  anonymousIds: fields.anonymousIds ?? person.anonymousIds,
  attributes: fields.attributes ?? person.attributes,
  devices: fields.devices ?? person.devices,
  relationships: fields.relationships ?? person.relationships,
  segments: fields.segments ?? person.segments,
  attached: fields.attached ?? person.attached,
  createdAt: person.createdAt,
  updatedAt: fields.updatedAt ?? person.updatedAt,
})
