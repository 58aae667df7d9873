import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/**
 * A manual segment (track-api §2.8). Requests and answers call its key `segment_id`. Each person stores the keys of
 * their segments.
 */
export const Segment = Schema.TaggedStruct("Segment", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  createdAt: Schema.Int,
})
export type Segment = typeof Segment.Type
