import type { Change } from "../fold/Change.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { withSegments } from "../rule/definitions.ts"
import { readingsOf } from "../rule/readings.ts"
import { neededBy } from "../rule/LeafIndex.ts"
import type { RuleIndex } from "../rule/RuleIndex.ts"
import { isCounting, leavesOf, segmentsIn } from "../rule/Rule.ts"
import { decodeRule } from "../rule/decodeRule.ts"
import { joinMsMax } from "../rule/ruleBounds.ts"
import type { Reading, RuleBuild } from "../state/RuleBuild.ts"
import type { NextRule, Segment, SegmentRule } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { Result } from "effect"

interface Proposal {
  readonly key: SubjectKey
  readonly next: NextRule
  /** The segment, or null if it is new. */
  readonly before: Segment | null
}

/**
 * Gives a segment a rule. It is built at once, unless another build is under way. Then it waits, and one build serves all
 * rules that wait: the one under way, which begins again if it is young (`joinedBy`), or the next. A build also begins again
 * if one of its own segments gets another rule.
 */
export const proposeRule = (
  state: WorkingSet,
  { receivedAt }: { readonly receivedAt: EpochMillis },
  { before, key, next }: Proposal,
  draft: DecisionDraft,
): void => {
  draft.changes.push({ _tag: "RuleProposed", key, next })
  if (state.rules.build !== null && !isInBuild(state, before)) return
  startBuild(state, state.rules, receivedAt, new Map([...nextRules(state.rules), [key, next]]), draft)
}

/** Returns whether the build under way builds a rule of a segment. */
const isInBuild = ({ rules: { build } }: WorkingSet, segment: Segment | null): boolean =>
  build !== null && segment?.next?.build === build

/**
 * Returns the rules that a build begins again with at a time, or null if it goes on. It takes in those that wait while it is so
 * young that little is lost. One of which entries have recorded a part goes on.
 */
export const joinedBy = (
  { rules }: WorkingSet,
  { key, settles, startedAt }: RuleBuild,
  at: EpochMillis,
): ReadonlyMap<SubjectKey, NextRule> | null => {
  if (settles !== null || at - startedAt >= joinMsMax) return null
  const all = nextRules(rules)
  const isWaiting = [...all.values()].some(({ build }) => build === null)
  const isAnnounced = [...all.values()].some(({ announce, build }) => announce && build === key)
  return isWaiting && !isAnnounced ? all : null
}

/** Returns whether another rule for a segment would begin a build again of which entries have recorded a part. */
export const isBeingAnnounced = (state: WorkingSet, segment: Segment): boolean =>
  isInBuild(state, segment) &&
  [...nextRules(state.rules).values()].some(({ announce, build }) => announce && build === state.rules.build)

/** Begins to build the rules that wait, if the segment that is deleted was the only one of its build. */
export const startWaiting = (
  state: WorkingSet,
  { receivedAt }: { readonly receivedAt: EpochMillis },
  deleted: SubjectKey,
  draft: DecisionDraft,
): void => {
  const rules = withSegments(state.rules, new Map([[deleted, null]]))
  const left = nextRules(rules)
  if (left.size > 0 && rules.build === null) startBuild(state, rules, receivedAt, left, draft)
}

/** Returns the rules that segments are to get. */
export const nextRules = ({ definitions }: RuleIndex): ReadonlyMap<SubjectKey, NextRule> =>
  new Map(
    Array.from(definitions.values()).flatMap(({ segment: { key, next } }) =>
      next === null ? [] : [[key, next] as const],
    ),
  )

/**
 * Begins to build rules, and those that name their segments. If nobody is there, they take effect at once. `index` has the
 * rules after the changes in the draft.
 */
