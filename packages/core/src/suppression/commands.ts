import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { Reference } from "../values/Identifier.ts"

/** Remove a person and take its identifiers no more (track-api §3). */
export const SuppressPerson = Schema.TaggedStruct("SuppressPerson", { ...envelope, target: Reference })
export type SuppressPerson = typeof SuppressPerson.Type

/** Take the identifiers again that were suppressed together (track-api §3). */
export const UnsuppressPerson = Schema.TaggedStruct("UnsuppressPerson", { ...envelope, target: Reference })
export type UnsuppressPerson = typeof UnsuppressPerson.Type
