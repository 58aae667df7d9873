import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { PersonEntry } from "../relationship/commands.ts"
import { Assignment } from "../state/Attributes.ts"
import { ObjectReference } from "../values/Identifier.ts"

/** Add or update an object, and relate people or visitors to it (track-api §2.2, §4.2). */
export const IdentifyObject = Schema.TaggedStruct("IdentifyObject", {
  ...envelope,
  object: ObjectReference,
  assignments: Schema.Array(Assignment),
  entries: Schema.Array(PersonEntry),
})
export type IdentifyObject = typeof IdentifyObject.Type

/** Delete an object and its relationships (contract §9). */
export const DeleteObject = Schema.TaggedStruct("DeleteObject", { ...envelope, object: ObjectReference })
export type DeleteObject = typeof DeleteObject.Type