export const startBuild = (
  state: WorkingSet,
  index: RuleIndex,
  at: EpochMillis,
  wanted: ReadonlyMap<SubjectKey, NextRule>,
  draft: DecisionDraft,
): void => {
  const build = draft.newKey()
  const rules = new Map<SubjectKey, NextRule>()
  for (const [key, next] of wanted) {
    const rule = mayHaveMembers(state, next) ? withNewMembers(next.rule, draft) : next.rule
    rules.set(key, { ...next, rule, build })
  }
  for (const [key, next] of dependents(index, wanted)) {
    rules.set(key, { ...next, rule: withNewMembers(next.rule, draft), build })
  }
  const { leaves, readings } = toRead(index, rules)
  const before = state.nextSequence
  const started: Change = {
    _tag: "BuildStarted",
    key: build,
    until: before,
    at,
    leaves,
    readings,
    rules,
    settles: null,
  }
  draft.changes.push(started)
  if (!state.mayHaveHolders) draft.changes.push({ _tag: "BuildFinished", key: build, at, before })
}

/** Returns whether people may be in a version. Nobody is before a build, or while it reads the log. */
const mayHaveMembers = ({ subjects }: WorkingSet, { build: key }: NextRule): boolean => {
  const build = key === null ? null : subjects.get(key)
  return build !== null && !(build?._tag === "RuleBuild" && build.peopleBefore === null)
}

const withNewMembers = (rule: SegmentRule, draft: DecisionDraft): SegmentRule => ({
  ...rule,
  members: draft.newKey(),
})

/**
 * Returns the rules in force that name the segments, and those that name theirs, to be built again. They are announced if
 * a segment that they name is.
 */
const dependents = (
  rules: RuleIndex,
  wanted: ReadonlyMap<SubjectKey, NextRule>,
): ReadonlyMap<SubjectKey, NextRule> => {
  const found = new Map<SubjectKey, NextRule>()
  const announced = new Set([...wanted].flatMap(([key, { announce }]) => (announce ? [key] : [])))
  // Each version in `segments` stands after those that its rule names.
  for (const { _tag, key } of rules.segments) {
    const { current, segment } = rules.definitions.get(key) ?? {}
    if (_tag !== "InForce" || wanted.has(key) || current == null || segment === undefined) continue
    const named = [...segmentsIn(current.rule)].filter((one) => wanted.has(one) || found.has(one))
    if (named.length === 0) continue
    const announce = named.some((one) => announced.has(one))
    if (announce) announced.add(key)
    found.set(key, { rule: current.stored, announce, resumes: false, build: null })
  }
  return found
}

/** Returns the keys of the states that are not complete, and what has to be read for them. */
const toRead = (
  index: RuleIndex,
  rules: ReadonlyMap<SubjectKey, NextRule>,
): { readonly leaves: ReadonlyArray<SubjectKey>; readonly readings: ReadonlyArray<Reading> } => {
  const stored = storedInForce(index)
  const leaves = new Set<SubjectKey>()
  const readings = new Map<string, Reading>()
  for (const { rule } of rules.values()) {
    const decoded = decodeRule(rule.source)
    if (Result.isFailure(decoded)) continue
    leavesOf(decoded.success).forEach((leaf, i) => {
      const key = rule.leaves[i]
      if (key === undefined || !isCounting(leaf) || neededBy(leaf) <= (stored.get(key) ?? 0)) return
      leaves.add(key)
      for (const reading of readingsOf(leaf)) readings.set(JSON.stringify(reading), reading)
    })
  }
  return { leaves: [...leaves], readings: [...readings.values()] }
}

/** Returns how many occurrences are stored under each key because of the rules in force. */
const storedInForce = ({ definitions }: RuleIndex): ReadonlyMap<SubjectKey, number> => {
  const stored = new Map<SubjectKey, number>()
  for (const { current } of definitions.values()) {
    if (current === null) continue
    leavesOf(current.rule).forEach((leaf, i) => {
      const key = current.stored.leaves[i]
      if (key !== undefined) stored.set(key, Math.max(stored.get(key) ?? 0, neededBy(leaf)))
    })
  }
  return stored
}
