import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** A rule that decides who is in a segment. */
export const SegmentRule = Schema.Struct({
  /** Counts the rules that the segment has had, from 1. */
  version: Schema.Int,
  /** The rule as JSON, as the operator wrote it. */
  source: Schema.Json,
  /** The keys under which the states of the rule's leaves are stored, in the order of the leaves. */
  leaves: Schema.Array(SubjectKey),
  /**
   * The earliest receipt time of what each leaf counts, in the order of the leaves; null if it counts everything that ever
   * happened, or counts nothing.
   */
  countedFrom: Schema.Array(Schema.NullOr(Schema.Int)),
  /**
   * The key under which people store that they are in the segment (see `SegmentMembers`). Each version of a rule has a key
   * of its own, so that one row decides which version is in force.
   */
  members: SubjectKey,
})
export type SegmentRule = typeof SegmentRule.Type

/** A rule that will take the place of the rule in force once it is built. */
export const NextRule = Schema.Struct({
  rule: SegmentRule,
  /** Whether entries record who enters and leaves the segment while the rule is built. */
  announce: Schema.Boolean,
  /** Whether the segment was paused, and is active again once the rule is built. */
  resumes: Schema.Boolean,
  /** The key of the build, or null while the rule waits until the build before it ends. */
  build: Schema.NullOr(SubjectKey),
})
export type NextRule = typeof NextRule.Type

/**
 * The last build after which a rule took effect without entries that tell whom it found. People can have entered and left
 * because of it, and only because of such builds, although no entry says so.
 */
export const SilentBuild = Schema.Struct({
  /** When the rule took effect. */
  at: Schema.Int,
  /** The position of the entry with which it did. */
  position: Sequence,
  /** The position of the silent build before it, or 0. */
  after: Schema.Int,
})
export type SilentBuild = typeof SilentBuild.Type

/**
 * A segment. Its people are chosen by hand (track-api §2.8), or by a rule. Requests and answers call its key `segment_id`. Each person stores the keys of
 * their segments.
 */
export const Segment = Schema.TaggedStruct("Segment", {
  key: SubjectKey,
  workspace: WorkspaceId,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  /** The rule in force; null if the people are chosen by hand, or if the first rule is not built yet. */
  rule: Schema.NullOr(SegmentRule),
  /** The rule that is being built; null if there is none. */
  next: Schema.NullOr(NextRule),
  /** Whether nobody enters or leaves until the segment is resumed. */
  paused: Schema.Boolean,
  /** Null if there was none. */
  silentBuild: Schema.NullOr(SilentBuild),
  createdAt: Schema.Int,
})
export type Segment = typeof Segment.Type

/**
 * Stands for one version of a rule: the key that its people have among their `segments`. Deleting it takes them out,
 * however many they are.
 */
export const SegmentMembers = Schema.TaggedStruct("SegmentMembers", {
  key: SubjectKey,
  workspace: WorkspaceId,
  segment: SubjectKey,
  /** Whether the version is in force. Readers see its people in the segment only then. */
  isCurrent: Schema.Boolean,
})
export type SegmentMembers = typeof SegmentMembers.Type

/**
 * `building`: the rule is not in force yet, because the history and the people are still being read. `active`: people enter and leave in the commits that
 * make the rule true or false. `settling`: they do, but a build has not yet come to all people related to an object that changed. `paused`: nobody enters or leaves.
 */
export type RuleState = "building" | "active" | "settling" | "paused"

/** Returns whether a rule decides, or will decide, who is in a segment. */
export const hasRule = ({ next, rule }: Segment): boolean => rule !== null || next !== null

/** Returns the state of a segment with a rule. `settles` says whether a build settles an object that the rule may be about. */
export const ruleStateOf = ({ next, paused, rule }: Segment, settles = false): RuleState => {
  if (rule === null || next?.resumes === true) return "building"
  if (paused) return "paused"
  return settles ? "settling" : "active"
}

/** Returns the key under which people store that they are in a segment. */
export const membersOf = ({ key, rule }: Segment): SubjectKey => rule?.members ?? key
