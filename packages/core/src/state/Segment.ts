import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** A manual segment (track-api §2.8). Its key is what the wire calls `segment_id`; who is in it stands with the people. */
export const Segment = Schema.TaggedStruct("Segment", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  createdAt: Schema.Int,
})
export type Segment = typeof Segment.Type
