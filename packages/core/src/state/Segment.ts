import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** A rule that decides who is in a segment. */
export const SegmentRule = Schema.Struct({
  /** Counts the rules that the segment has had, from 1. */
  version: Schema.Int,
  /** The rule as JSON, as the operator wrote it. */
  source: Schema.Json,
  /** The keys under which the states of the rule's leaves are stored, in the order of the leaves. */
  leaves: Schema.Array(SubjectKey),
})
export type SegmentRule = typeof SegmentRule.Type

/**
 * A segment. Its people are chosen by hand (track-api §2.8), or by a rule. Requests and answers call its key `segment_id`. Each person stores the keys of
 * their segments.
 */
export const Segment = Schema.TaggedStruct("Segment", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  /** Null if the people are chosen by hand. */
  rule: Schema.NullOr(SegmentRule),
  createdAt: Schema.Int,
})
export type Segment = typeof Segment.Type
