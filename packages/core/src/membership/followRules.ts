import type { Change } from "../fold/Change.ts"
import type { SegmentEffect } from "../log/ActivityEntry.ts"
import { evaluateLeaf, type Facts } from "../rule/evaluateLeaf.ts"
import { placesOf, topics, type IndexedLeaf, type LeafGroup } from "../rule/LeafIndex.ts"
import { holdsWith, type BuildingVersion, type IndexedVersion, type RuleIndex } from "../rule/RuleIndex.ts"
import { isCounting } from "../rule/Rule.ts"
import type { Truth } from "../rule/Ring.ts"
import { emptyLeafState, type LeafState, type LeafStates, type Ring } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import type { BuiltPeople } from "../state/RuleBuild.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { nextDue } from "./countOccurrence.ts"
import { ringOf } from "./ringOf.ts"
import { isBuiltBy, isTold, Touched, type TouchedHolder } from "./Touched.ts"

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
      const { entry, holder = entry.subject } = change
      if (holder !== null) {
        touched.noteEntry(entry, holder).forEach(apply)
        const emptied = touched.noteDue(holder, entry.receivedAt)
        if (emptied !== null) apply(emptied)
      }
      const effects = evaluateTouched(state, touched, entry.receivedAt, apply)
      if (touched.crowded.size > 0) {
        for (const started of buildsOfCrowded(state, touched, entry.receivedAt)) apply(started)
      }
      const all = entry.effects.length === 0 ? effects : [...entry.effects, ...effects]
      apply(effects.length === 0 ? change : { ...change, entry: { ...entry, effects: all } })
    } else {
      const following = touched.note(change)
      if (following.length > 0) following.forEach(apply)
      apply(change)
    }
  }
}

/** Yields the changes that start the builds of crowded objects, which come to all people related to them. */
function* buildsOfCrowded(
  state: WorkingSet,
  { crowded }: Touched,
  at: EpochMillis,
): Generator<Change, void, void> {
  const until = state.nextSequence
  for (const [key, isDeleted] of crowded) {
    const subject = state.subjects.get(key)
    const known = subject?._tag === "DataObject" ? subject.settling : null
    const settles = { object: isDeleted ? null : key }
    yield { ...buildOfNoRule, key: known ?? state.nextKey, until, at, settles }
  }
}

const buildOfNoRule = { _tag: "BuildStarted", leaves: [], readings: [], rules: new Map() } as const

/** Evaluates the rules that a command touched, for each person whom it touched. */
const evaluateTouched = (
  state: WorkingSet,
  touched: Touched,
  now: EpochMillis,
  apply: (change: Change) => void,
): ReadonlyArray<SegmentEffect> => {
  if (touched.holders.size === 0) return touched.told
  const effects = touched.told
  const found = new FoundPeople(state.rules)
  const placesFor = placesOfHolders(state.rules)
  for (const key of touched.holders.keys()) {
    const emptied = touched.noteDue(key, now)
    if (emptied !== null) apply(emptied)
  }
  for (const [key, holder] of touched.holders) {
    const subject = state.subjects.get(key)
    if (subject?._tag !== "Person") continue
    const evaluation = new Evaluation(state, subject, now)
    const before = subject.segments
    setDueTimes(evaluation, holder, apply)
    let places = placesFor(holder)
    // Each place stands before those of the rules that name its segment, which are added once the person has entered or left it.
    for (let i = 0; i < places.length; i++) {
      const version = evaluation.flip(places[i] ?? 0)
      if (version === null) continue
      const isIn = evaluation.isIn(version)
      apply({ _tag: isIn ? "SegmentExited" : "SegmentEntered", key, segment: version.members })
      evaluation.refresh()
      // `FoundPeople` notes those to whom a build comes.
      if (isTold(version, evaluation.isBuilt) && !(version._tag === "Building" && holder.isWalked))
        effects.push(effectOf(version, key, isIn ? "left" : "entered"))
      places = withNaming(state.rules, version, places, i)
    }
    if (holder.isWalked) found.note(evaluation, before, effects)
  }
  if (found.build !== null && found.people.size > 0) {
    apply({ _tag: "PeopleFound", key: found.build, found: found.people })
  }
  return effects
}

/**
 * Returns a function that returns the places of the rules to evaluate for somebody, each after those of the segments that it
 * names. Those whom a build comes to share their groups, so their places are found once.
 */
