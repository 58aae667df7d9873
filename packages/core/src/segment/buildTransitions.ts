import type { Change } from "../fold/Change.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { accepted, dropped, type Verdict } from "../decision/Verdict.ts"
import { dropTexts } from "../log/operationTexts.ts"
import { withSegments } from "../rule/definitions.ts"
import { insert, insertForVisitor } from "../rule/Ring.ts"
import type { RuleIndex } from "../rule/RuleIndex.ts"
import { emptyLeafState, type Counted, type LeafState, type Ring } from "../state/LeafState.ts"
import { isBuilt, type RuleBuild } from "../state/RuleBuild.ts"
import type { NextRule } from "../state/Segment.ts"
import { countsApart } from "../state/Person.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { FinishBuild, FoundOccurrence, ReadHistory, WalkPeople } from "./commands.ts"
import { builtSegments } from "./builtSegments.ts"
import { joinedBy, nextRules, startBuild } from "./startBuild.ts"

const ofRules = "contract §12 segments by rule"

/** Adds what a build found in a part of the log to the states of leaves. */
export const readHistory = (state: WorkingSet, command: ReadHistory): Verdict => {
  const { ended, to } = command
  const build = buildAt(state, command)
  const isNext = build?.readingsDone === command.reading && build.readTo === command.from
  if (!isNext || build.peopleBefore !== null) return dropped(dropTexts.noSuchBuild(), ofRules)
  const again = beganAgain(state, build, command)
  if (again !== null) return again
  return accepted("applied", command.faults, {
    rule: ofRules,
    subject: onlyKey(segmentsBuilt(state, build)),
    changes: [...statesWith(state, command.found), { _tag: "HistoryRead", key: build.key, ended, to }],
  })
}

/** Evaluates the rules of a build for some people. `followRules` does so for the people in the change. */
export const walkPeople = (state: WorkingSet, command: WalkPeople): Verdict => {
  const { from, people, to } = command
  const build = buildAt(state, command)
  const isNext = build !== null && build.peopleBefore !== null && build.walkedTo === from
  if (!isNext) return dropped(dropTexts.noSuchBuild(), ofRules)
  const again = beganAgain(state, build, command)
  if (again !== null) return again
  return accepted("applied", command.faults, {
    rule: ofRules,
    subject: onlyKey(segmentsBuilt(state, build)),
    changes: [{ _tag: "PeopleWalked", key: build.key, to, people }],
  })
}

/** Begins a build again if rules join it. The time of its first start stays, so that it soon goes on, however many come. */
const beganAgain = (
  state: WorkingSet,
  build: RuleBuild,
  { faults, receivedAt }: ReadHistory | WalkPeople,
): Verdict | null => {
  const rules = joinedBy(state, build, receivedAt)
  if (rules === null) return null
  const draft = new DecisionDraft(state, faults)
  startBuild(state, state.rules, build.startedAt, rules, draft)
  return accepted("applied", draft.faults, { rule: ofRules, subject: null, changes: draft.changes })
}

/** Lets built rules take effect, and begins to build those that waited in the meantime. */
export const finishBuild = (state: WorkingSet, command: FinishBuild): Verdict => {
  const build = state.subjects.get(command.build)
  if (build?._tag !== "RuleBuild" || !isBuilt(build)) return dropped(dropTexts.noSuchBuild(), ofRules)
  const { found, key } = build
  const draft = new DecisionDraft(state, command.faults)
  const { nextSequence: before } = state
  draft.changes.push({ _tag: "BuildFinished", key, at: command.receivedAt, before })
  if (build.settles !== null) {
    return accepted("applied", draft.faults, { rule: ofRules, subject: null, changes: draft.changes })
  }
  const after = withSegments(
    state.rules,
    builtSegments(state.rules, key, { at: command.receivedAt, position: before }),
  )
  const waiting = nextRules(after)
  if (waiting.size > 0) startBuild(state, after, command.receivedAt, waiting, draft)
  const built = segmentsBuilt(state, build)
  return accepted("applied", draft.faults, {
    rule: ofRules,
    subject: onlyKey(built),
    data: {
      segments: built.map(([segment, { rule }]) => ({
        segment_id: segment,
        version: rule.version,
        entered: found.get(segment)?.entered ?? 0,
        left: found.get(segment)?.left ?? 0,
      })),
    },
    changes: draft.changes,
  })
}

type BuiltSegments = ReadonlyArray<readonly [segment: SubjectKey, next: NextRule]>

const segmentsBuilt = ({ rules }: WorkingSet, { key }: RuleBuild): BuiltSegments =>
  [...nextRules(rules)].filter(([, next]) => next.build === key)

/** Returns the segment that an entry about a build is about, or null if the build is of several segments or of none. */
const onlyKey = ([only, another]: BuiltSegments): SubjectKey | null =>
  only === undefined || another !== undefined ? null : only[0]

const buildAt = (
  state: WorkingSet,
  { build: key, until }: Pick<ReadHistory, "build" | "until">,
): RuleBuild | null => {
  const build = state.subjects.get(key)
  return build?._tag === "RuleBuild" && build.until === until ? build : null
}

/** Returns the changes that add occurrences to the states of leaves, each at most once. */
const statesWith = (state: WorkingSet, found: ReadonlyArray<FoundOccurrence>): ReadonlyArray<Change> => {
  const changed = new Map<SubjectKey, Map<SubjectKey, LeafState>>()
  for (const { counted, leaf, subject } of found) {
    const counter = counterOf(state, subject, counted)
    if (counter === null) continue
    const { key } = counter
    const states = changed.get(key) ?? new Map<SubjectKey, LeafState>()
    const before = states.get(leaf) ?? state.leafStates.get(key)?.get(leaf) ?? emptyLeafState
    const ring = withFound(state.rules, counter, leaf, before.ring, counted)
    if (ring === before.ring) continue
    states.set(leaf, { due: before.due, ring })
    changed.set(key, states)
  }
  return Array.from(changed, ([key, states]) => ({ _tag: "LeafStatesSet", key, states }))
}

/** Under which key something is counted that somebody did. */
interface Counter {
  readonly key: SubjectKey
  readonly isVisitor: boolean
}

/**
 * Returns under which key an occurrence is counted. What somebody did who belongs to a person by now is counted with the
 * person, or apart if that may go back.
 */
const counterOf = ({ subjects }: WorkingSet, key: SubjectKey, counted: Counted): Counter | null => {
  const subject = subjects.get(key)
  if (subject?._tag === "Person" || subject?._tag === "Visitor") {
    return { key, isVisitor: subject._tag === "Visitor" }
  }
  if (subject?._tag !== "Attached" || counted.receivedAt < subject.since) return null
  const owner = subjects.get(subject.owner)
  const attachment = owner?._tag === "Person" ? owner.attached.find((one) => one.key === key) : undefined
  if (attachment === undefined) return null
  return { key: countsApart(attachment) ? key : subject.owner, isVisitor: false }
}

const withFound = (
  { leaves }: RuleIndex,
  { isVisitor }: Counter,
  key: SubjectKey,
  ring: Ring,
  counted: Counted,
): Ring => {
  const needed = leaves.groups.get(key)?.needed ?? 0
  if (needed === 0) return ring
  if (ring.some(({ position }) => position === counted.position)) return ring
  const add = isVisitor ? insertForVisitor : insert
  return add(ring, counted, needed)
}
