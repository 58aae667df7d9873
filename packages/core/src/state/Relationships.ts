import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { SubjectKey } from "../values/Identifier.ts"

/**
 * The objects that a person or a visitor is related to, with the attributes of each relationship (track-api §2.3). An
 * object that was deleted may still stand here: its key is never given again, and readers leave it out.
 */
export const Relationships = Schema.ReadonlyMap(SubjectKey, Attributes)
export type Relationships = typeof Relationships.Type

export const noRelationships: Relationships = new Map()
