import type { Change } from "../Change.ts"
import type { SegmentEffect } from "../log/ActivityEntry.ts"
import { evaluateLeaf } from "../rule/evaluateLeaf.ts"
import { placesOf, topics, type IndexedLeaf, type LeafGroup } from "../rule/LeafIndex.ts"
import { holdsWith, type IndexedSegment, type RuleIndex } from "../rule/RuleIndex.ts"
import type { Truth } from "../rule/Ring.ts"
import { emptyLeafState, type LeafState } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import { isBuiltFor, type BuiltPeople, type RuleBuild } from "../state/RuleBuild.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { Touched, type TouchedHolder } from "./Touched.ts"

/**
 * Applies the changes of a decided command with `apply`, and what the workspace's rules make of them: people enter and
 * leave segments, and the entry of the command says so. The last change records the command, as in `decided`.
 */
export const followRules = (
  state: WorkingSet,
  decided: ReadonlyArray<Change>,
  apply: (change: Change) => void,
): void => {
  const touched = new Touched(state)
  for (const change of decided) {
    if (change._tag === "OperationRecorded") {
      const { entry } = change
      for (const following of touched.noteEntry(entry)) apply(following)
      if (entry.subject !== null) {
        for (const following of touched.noteDue(entry.subject, entry.receivedAt)) apply(following)
      }
      const effects = settle(state, touched, entry.receivedAt, apply)
      for (const settling of settlingOf(state, touched, entry.receivedAt)) apply(settling)
      apply(effects.length === 0 ? change : { ...change, entry: { ...entry, effects } })
    } else {
      for (const following of touched.note(change)) apply(following)
      apply(change)
    }
  }
}

/** Yields the changes that begin to settle crowded objects. */
function* settlingOf(
  state: WorkingSet,
  { crowded }: Touched,
  at: EpochMillis,
): Generator<Change, void, void> {
  const until = state.nextSequence
  for (const [key, isDeleted] of crowded) {
    const subject = state.subjects.get(key)
    const known = subject?._tag === "DataObject" ? subject.settling : null
    const settles = { object: isDeleted ? null : key }
    yield { ...settling, key: known ?? state.nextKey, until, at, settles }
  }
}

const settling = { _tag: "BuildStarted", leaves: [], readings: [], rules: new Map() } as const

/** Evaluates the rules that a command touched, for each person whom it touched. */
const settle = (
  state: WorkingSet,
  touched: Touched,
  now: EpochMillis,
  apply: (change: Change) => void,
): ReadonlyArray<SegmentEffect> => {
  const effects: Array<SegmentEffect> = []
  const found = new FoundPeople(state.rules)
  for (const key of touched.holders.keys()) {
    for (const following of touched.noteDue(key, now)) apply(following)
  }
  for (const [key, holder] of touched.holders) {
    const subject = state.subjects.get(key)
    if (subject?._tag !== "Person") continue
    const evaluation = new Evaluation(state, state.rules, key, now)
    const before = evaluation.person.segments
    setDueTimes(evaluation, holder, apply)
    for (const place of evaluation.places(holder)) {
      const version = evaluation.flip(place)
      if (version === null) continue
      const isIn = evaluation.isIn(version)
      apply({ _tag: isIn ? "SegmentExited" : "SegmentEntered", key, segment: version.members })
      if (isRecorded(version, evaluation, holder))
        effects.push(effectOf(version, key, isIn ? "left" : "entered"))
    }
    if (holder.isWalked) found.note(evaluation, before, effects)
  }
  if (found.build !== null && found.people.size > 0) {
    apply({ _tag: "PeopleFound", key: found.build, found: found.people })
  }
  return effects
}

/**
 * Returns whether the entry records that somebody enters or leaves a version. Of two versions of a segment, entries record one
 * about each person, so that everybody enters and leaves in turns.
 */
const isRecorded = (
  { announces, isAnnouncedByNext, isNext, replaces }: IndexedSegment,
  evaluation: Evaluation,
  { isWalked }: TouchedHolder,
): boolean =>
  isNext ? !isWalked && (announces || replaces === null) : !(isAnnouncedByNext && evaluation.isBuilt)

const effectOf = (
  { key, version }: IndexedSegment,
  subject: SubjectKey,
  change: SegmentEffect["change"],
): SegmentEffect => ({ subject, segment: key, version, change })

/** The people whom a build found in one version of a segment only, the next one or that in force. */
class FoundPeople {
  readonly build: SubjectKey | null
  readonly people = new Map<SubjectKey, BuiltPeople>()
  private readonly versions: ReadonlyArray<IndexedSegment>

  constructor({ build, built }: RuleIndex) {
    this.build = build
    this.versions = built
  }

