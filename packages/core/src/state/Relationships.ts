import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { SubjectKey } from "../values/Identifier.ts"

/**
 * The objects that a person or a visitor is related to, with the attributes of each relationship (track-api §2.3). May
 * contain deleted objects until housekeeping removes them. Readers skip those, and keys are never reused.
 */
export const Relationships = Schema.ReadonlyMap(SubjectKey, Attributes)
export type Relationships = typeof Relationships.Type

export const noRelationships: Relationships = new Map()
