import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { Reference } from "../values/Identifier.ts"

/** Delete a person and ignore later requests that name their identifiers (track-api §3). */
export const SuppressPerson = Schema.TaggedStruct("SuppressPerson", { ...envelope, target: Reference })
export type SuppressPerson = typeof SuppressPerson.Type

/** Release a suppression group, so that requests with its identifiers are no longer ignored (track-api §3). */
export const UnsuppressPerson = Schema.TaggedStruct("UnsuppressPerson", { ...envelope, target: Reference })
export type UnsuppressPerson = typeof UnsuppressPerson.Type
