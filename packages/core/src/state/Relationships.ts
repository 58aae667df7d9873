import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { SubjectKey } from "../values/Identifier.ts"

/**
 * The objects that a person or a visitor is related to, with the attributes of each relationship (track-api §2.3). May
 * contain deleted objects until housekeeping removes them. Readers skip deleted objects. Because keys are never reused,
 * a key cannot resolve to another object.
 */
export const Relationships = Schema.ReadonlyMap(SubjectKey, Attributes)
export type Relationships = typeof Relationships.Type

export const noRelationships: Relationships = new Map()
