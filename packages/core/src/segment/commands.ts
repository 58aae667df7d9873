import { Result, Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import type { NeedsCollector } from "../fold/Needs.ts"
import { decodeRule } from "../rule/decodeRule.ts"
import { segmentsIn } from "../rule/Rule.ts"
import { Counted } from "../state/LeafState.ts"
import { Reference, Sequence, SubjectKey } from "../values/Identifier.ts"

/**
 * Add people to a manual segment, or remove them (track-api §4.3 rule 2). `segment` is null if the text in the request
 * is not a segment id.
 */
export const ChangeMembership = Schema.TaggedStruct("ChangeMembership", {
  ...envelope,
  segment: Schema.NullOr(SubjectKey),
  action: Schema.Literals(["add", "remove"]),
  people: Schema.Array(Reference),
})
export type ChangeMembership = typeof ChangeMembership.Type

/** Create a segment. Only operators send this. */
export const CreateSegment = Schema.TaggedStruct("CreateSegment", {
  ...envelope,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  /** The rule that decides who is in the segment, as JSON; null if its people are chosen by hand. */
  rule: Schema.NullOr(Schema.Json),
  /** Whether entries record that people enter the segment who are found while the rule is built. */
  announce: Schema.Boolean,
})
export type CreateSegment = typeof CreateSegment.Type

/**
 * Change the name, the description, the rule or the pause of a segment. Fields that are missing stay as they are. Only
 * operators send this.
 */
export const UpdateSegment = Schema.TaggedStruct("UpdateSegment", {
  ...envelope,
  segment: SubjectKey,
  name: Schema.optionalKey(Schema.NonEmptyString),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  rule: Schema.optionalKey(Schema.Json),
  announce: Schema.Boolean,
  paused: Schema.optionalKey(Schema.Boolean),
})
export type UpdateSegment = typeof UpdateSegment.Type

/** Delete a segment without deleting its people. Only operators send this. */
export const DeleteSegment = Schema.TaggedStruct("DeleteSegment", { ...envelope, segment: SubjectKey })
export type DeleteSegment = typeof DeleteSegment.Type

/**
 * Evaluate the rules about a person whose truth may have changed because time has passed. Only the server sends this. The
 * time of the command is the time at which a leaf was due.
 */
export const FollowTime = Schema.TaggedStruct("FollowTime", { ...envelope, person: SubjectKey })
export type FollowTime = typeof FollowTime.Type

/** Something in the log that a leaf of a rule counts. */
export const FoundOccurrence = Schema.Struct({ subject: SubjectKey, leaf: SubjectKey, counted: Counted })
export type FoundOccurrence = typeof FoundOccurrence.Type

/**
 * Add what a build found in a part of the log. The command has no effect unless the build is where the part begins: in the
 * reading `reading`, at the position `from`. Only the server sends this.
 */
export const ReadHistory = Schema.TaggedStruct("ReadHistory", {
  ...envelope,
  build: SubjectKey,
  until: Sequence,
  reading: Schema.Int,
  from: Schema.Int,
  /** The number of readings that end with the part. */
  ended: Schema.Int,
  /** The position up to which the part goes in the reading after them; 0 if it does not begin that one. */
  to: Schema.Int,
  found: Schema.Array(FoundOccurrence),
})
export type ReadHistory = typeof ReadHistory.Type

/**
 * Evaluate the rules of a build for people and visitors: all of them with keys greater than `from` and up to `to`. The command has no
 * effect unless the build is at `from`. Only the server sends this.
 */
export const WalkPeople = Schema.TaggedStruct("WalkPeople", {
  ...envelope,
  build: SubjectKey,
  until: Sequence,
  from: Schema.Int,
  to: SubjectKey,
  people: Schema.Array(SubjectKey),
})
export type WalkPeople = typeof WalkPeople.Type

/** Let the rules take effect that a build has built. Only the server sends this. */
export const FinishBuild = Schema.TaggedStruct("FinishBuild", { ...envelope, build: SubjectKey })
export type FinishBuild = typeof FinishBuild.Type

/** Adds the segment and the people of a command to the keys that the store must load. */
export const collectMembership = (needs: NeedsCollector, { people, segment }: ChangeMembership): void => {
  needs.subject(segment)
  for (const person of people) needs.reference(person)
}

/** Adds the build and the subjects that a step of it found to the keys that the store must load. */
export const collectHistory = (needs: NeedsCollector, { build, found }: ReadHistory): void => {
  needs.subject(build)
  for (const { subject } of found) needs.subject(subject)
}

/** Adds the build and the people of its next step to the keys that the store must load. */
export const collectWalk = (needs: NeedsCollector, { build, people }: WalkPeople): void => {
  needs.subject(build)
  for (const person of people) needs.subject(person)
}

/** Adds the segments that a new rule names to the keys that the store must load. */
export const collectRule = (
  needs: NeedsCollector,
  { rule = null }: Pick<CreateSegment | UpdateSegment, "rule">,
): void => {
  if (rule === null) return
  needs.concerns.rules = true
  const decoded = decodeRule(rule)
  if (Result.isFailure(decoded)) return
  for (const segment of segmentsIn(decoded.success)) needs.subject(segment)
}
