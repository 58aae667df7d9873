import { Schema } from "effect"
import { ActivityKind } from "../log/ActivityEntry.ts"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** A part of the log that is read for new leaves: the entries of one kind with a name, or whose name matches a search. */
export const Reading = Schema.Struct({
  kind: ActivityKind,
  name: Schema.NullOr(Schema.String),
  /** A search for names (contract §8). */
  search: Schema.NullOr(Schema.String),
})
export type Reading = typeof Reading.Type

/** How many people a build found who are in the new version and were not in the old one, and the other way round. */
export const BuiltPeople = Schema.Struct({ entered: Schema.Int, left: Schema.Int })
export type BuiltPeople = typeof BuiltPeople.Type

/**
 * Whom a build that settles comes to: the people related to `object`, or everybody if it is null because the object was
 * deleted. Null if the build has new rules.
 */
export const Settles = Schema.NullOr(Schema.Struct({ object: Schema.NullOr(SubjectKey) }))

/**
 * Builds new rules of a workspace, all that wait at the same time together. First it reads the log before `until` for the
 * leaves that no rule had, one `Reading` after the other. From `until` on, commits maintain these leaves. Then it evaluates the rules for the people
 * with keys less than `peopleBefore`, in the order of their keys. Commits do so for people whom it has passed, and for people with greater keys.
 *
 * A build that *settles* has no new rules. It evaluates those in force about related objects, because an object changed that has more people than
 * one commit follows.
 */
export const RuleBuild = Schema.TaggedStruct("RuleBuild", {
  key: SubjectKey,
  workspace: WorkspaceId,
  startedAt: Schema.Int,
  until: Sequence,
  leaves: Schema.Array(SubjectKey),
  readings: Schema.Array(Reading),
  /** The number of readings that are done, and the position up to which the next one is. */
  readingsDone: Schema.Int,
  readTo: Schema.Int,
  /** Null until all readings are done. */
  peopleBefore: Schema.NullOr(SubjectKey),
  /** The key up to which people are evaluated. */
  walkedTo: Schema.Int,
  found: Schema.ReadonlyMap(SubjectKey, BuiltPeople),
  settles: Settles,
})
export type RuleBuild = typeof RuleBuild.Type

/** Returns whether commits follow the rules of a build about a person. */
export const isBuiltFor = ({ peopleBefore, walkedTo }: RuleBuild, person: SubjectKey): boolean =>
  peopleBefore !== null && (person <= walkedTo || person >= peopleBefore)

/** Returns whether a build has read everything, so that its rules can take effect. */
export const isBuilt = ({ peopleBefore, walkedTo }: RuleBuild): boolean =>
  peopleBefore !== null && walkedTo >= peopleBefore - 1

/** Returns how much of a build is done, from 0 to 1: half of it is reading the log, the other half evaluating people. */
export const progressOf = ({ peopleBefore, readings, readingsDone, walkedTo }: RuleBuild): number => {
  if (peopleBefore === null) return readings.length === 0 ? 0.5 : (readingsDone / readings.length) * 0.5
  return peopleBefore <= 1 ? 1 : 0.5 + Math.min(1, walkedTo / (peopleBefore - 1)) * 0.5
}
