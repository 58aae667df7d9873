import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { Devices } from "./Device.ts"
import { Identifier, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { Relationships } from "./Relationships.ts"

/**
 * Somebody who is not a person yet: known by an anonymous id, or by an `id` or `email` that events named before a
 * person carried it (contract §7, §8). Kept for 30 days.
 */
export const Visitor = Schema.TaggedStruct("Visitor", {
  key: SubjectKey,
  workspace: WorkspaceId,
  knownAs: Identifier,
  attributes: Attributes,
  devices: Devices,
  relationships: Relationships,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Visitor = typeof Visitor.Type
