import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { Reference } from "../values/Identifier.ts"

/** Delete a person and reject their identifiers from now on (track-api §3). */
export const SuppressPerson = Schema.TaggedStruct("SuppressPerson", { ...envelope, target: Reference })
export type SuppressPerson = typeof SuppressPerson.Type

/** Accept the identifiers of a suppression group again (track-api §3). */
export const UnsuppressPerson = Schema.TaggedStruct("UnsuppressPerson", { ...envelope, target: Reference })
export type UnsuppressPerson = typeof UnsuppressPerson.Type
