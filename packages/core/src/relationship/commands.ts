import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import type { NeedsCollector } from "../Needs.ts"
import { Assignment } from "../state/Attributes.ts"
import { ObjectReference, Reference } from "../values/Identifier.ts"

/** Whether relationships are added, with attributes that are merged into those that are there, or removed. */
const RelationshipAction = Schema.Literals(["add", "delete"])

/** An object that a person is related to, as a request names it (track-api §2.3). */
export const ObjectEntry = Schema.Struct({ object: ObjectReference, assignments: Schema.Array(Assignment) })
export type ObjectEntry = typeof ObjectEntry.Type

/** The relationships that a request adds to a person or a visitor, or removes from them. */
export const RelationshipChange = Schema.Struct({
  action: RelationshipAction,
  entries: Schema.Array(ObjectEntry),
})
export type RelationshipChange = typeof RelationshipChange.Type

/** A person, or an anonymous visitor, who is related to an object, as a request names them (track-api §2.3). */
export const PersonEntry = Schema.Struct({ person: Reference, assignments: Schema.Array(Assignment) })
export type PersonEntry = typeof PersonEntry.Type

/** Add or remove relationships from the person's side (track-api §2.3, §4.2). */
export const ChangeRelationships = Schema.TaggedStruct("ChangeRelationships", {
  ...envelope,
  target: Reference,
  action: RelationshipAction,
  entries: Schema.Array(ObjectEntry),
})
export type ChangeRelationships = typeof ChangeRelationships.Type

/** Add or remove relationships from the object's side (track-api §2.3, §4.2). */
export const ChangeObjectRelationships = Schema.TaggedStruct("ChangeObjectRelationships", {
  ...envelope,
  object: ObjectReference,
  action: RelationshipAction,
  entries: Schema.Array(PersonEntry),
})
export type ChangeObjectRelationships = typeof ChangeObjectRelationships.Type

/** Collects what the object entries of a request name. */
export const collectObjects = (needs: NeedsCollector, entries: ReadonlyArray<ObjectEntry>): void => {
  for (const { object } of entries) needs.object(object)
}

/** Collects what the person entries of a request name. */
export const collectPeople = (needs: NeedsCollector, entries: ReadonlyArray<PersonEntry>): void => {
  for (const { person } of entries) needs.reference(person)
}
