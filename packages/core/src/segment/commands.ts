import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import type { NeedsCollector } from "../Needs.ts"
import { Reference, SubjectKey } from "../values/Identifier.ts"

/**
 * Add people to a manual segment, or remove them (track-api §4.3 rule 2). `segment` is null if the text in the request
 * is not a segment id.
 */
export const ChangeMembership = Schema.TaggedStruct("ChangeMembership", {
  ...envelope,
  segment: Schema.NullOr(SubjectKey),
  action: Schema.Literals(["add", "remove"]),
  people: Schema.Array(Reference),
})
export type ChangeMembership = typeof ChangeMembership.Type

/** Create a manual segment. Only operators send this. */
export const CreateSegment = Schema.TaggedStruct("CreateSegment", {
  ...envelope,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
})
export type CreateSegment = typeof CreateSegment.Type

/** Delete a manual segment without deleting its people. Only operators send this. */
export const DeleteSegment = Schema.TaggedStruct("DeleteSegment", { ...envelope, segment: SubjectKey })
export type DeleteSegment = typeof DeleteSegment.Type

/** Adds the segment and the people of a command to the keys that the store must load. */
export const collectMembership = (needs: NeedsCollector, { people, segment }: ChangeMembership): void => {
  needs.subject(segment)
  for (const person of people) needs.reference(person)
}
