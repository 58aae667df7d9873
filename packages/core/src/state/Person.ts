import { Schema } from "effect"
import { Attributes, noAttributes } from "./Attributes.ts"
import { Devices, noDevices } from "./Device.ts"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { noRelationships, Relationships } from "./Relationships.ts"

/** An identifier that a person had: its digest, as the erasure ledger has it, and when another one took its place. */
const FormerIdentifier = Schema.Struct({ at: Schema.Int, identifier: Schema.String })
export type FormerIdentifier = typeof FormerIdentifier.Type

/** The largest number of former identifiers of a person that are remembered. Beyond it, the oldest are forgotten. */
const formerIdentifiersMax = 50

/** Returns the former identifiers of a person with another one. */
export const withFormer = (
  former: ReadonlyArray<FormerIdentifier>,
  { at, identifier }: FormerIdentifier,
): ReadonlyArray<FormerIdentifier> =>
  [...former.filter((one) => one.identifier !== identifier), { at, identifier }].slice(-formerIdentifiersMax)

/**
 * A subject that belongs to a person: an identified visitor, an identifier that only events had named, or a merged
 * person. Its activity that was received at `since` or later belongs to the person.
 */
export const Attachment = Schema.Struct({
  key: SubjectKey,
  /** The time since which this visitor or merged person belongs to its owner. */
  at: Schema.Int,
  since: Schema.Int,
  /**
   * True if a merge of two people gave this visitor or merged person to the person. Events that a merge moves to a
   * person trigger no messages (contract §6).
   */
  merged: Schema.Boolean,
  /** The log position of the merge of this person, whose entry can undo it. Missing for whoever was never a person. */
  merge: Schema.optionalKey(Sequence),
  /** The log positions of later merges that took this person along with whoever had them, oldest first. Missing if there were none. */
  onward: Schema.optionalKey(Schema.Array(Sequence)),
  /** When the merge of this person freed identifiers, and their digests, as the erasure ledger has them. */
  freed: Schema.optionalKey(Schema.Struct({ at: Schema.Int, identifiers: Schema.Array(Schema.String) })),
  /** The former identifiers of this person when they were merged. Missing if there were none. */
  former: Schema.optionalKey(Schema.Array(FormerIdentifier)),
  /** What the person got of this one: the log position of the merge, and digests of the identifiers that moved. */
  moved: Schema.optionalKey(Schema.Struct({ merge: Sequence, names: Schema.Array(Schema.String) })),
  /**
   * Missing for visitors and merged people. Otherwise this key has the events since the merge at the position `merge` that
   * named its primary by an identifier of `secondary`, so that they can go back together (contract §6 *unmerge*). That is the
   * person merged then, or somebody merged into that person before.
   */
  via: Schema.optionalKey(Schema.Struct({ primary: SubjectKey, secondary: SubjectKey, merge: Sequence })),
})
export type Attachment = typeof Attachment.Type

/** Returns whether an attachment is a person whom a merge gave to another. */
export const isMergedPerson = ({ merged, via }: Attachment): boolean => merged && via === undefined

/**
 * Returns whether leaves of rules count apart what an attachment did, so that it can go back when a merge is undone. Visitors
 * of the person's own are counted with the person.
 */
export const countsApart = ({ merged, via }: Attachment): boolean => merged || via !== undefined

/**
 * What a person has from people who were merged into them, until it changes: by path, such as `attributes.plan`, the merged person
 * who had it. Erasing that person erases it from the entries that overwrote it.
 */
export const Origins = Schema.ReadonlyMap(Schema.String, SubjectKey)
export type Origins = typeof Origins.Type

export const noOrigins: Origins = new Map()

/** A person (track-api §2.1). Requests and answers call the key `svc_id`. */
export const Person = Schema.TaggedStruct("Person", {
  key: SubjectKey,
  workspace: WorkspaceId,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /**
   * The times of the updates that last set or removed the `id` and the `email`; null for an identifier that was never
   * set.
   */
  idAt: Schema.NullOr(Schema.Int),
  emailAt: Schema.NullOr(Schema.Int),
  anonymousIds: Schema.Array(Schema.String),
  attributes: Attributes,
  devices: Devices,
  relationships: Relationships,
  /** The segments that the person is in. May contain deleted ones until housekeeping removes them. */
  segments: Schema.Array(SubjectKey),
  attached: Schema.Array(Attachment),
  /** What the person was called before, oldest first. Erasing the person erases what imports say about these identifiers. */
  former: Schema.Array(FormerIdentifier),
  origins: Origins,
  /** When the profile was created. The client's `created_at` is an attribute and not this time. */
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
  former: [],
  origins: noOrigins,
  createdAt: at,
  updatedAt: at,
})

/**
 * Returns a person with some fields replaced. Lists every field, because a store may return people with fields that are lazy
 * getters, which a spread does not copy.
 */
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
  former: fields.former ?? person.former,
  origins: fields.origins ?? person.origins,
  createdAt: person.createdAt,
  updatedAt: fields.updatedAt ?? person.updatedAt,
})
