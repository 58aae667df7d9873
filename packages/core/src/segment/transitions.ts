import { Result } from "effect"
import { valueOf } from "../state/Attributes.ts"
import type { ChangeMembership, CreateSegment, DeleteSegment, FollowTime } from "./commands.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { withKeptCall } from "../decision/keptCall.ts"
import { dropped, accepted, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Segment } from "../state/Segment.ts"
import type { Fault } from "../log/Outcome.ts"
import { checkSegments } from "../rule/checkSegments.ts"
import { decodeRule } from "../rule/decodeRule.ts"
import { chosenByHand, rulesOf } from "../rule/definitions.ts"
import { segmentsIn } from "../rule/Rule.ts"
import { rulesMax, ruleLeavesTotalMax } from "../rule/ruleBounds.ts"
import { keysOfLeaves, type RuleIndex } from "../rule/RuleIndex.ts"
import type { Json } from "../values/Json.ts"
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
  if (segment === null || segment.rule !== null) {
    const refusal = segment === null ? rejected([notFound], rule) : rejected([decidedByRule], ofRules)
    return withKeptCall(state, command, refusal, command.people)
  }
  const draft = new DecisionDraft(state, command.faults)
  const handled = new Set<SubjectKey>()
  let applied = 0
  for (const reference of command.people) {
    const found = resolvePerson(state, reference)
    if (found._tag !== "KnownPerson") continue
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
  return accepted("applied", draft.faults, {
    rule,
    subject: segment.key,
    data: {
      segment_id: segment.key,
      ids_applied: applied,
      ids_ignored: command.people.length - applied,
    },
    changes: draft.changes,
  })
}

/**
 * Returns whether a person has an `id`. In a workspace that does not identify people by id, `id` is an ordinary
 * attribute.
 */
const hasId = ({ workspace }: ChangeMembership, { attributes, id }: Person): boolean =>
  id !== null || (!workspace.identifiers.id && valueOf(attributes, "id") !== null)

/** Creates an empty segment. Its rule, if it has one, decides from now on who enters it. */
export const createSegment = (state: WorkingSet, command: CreateSegment): Verdict => {
  const { description, name, receivedAt: at, rule: source } = command
  const draft = new DecisionDraft(state, command.faults)
  const key = draft.newKey()
  draft.changes.push({ _tag: "SegmentCreated", key, name, description, at })
  if (source !== null) {
    const fault = assignRule(state, { key, source, version: 1, own: null }, draft)
    if (fault !== null) return rejected([fault], ofRules)
  }
  return accepted("created", draft.faults, {
    rule: source === null ? byHand : ofRules,
    subject: key,
    data: { segment_id: key, name, ...(source !== null && { rule: source }) },
    changes: draft.changes,
  })
}

/** Gives a segment a rule. Returns a fault if the rule is not valid. `own` is the segment, or null if it is new. */
const assignRule = (
  state: WorkingSet,
  { key, own, source, version }: { key: SubjectKey; own: SubjectKey | null; source: Json; version: number },
  draft: DecisionDraft,
): Fault | null => {
  const decoded = decodeRule(source)
  if (Result.isFailure(decoded))
    return decisionTexts.invalidRule(`rule${decoded.failure.path}`, decoded.failure)
  const wrong = checkSegments(decoded.success, own, {
    rules: rulesOf(state.rules),
    exists: (segment) => state.subjects.get(segment)?._tag === "Segment",
  })
  if (wrong !== undefined) return decisionTexts.invalidRule(`rule${wrong.path}`, wrong)
  const leaves = keysOfLeaves(decoded.success, state.rules, () => draft.newKey())
  const room = roomFor(state.rules, leaves)
  if (room !== null) return room
  draft.changes.push({ _tag: "RuleAssigned", key, rule: { version, source, leaves } })
  return null
}

/** Returns a fault if a workspace cannot have another rule with these leaves. */
const roomFor = (
  { definitions, leaves: known }: RuleIndex,
  leaves: ReadonlyArray<SubjectKey>,
): Fault | null => {
  if (definitions.size >= rulesMax) return decisionTexts.tooManyRules("rule", { max: rulesMax })
  const added = new Set(leaves.filter((leaf) => !known.has(leaf))).size
  return known.size + added > ruleLeavesTotalMax
    ? decisionTexts.tooManyRuleLeaves("rule", { max: ruleLeavesTotalMax })
    : null
}

/** Deletes a segment and its memberships, unless the rule of another segment names it. */
export const deleteSegment = (state: WorkingSet, command: DeleteSegment): Verdict => {
  const segment = findSegment(state, command)
  if (segment === null) return dropped(dropTexts.unknownSegment(), byHand)
  const { key } = segment
  const user = [...state.rules.definitions.values()].find(({ rule }) => segmentsIn(rule).has(key))
  if (user !== undefined) {
    return rejected([decisionTexts.segmentInUse("segment_id", { user: user.segment })], ofRules)
  }
  return accepted("applied", command.faults, {
    rule: segment.rule === null ? byHand : ofRules,
    subject: key,
    data: { segment_id: key },
    changes: [{ _tag: "SubjectDeleted", key, before: state.nextSequence }],
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
