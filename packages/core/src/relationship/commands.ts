import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import type { NeedsCollector } from "../fold/Needs.ts"
import { Assignment } from "../state/Attributes.ts"
import { ObjectReference, Reference } from "../values/Identifier.ts"

/** `add` also merges attributes into existing relationships. */
const RelationshipAction = Schema.Literals(["add", "delete"])

/** An object in a request about a person (track-api §2.3). */
export const ObjectEntry = Schema.Struct({ object: ObjectReference, assignments: Schema.Array(Assignment) })
export type ObjectEntry = typeof ObjectEntry.Type

/** The relationships that a request adds to a person or a visitor, or removes from them. */
export const RelationshipChange = Schema.Struct({
  action: RelationshipAction,
  entries: Schema.Array(ObjectEntry),
})
export type RelationshipChange = typeof RelationshipChange.Type

/** A person or an anonymous visitor in a request about an object (track-api §2.3). */
export const PersonEntry = Schema.Struct({ person: Reference, assignments: Schema.Array(Assignment) })
export type PersonEntry = typeof PersonEntry.Type

/** Add or remove relationships of a person (track-api §2.3, §4.2). */
export const ChangeRelationships = Schema.TaggedStruct("ChangeRelationships", {
  ...envelope,
  target: Reference,
  action: RelationshipAction,
  entries: Schema.Array(ObjectEntry),
})
export type ChangeRelationships = typeof ChangeRelationships.Type

/** Add or remove relationships of an object (track-api §2.3, §4.2). */
export const ChangeObjectRelationships = Schema.TaggedStruct("ChangeObjectRelationships", {
  ...envelope,
  object: ObjectReference,
  action: RelationshipAction,
  entries: Schema.Array(PersonEntry),
})
export type ChangeObjectRelationships = typeof ChangeObjectRelationships.Type

/** Adds the objects in a request to the keys that the store must load. */
export const collectObjects = (needs: NeedsCollector, entries: ReadonlyArray<ObjectEntry>): void => {
  for (const { object } of entries) needs.object(object)
}

/** Adds the people in a request to the keys that the store must load. */
export const collectPeople = (needs: NeedsCollector, entries: ReadonlyArray<PersonEntry>): void => {
  for (const { person } of entries) needs.reference(person)
}
