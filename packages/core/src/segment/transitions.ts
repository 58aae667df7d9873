import { Result } from "effect"
import { valueOf } from "../state/Attributes.ts"
import type { ChangeMembership, CreateSegment, DeleteSegment, FollowTime, UpdateSegment } from "./commands.ts"
import type { Reference, SubjectKey } from "../values/Identifier.ts"
import { ignoredIdsCall } from "../log/ignoredIds.ts"
import type { Person } from "../state/Person.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { findSuppression } from "../decision/findSuppression.ts"
import { withKeptCall } from "../decision/keptCall.ts"
import { dropped, accepted, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { hasRule, ruleStateOf, type NextRule, type Segment } from "../state/Segment.ts"
import type { Fault } from "../log/Outcome.ts"
import { checkSegments } from "../rule/checkSegments.ts"
import { decodeRule } from "../rule/decodeRule.ts"
import { chosenByHand, rulesOf } from "../rule/definitions.ts"
import { isCounting, leavesOf, segmentsIn, type Leaf } from "../rule/Rule.ts"
import type { RuleFault } from "../rule/RuleFault.ts"
import { rulesMax, ruleLeavesTotalMax } from "../rule/ruleBounds.ts"
import { canonicalForm } from "../rule/canonicalForm.ts"
import { statesOfLeaves, type RuleIndex } from "../rule/RuleIndex.ts"
import type { Json } from "../values/Json.ts"
import { daysOfHistory } from "../workspace/Workspace.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Envelope } from "../fold/Envelope.ts"
import { retentionStart } from "../log/ActivityEntry.ts"
import { isBeingAnnounced, proposeRule, startWaiting } from "./startBuild.ts"
import { decisionTexts, dropTexts } from "../log/operationTexts.ts"

const rule = "track-api §4.3 rule 2"
const byHand = "contract §12 manual segments"
const ofRules = "contract §12 segments by rule"

/** The fault of a call that names an unknown segment (track-api §7 rule 6). */
const notFound = decisionTexts.segmentNotFound("segment_id")

/** The fault of a call that chooses the people of a segment with a rule. */
const decidedByRule = decisionTexts.segmentByRule("segment_id")

/** Adds people to a manual segment, or removes them. Ids that match no person are ignored and counted (contract §12). */
export const changeMembership = (state: WorkingSet, command: ChangeMembership): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null || hasRule(segment)) {
    const refusal = segment === null ? rejected([notFound], rule) : rejected([decidedByRule], ofRules)
    return withKeptCall(state, command, refusal, command.people)
  }
  const draft = new DecisionDraft(state, command.faults)
  const handled = new Set<SubjectKey>()
  const ignored: Array<string> = []
  let applied = 0
  for (const reference of command.people) {
    const found = resolvePerson(state, reference)
    if (found._tag !== "KnownPerson") {
      noteIgnored(state, reference, ignored)
      continue
    }
    const { person } = found
    if (command.action === "remove" && !hasId(command, person)) continue
    applied++
    const isIn = person.segments.includes(segment.key)
    if (isIn === (command.action === "add") || handled.has(person.key)) continue
    const max = command.workspace.limits.segmentsPerPersonMax
    if (!isIn && person.segments.length >= max && chosenByHand(state.rules, person.segments).length >= max) {
      applied--
      continue
    }
    handled.add(person.key)
    const tag = isIn ? "SegmentLeft" : "SegmentJoined"
    draft.changes.push({ _tag: tag, key: person.key, segment: segment.key })
  }
  const verdict = accepted("applied", draft.faults, {
    rule,
    subject: segment.key,
    data: {
      segment_id: segment.key,
      ids_applied: applied,
      ids_ignored: command.people.length - applied,
    },
    changes: draft.changes,
  })
  return ignored.length === 0 || command.workspace.rejectedDays === 0
    ? verdict
    : { ...verdict, call: ignoredIdsCall(ignored) }
}

/** The largest number of ignored ids that the entry of a segment call names. */
const ignoredNamedMax = 10

