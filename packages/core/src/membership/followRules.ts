import type { Change } from "../Change.ts"
import type { SegmentEffect } from "../log/ActivityEntry.ts"
import { evaluateLeaf } from "../rule/evaluateLeaf.ts"
import { holdsWith, topics, type IndexedLeaf, type RuleIndex } from "../rule/RuleIndex.ts"
import type { Truth } from "../rule/Ring.ts"
import { emptyLeafState, type LeafState } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import { evolve } from "../Transition.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { Touched, type TouchedHolder } from "./Touched.ts"

/**
 * Applies the changes of a decided command, and what the workspace's rules make of them: people enter and leave segments,
 * and the entry of the command says so. Returns all changes. The last one records the command, as in `decided`.
 */
export const followRules = (state: WorkingSet, decided: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const made: Array<Change> = []
  const apply = (change: Change): void => {
    evolve(state, change)
    made.push(change)
  }
  const touched = new Touched(state)
  for (const change of decided) {
    if (change._tag === "OperationRecorded") {
      const { entry } = change
      for (const following of touched.noteEntry(entry)) apply(following)
      if (entry.subject !== null) {
        for (const following of touched.noteDue(entry.subject, entry.receivedAt)) apply(following)
      }
      const effects = settle(state, touched, entry.receivedAt, apply)
      apply(effects.length === 0 ? change : { ...change, entry: { ...entry, effects } })
    } else {
      for (const following of touched.note(change)) apply(following)
      apply(change)
    }
  }
  return made
}

/** Evaluates the rules that a command touched, for each person whom it touched. */
const settle = (
  state: WorkingSet,
  touched: Touched,
  now: EpochMillis,
  apply: (change: Change) => void,
): ReadonlyArray<SegmentEffect> => {
  const effects: Array<SegmentEffect> = []
  for (const key of touched.holders.keys()) {
    for (const following of touched.noteDue(key, now)) apply(following)
  }
  for (const [key, holder] of touched.holders) {
    const subject = state.subjects.get(key)
    if (subject?._tag !== "Person") continue
    const evaluation = new Evaluation(state, state.rules, key, now)
    setDueTimes(evaluation, holder, apply)
    for (const place of evaluation.places(holder)) {
      const effect = evaluation.flip(place)
      if (effect === null) continue
      const { change, segment } = effect
      apply({ _tag: change === "entered" ? "SegmentEntered" : "SegmentExited", key, segment })
      effects.push(effect)
    }
  }
  return effects
}

/** Evaluates rules for one person at one time. */
class Evaluation {
  readonly key: SubjectKey
  readonly now: EpochMillis
  private readonly state: WorkingSet
  private readonly rules: RuleIndex
  private readonly truths = new Map<IndexedLeaf, Truth>()

  constructor(state: WorkingSet, rules: RuleIndex, key: SubjectKey, now: EpochMillis) {
    this.state = state
    this.rules = rules
    this.key = key
    this.now = now
  }

  leafState(leaf: IndexedLeaf): LeafState {
    return this.state.leafStates.get(this.key)?.get(leaf.key) ?? emptyLeafState
  }

  truthOf(indexed: IndexedLeaf): Truth {
    const known = this.truths.get(indexed)
    if (known !== undefined) return known
    const { now, state } = this
    const facts = { person: this.person, now, subjects: state.subjects }
    const truth = evaluateLeaf(indexed.leaf, facts, this.leafState(indexed).ring)
    // Membership changes while the rules are evaluated.
    if (indexed.leaf._tag !== "InSegment") this.truths.set(indexed, truth)
    return truth
  }

  /**
   * Returns the places of the rules to evaluate, each after those of the segments that it names. Continues with the rules
   * that name a segment as soon as the person has entered or left it.
   */
  *places({ isNew, leaves }: TouchedHolder): Generator<number, void, void> {
    const waiting = new Set(isNew ? this.rules.joinedByAll : [])
    for (const { segments } of leaves) for (const place of segments) waiting.add(place)
    while (waiting.size > 0) {
      const place = Math.min(...waiting)
      waiting.delete(place)
      const before = this.person.segments
      yield place
      const segment = this.rules.segments[place]
      if (segment === undefined || this.person.segments === before) continue
      for (const named of this.rules.byTopic.get(topics.segment(segment.key)) ?? []) {
        for (const user of named.segments) waiting.add(user)
      }
    }
  }

  /** Returns the effect of a rule on the person, or null if it has none. */
  flip(place: number): SegmentEffect | null {
    const segment = this.rules.segments[place]
    if (segment === undefined) return null
    const holds = holdsWith(segment.node, (leaf) => this.truthOf(leaf).holds)
    if (holds === this.person.segments.includes(segment.key)) return null
    return {
      subject: this.key,
      segment: segment.key,
      version: segment.version,
      change: holds ? "entered" : "left",
    }
  }

  private get person(): Person {
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
  { leaves }: TouchedHolder,
  apply: (change: Change) => void,
): void => {
  const states = new Map<SubjectKey, LeafState>()
  for (const leaf of leaves) {
    const { flipsAt } = evaluation.truthOf(leaf)
    const before = evaluation.leafState(leaf)
    const due = nextDue(before.due, flipsAt, evaluation.now)
    if (due !== before.due) states.set(leaf.key, { ...before, due })
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
