import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { Devices } from "./Device.ts"
import { Identifier, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { Relationships } from "./Relationships.ts"

/**
 * A visitor is not a person yet. A visitor is known by an anonymous id, or by an `id` or `email` that only events have
 * named (contract §7, §8). Visitors with an anonymous id are stored for 30 days after the last request that names them.
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