/** Notes an id that nobody has, unless it is suppressed: then the entry must not name it. */
const noteIgnored = (state: WorkingSet, reference: Reference, ignored: Array<string>): void => {
  if (ignored.length >= ignoredNamedMax || findSuppression(state, reference) !== undefined) return
  if (reference._tag !== "BySvcId") ignored.push(reference.value)
}

/**
 * Returns whether a person has an `id`. In a workspace that does not identify people by id, `id` is an ordinary
 * attribute.
 */
const hasId = ({ workspace }: ChangeMembership, { attributes, id }: Person): boolean =>
  id !== null || (!workspace.identifiers.id && valueOf(attributes, "id") !== null)

/** Creates an empty segment. Its rule, if it has one, decides who enters it once it is built. */
export const createSegment = (state: WorkingSet, command: CreateSegment): Verdict => {
  const { announce, description, name, receivedAt: at, rule: source } = command
  const draft = new DecisionDraft(state, command.faults)
  const key = draft.newKey()
  draft.changes.push({ _tag: "SegmentCreated", key, name, description, at })
  if (source !== null) {
    const made = makeRule(state, command, { key, source, announce, before: null }, draft)
    if (Result.isFailure(made)) return rejected([made.failure], ofRules)
    proposeRule(state, command, { key, next: made.success, before: null }, draft)
  }
  return accepted("created", draft.faults, {
    rule: source === null ? byHand : ofRules,
    subject: key,
    data: { segment_id: key, name, ...(source !== null && { rule: source }) },
    changes: draft.changes,
  })
}

/**
 * Changes a segment. A new rule is a new version, which is built beside the one in force. A segment that is resumed is
 * built again, because the people have changed in the meantime.
 */
export const updateSegment = (state: WorkingSet, command: UpdateSegment): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null) return dropped(dropTexts.unknownSegment(), byHand)
  const { description = segment.description, name = segment.name, paused = segment.paused } = command
  const { key } = segment
  const source = command.rule ?? null
  const isPausing = paused !== segment.paused
  if ((source !== null || isPausing) && !hasRule(segment)) {
    return rejected([decisionTexts.segmentByHand("segment_id")], ofRules)
  }
  if (isPausing && paused && ruleStateOf(segment) === "building") {
    return rejected([decisionTexts.ruleBuilding("paused")], ofRules)
  }
  const draft = new DecisionDraft(state, command.faults)
  draft.changes.push({ _tag: "SegmentUpdated", key, name, description, paused: segment.paused || paused })
  const next = nextRuleOf(state, command, segment, draft)
  if (next !== null) {
    if (Result.isFailure(next)) return rejected([next.failure], ofRules)
    if (isBeingAnnounced(state, segment)) {
      return rejected([decisionTexts.ruleAnnounced(source === null ? "paused" : "rule")], ofRules)
    }
    proposeRule(state, command, { key, next: next.success, before: segment }, draft)
  }
  return accepted("applied", draft.faults, {
    rule: hasRule(segment) ? ofRules : byHand,
    subject: key,
    data: {
      segment_id: key,
      name,
      ...(source !== null && { rule: source }),
      ...(isPausing && { paused }),
    },
    changes: draft.changes,
  })
}

/** Returns the rule that a segment gets by a change, or null if it keeps the one it has. */
const nextRuleOf = (
  state: WorkingSet,
  command: UpdateSegment,
  segment: Segment,
  draft: DecisionDraft,
): Result.Result<NextRule, Fault> | null => {
  const { announce, rule: source = null } = command
  const resumes = segment.paused && (command.paused === false || segment.next?.resumes === true)
  if (source !== null) {
    const made = makeRule(state, command, { key: segment.key, source, announce, before: segment }, draft)
    return Result.map(made, (next) => ({ ...next, resumes }))
  }
  const { next, paused, rule } = segment
  const kept = next?.rule ?? rule
  if (!paused || command.paused !== false || kept === null || next?.resumes === true) return null
  return Result.succeed({ rule: { ...kept, members: draft.newKey() }, announce, resumes, build: null })
}

interface GivenRule {
  readonly key: SubjectKey
  readonly source: Json
  readonly announce: boolean
  /** The segment, or null if it is new. */
  readonly before: Segment | null
}