const placesOfHolders = (rules: RuleIndex): ((holder: TouchedHolder) => ReadonlyArray<number>) => {
  let last: { readonly groups: ReadonlySet<LeafGroup>; readonly places: ReadonlyArray<number> } | null = null
  return ({ groups, isNew }) => {
    if (!isNew && last?.groups === groups) return last.places
    const known = new Set(isNew ? rules.decidedForAll : [])
    for (const { leaves } of groups) {
      for (const { segments } of leaves) for (const place of segments) known.add(place)
    }
    const places = [...known].toSorted((a, b) => a - b)
    if (!isNew) last = { groups, places }
    return places
  }
}

/** Adds the rules that name a version to the places after a given one, because somebody has entered or left it. */
const withNaming = (
  { leaves }: RuleIndex,
  { members }: IndexedVersion,
  places: ReadonlyArray<number>,
  from: number,
): ReadonlyArray<number> => {
  const named = leaves.byTopic.get(topics.segment(members))
  if (named === undefined) return places
  const added = new Set([...places.slice(from + 1), ...named.flatMap(placesOf)])
  for (const done of places.slice(0, from + 1)) added.delete(done)
  return [...places.slice(0, from + 1), ...[...added].toSorted((a, b) => a - b)]
}

const effectOf = (
  { key, version }: IndexedVersion,
  subject: SubjectKey,
  change: SegmentEffect["change"],
): SegmentEffect => ({ subject, segment: key, version, change })

/** The people whom a build found in one version of a segment only, the next one or that in force. */
class FoundPeople {
  readonly build: SubjectKey | null
  readonly people = new Map<SubjectKey, BuiltPeople>()
  private readonly versions: ReadonlyArray<BuildingVersion>

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

const noRing: Ring = []

/** Evaluates rules for one person at one time. */
class Evaluation {
  readonly key: SubjectKey
  readonly now: EpochMillis
  private readonly state: WorkingSet
  private readonly rules: RuleIndex
  /** Whether the build under way, if any, has passed the person. */
  readonly isBuilt: boolean
  private readonly truths = new Map<IndexedLeaf, Truth>()
  /** Rings stay the same while rules are evaluated. */
  private readonly leafStates: LeafStates | undefined
  private facts: Facts

  constructor(state: WorkingSet, person: Person, now: EpochMillis) {
    this.state = state
    this.rules = state.rules
    this.key = person.key
    this.now = now
    this.facts = { person, now, subjects: state.subjects }
    this.leafStates = state.leafStates.get(person.key)
    this.isBuilt = isBuiltBy(state, person.key)
  }

  /** Takes in that the person has entered or left a segment. */
  refresh(): void {
    const person = this.state.subjects.get(this.key)
    if (person?._tag === "Person") this.facts = { ...this.facts, person }
  }

  /** What is stored about a leaf and the person, without what is counted apart. */
  stateOf({ key }: LeafGroup): LeafState {
    return this.leafStates?.get(key) ?? emptyLeafState
  }

  truthOf(indexed: IndexedLeaf): Truth {
    const known = this.truths.get(indexed)
    if (known !== undefined) return known
    const ring = isCounting(indexed.leaf) ? ringOf(this.state.leafStates, this.person, indexed.group) : noRing
    const truth = evaluateLeaf(indexed.leaf, this.facts, ring)
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

  isIn({ members }: IndexedVersion): boolean {
    return this.person.segments.includes(members)
  }

  /** Returns a version of a rule if the person must enter or leave it, otherwise null. */
  flip(place: number): IndexedVersion | null {
    const version = this.rules.segments[place]
    if (version === undefined || version._tag === "Frozen") return null
    if (version._tag === "Building" && !this.isBuilt) return null
    const holds = holdsWith(version.node, (leaf) => this.truthOf(leaf).holds)
    return holds === this.isIn(version) ? null : version
  }

  get person(): Person {
    return this.facts.person
  }
}

/** Sets the times at which leaves are to be evaluated without any request. */
const setDueTimes = (
  evaluation: Evaluation,
  { groups }: TouchedHolder,
  apply: (change: Change) => void,
): void => {
  let states: Map<SubjectKey, LeafState> | undefined
  for (const group of groups) {
    const before = evaluation.stateOf(group)
    const due = nextDue(before.due, evaluation.timeOf(group), evaluation.now)
    if (due !== before.due) (states ??= new Map()).set(group.key, { ring: before.ring, due })
  }
  if (states !== undefined) apply({ _tag: "LeafStatesSet", key: evaluation.key, states })
}
