import { Result, Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { SentCall } from "../log/RejectedCall.ts"
import type { NeedsCollector } from "../Needs.ts"
import { decodeRule } from "../rule/decodeRule.ts"
import { segmentsIn } from "../rule/Rule.ts"
import { Reference, SubjectKey } from "../values/Identifier.ts"

/**
 * Add people to a manual segment, or remove them (track-api §4.3 rule 2). `segment` is null if the text in the request
 * is not a segment id.
 */
export const ChangeMembership = Schema.TaggedStruct("ChangeMembership", {
  ...envelope,
  segment: Schema.NullOr(SubjectKey),
  action: Schema.Literals(["add", "remove"]),
  people: Schema.Array(Reference),
  /** The call as sent, which is kept if the segment does not take people. */
  sent: Schema.optionalKey(SentCall),
})
export type ChangeMembership = typeof ChangeMembership.Type

/** Create a segment. Only operators send this. */
export const CreateSegment = Schema.TaggedStruct("CreateSegment", {
  ...envelope,
  name: Schema.NonEmptyString,
  description: Schema.NullOr(Schema.String),
  /** The rule that decides who is in the segment, as JSON; null if its people are chosen by hand. */
  rule: Schema.NullOr(Schema.Json),
})
export type CreateSegment = typeof CreateSegment.Type

/** Delete a segment without deleting its people. Only operators send this. */
export const DeleteSegment = Schema.TaggedStruct("DeleteSegment", { ...envelope, segment: SubjectKey })
export type DeleteSegment = typeof DeleteSegment.Type

/**
 * Evaluate the rules about a person whose truth may have changed because time has passed. Only the server sends this. The
 * time of the command is the time at which a leaf was due.
 */
export const FollowTime = Schema.TaggedStruct("FollowTime", { ...envelope, person: SubjectKey })
export type FollowTime = typeof FollowTime.Type

/** Adds the segment and the people of a command to the keys that the store must load. */
export const collectMembership = (needs: NeedsCollector, { people, segment }: ChangeMembership): void => {
  needs.subject(segment)
  for (const person of people) needs.reference(person)
}

/** Adds the segments that a new rule names to the keys that the store must load. */
export const collectRule = (needs: NeedsCollector, { rule }: CreateSegment): void => {
  const decoded = rule === null ? null : decodeRule(rule)
  if (decoded === null || Result.isFailure(decoded)) return
  for (const segment of segmentsIn(decoded.success)) needs.subject(segment)
}
