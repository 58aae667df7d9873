import { leafKeysOf, withSegments } from "../rule/definitions.ts"
import type { Segment } from "../state/Segment.ts"
import type { Sequence, SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { putSubject } from "./updateWorkingSet.ts"

/**
 * Compiles the rules of a workspace again after some segments changed, or were deleted (null). Leaves that no rule has any
 * more become deleted subjects, so that housekeeping removes their states.
 */
export const changeRules = (
  state: WorkingSet,
  changed: ReadonlyMap<SubjectKey, Segment | null>,
  before: Sequence = state.nextSequence,
): void => {
  const known = leafKeysOf(state.rules)
  state.rules = withSegments(state.rules, changed)
  state.rulesVersion++
  const left = leafKeysOf(state.rules)
  for (const leaf of known) if (!left.has(leaf)) putGone(state, leaf, before)
}

/** Takes everybody out of the versions of a segment's rule that was deleted, and forgets its rule. */
export const deleteRules = (state: WorkingSet, { key, next, rule }: Segment, before: Sequence): void => {
  const build = next?.build ?? null
  for (const version of [rule, next?.build == null ? null : next.rule]) {
    if (version !== null) putGone(state, version.members, before)
  }
  changeRules(state, new Map([[key, null]]), before)
  if (build !== null && state.rules.build === null) putGone(state, build, before)
}

/** Marks a key as that of a deleted subject, so that housekeeping removes what refers to it. */
export const putGone = (state: WorkingSet, key: SubjectKey, before: Sequence): void =>
  putSubject(state, { _tag: "Erased", key, workspace: state.workspace, before, addresses: [] })