const invalidRule = ({ message, path }: RuleFault): Fault =>
  decisionTexts.invalidRule(`rule${path}`, { message })

/** Returns the next rule of a segment, or a fault if it is not valid. */
const makeRule = (
  state: WorkingSet,
  { receivedAt, workspace }: Envelope,
  { announce, before, key, source }: GivenRule,
  draft: DecisionDraft,
): Result.Result<NextRule, Fault> => {
  const decoded = decodeRule(source)
  if (Result.isFailure(decoded)) {
    return Result.fail(invalidRule(decoded.failure))
  }
  const wrong = checkSegments(decoded.success, before === null ? null : key, {
    rules: rulesOf(state.rules),
    exists: (segment) => state.subjects.get(segment)?._tag === "Segment",
  })
  if (wrong !== undefined) return Result.fail(invalidRule(wrong))
  const room = roomFor(state.rules, leavesOf(decoded.success), before === null)
  if (room !== null) return Result.fail(room)
  const leaves = statesOfLeaves(
    decoded.success,
    state.rules,
    () => draft.newKey(),
    (leaf) => countedFrom(leaf, workspace, receivedAt),
  )
  return Result.succeed({
    rule: {
      version: Math.max(before?.rule?.version ?? 0, before?.next?.rule.version ?? 0) + 1,
      source,
      leaves: leaves.map((leaf) => leaf.key),
      countedFrom: leaves.map((leaf) => leaf.countedFrom),
      members: draft.newKey(),
    },
    announce,
    resumes: false,
    build: null,
  })
}

/** Events are kept as long as the workspace says, and other entries for its days of history. */
const countedFrom = (leaf: Leaf, workspace: Envelope["workspace"], now: EpochMillis): EpochMillis | null => {
  if (!isCounting(leaf)) return null
  return leaf._tag === "Occurred"
    ? retentionStart(workspace.retentionDays, now)
    : retentionStart(daysOfHistory(workspace), now)
}

/** Returns a fault if a workspace cannot have another rule with these leaves. */
const roomFor = (
  { definitions, leafForms }: RuleIndex,
  leaves: ReadonlyArray<Leaf>,
  isNew: boolean,
): Fault | null => {
  if (isNew && definitions.size >= rulesMax) return decisionTexts.tooManyRules("rule", { max: rulesMax })
  const added = new Set(leaves.map(canonicalForm).filter((form) => !leafForms.has(form))).size
  return leafForms.size + added > ruleLeavesTotalMax
    ? decisionTexts.tooManyRuleLeaves("rule", { max: ruleLeavesTotalMax })
    : null
}

/** Deletes a segment and its memberships, unless the rule of another segment names it. */
export const deleteSegment = (state: WorkingSet, command: DeleteSegment): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null) return dropped(dropTexts.unknownSegment(), byHand)
  const { key } = segment
  const user = [...state.rules.definitions.values()].find(({ current, next }) =>
    [current, next].some((version) => version !== null && segmentsIn(version.rule).has(key)),
  )
  if (user !== undefined) {
    return rejected([decisionTexts.segmentInUse("segment_id", { user: user.segment.key })], ofRules)
  }
  const draft = new DecisionDraft(state, command.faults)
  draft.changes.push({ _tag: "SubjectDeleted", key, before: state.nextSequence })
  if (segment.next !== null) startWaiting(state, command, key, draft)
  return accepted("applied", draft.faults, {
    rule: hasRule(segment) ? ofRules : byHand,
    subject: key,
    data: { segment_id: key },
    changes: draft.changes,
  })
}

/** Acts on a person, so that the rules about them are evaluated. Changes nothing else. */
export const followTime = (state: WorkingSet, { faults, person }: FollowTime): Verdict =>
  state.subjects.get(person)?._tag === "Person"
    ? accepted("applied", faults, { rule: ofRules, subject: person })
    : dropped(dropTexts.unknownSvcId(), ofRules)

const findSegment = (state: WorkingSet, { segment }: Pick<ChangeMembership, "segment">): Segment | null => {
  const subject = segment === null ? undefined : state.subjects.get(segment)
  return subject?._tag === "Segment" ? subject : null
}