  /** Notes a person whom a build has come to, who was in the segments `before` when the command began. */
  note(evaluation: Evaluation, before: Person["segments"], effects: Array<SegmentEffect>): void {
    for (const version of this.versions) {
      const isIn = evaluation.isIn(version)
      // Entries record what the version in force does about this person, or what this version does.
      const told = version.announces ? before : evaluation.person.segments
      const wasIn = version.replaces !== null && told.includes(version.replaces)
      if (isIn === wasIn) continue
      const { entered, left } = this.people.get(version.key) ?? { entered: 0, left: 0 }
      this.people.set(version.key, { entered: entered + Number(isIn), left: left + Number(wasIn) })
      if (version.announces) effects.push(effectOf(version, evaluation.key, isIn ? "entered" : "left"))
    }
  }
}

/** Evaluates rules for one person at one time. */
class Evaluation {
  readonly key: SubjectKey
  readonly now: EpochMillis
  private readonly state: WorkingSet
  private readonly rules: RuleIndex
  private readonly build: RuleBuild | null
  private readonly truths = new Map<IndexedLeaf, Truth>()

  constructor(state: WorkingSet, rules: RuleIndex, key: SubjectKey, now: EpochMillis) {
    this.state = state
    this.rules = rules
    this.key = key
    this.now = now
    const build = rules.build === null ? undefined : state.subjects.get(rules.build)
    this.build = build?._tag === "RuleBuild" ? build : null
  }

  stateOf({ key }: LeafGroup): LeafState {
    return this.state.leafStates.get(this.key)?.get(key) ?? emptyLeafState
  }

  truthOf(indexed: IndexedLeaf): Truth {
    const known = this.truths.get(indexed)
    if (known !== undefined) return known
    const { now, state } = this
    const facts = { person: this.person, now, subjects: state.subjects }
    const truth = evaluateLeaf(indexed.leaf, facts, this.stateOf(indexed.group).ring)
    // Membership changes while the rules are evaluated.
    if (indexed.leaf._tag !== "InSegment") this.truths.set(indexed, truth)
    return truth
  }

  /** Returns the next time at which one of the leaves changes without any request, or null. */
  timeOf({ leaves }: LeafGroup): EpochMillis | null {
    let next: EpochMillis | null = null
    for (const leaf of leaves) {
      const { flipsAt } = this.truthOf(leaf)
      if (flipsAt !== null && (next === null || flipsAt < next)) next = flipsAt
    }
    return next
  }

  /**
   * Returns the places of the rules to evaluate, each after those of the segments that it names. Continues with the rules
   * that name a segment as soon as the person has entered or left it.
   */
  *places({ groups, isNew }: TouchedHolder): Generator<number, void, void> {
    const known = new Set(isNew ? this.rules.joinedByAll : [])
    for (const { leaves } of groups) {
      for (const { segments } of leaves) for (const place of segments) known.add(place)
    }
    const waiting = [...known].toSorted((a, b) => a - b)
    for (const [i, place] of waiting.entries()) {
      const before = this.person.segments
      yield place
      const segment = this.rules.segments[place]
      if (segment === undefined || this.person.segments === before) continue
      for (const named of this.rules.leaves.byTopic.get(topics.segment(segment.members)) ?? []) {
        for (const user of placesOf(named)) {
          if (known.has(user)) continue
          known.add(user)
          const next = waiting.findIndex((other, at) => at > i && other > user)
          waiting.splice(next < 0 ? waiting.length : next, 0, user)
        }
      }
    }
  }

  isIn({ members }: IndexedSegment): boolean {
    return this.person.segments.includes(members)
  }

  /** Returns a version of a rule if the person must enter or leave it, otherwise null. */
  flip(place: number): IndexedSegment | null {
    const version = this.rules.segments[place]
    if (version === undefined || version.isFrozen) return null
    if (version.isNext && !this.isBuilt) return null
    const holds = holdsWith(version.node, (leaf) => this.truthOf(leaf).holds)
    return holds === this.isIn(version) ? null : version
  }

  /** Whether the build under way, if any, has passed the person. */
  get isBuilt(): boolean {
    return this.build !== null && isBuiltFor(this.build, this.key)
  }

  get person(): Person {
    const subject = this.state.subjects.get(this.key)
    if (subject?._tag !== "Person") throw new TypeError(`subject ${this.key} is no person`)
    return subject
  }
}

/**
 * Sets the times at which leaves are to be evaluated without any request. A time that is already set and comes before
 * the right one stays, so that a person who is always busy costs one write for each window instead of one for each event.
 */
const setDueTimes = (
  evaluation: Evaluation,
  { groups }: TouchedHolder,
  apply: (change: Change) => void,
): void => {
  const states = new Map<SubjectKey, LeafState>()
  for (const group of groups) {
    const before = evaluation.stateOf(group)
    const due = nextDue(before.due, evaluation.timeOf(group), evaluation.now)
    if (due !== before.due) states.set(group.key, { ...before, due })
  }
  if (states.size > 0) apply({ _tag: "LeafStatesSet", key: evaluation.key, states })
}

const nextDue = (
  due: EpochMillis | null,
  flipsAt: EpochMillis | null,
  now: EpochMillis,
): EpochMillis | null => {
  if (due === null || due <= now) return flipsAt
  return flipsAt === null ? due : Math.min(due, flipsAt)
}
