import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { emptyLeafState, type LeafState, type Ring } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import type { Subject } from "../state/Subject.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { countedIn, counts, occurrenceIn } from "./Occurrence.ts"
import { Moment, placed, type Placed } from "./Moment.ts"
import { personBefore } from "./personBefore.ts"
import { insert } from "./Ring.ts"
import { isCounting, leavesOf, type Leaf, type Rule, type Window } from "./Rule.ts"
import { compile, noRules, statesOfLeaves, type Definition, type RuleIndex } from "./RuleIndex.ts"

/** A person, the objects they are related to, and their entries of the log, newest first. */
export interface Tried {
  readonly person: Person
  readonly subjects: ReadonlyMap<SubjectKey, Subject>
  readonly entries: ReadonlyArray<ActivityEntry>
}

/** A person who would have entered or left. */
export interface Crossing {
  readonly at: EpochMillis
  readonly change: "entered" | "left"
}

/** The times from which and up to which a rule is tried. */
export interface Period {
  readonly from: EpochMillis
  readonly to: EpochMillis
}

/** The largest number of times in a period at which time alone can change a leaf. A test looks at no more. */
const flipsMax = 10_000

/** Tries a rule that no segment has, on what is known about people. */
export class RuleTrial {
  /** Whether a leaf counts what happened, so that the log decides. */
  readonly readsLog: boolean
  /** Whether a leaf is about the objects that people are related to. */
  readonly readsObjects: boolean
  /** The leaves that a replay judges by the present, because the log does not tell their past. */
  readonly judgedByPresent: ReadonlyArray<Leaf>
  private readonly windows: ReadonlyArray<Window>
  private readonly rule: Placed
  private readonly index: RuleIndex

  constructor(rule: Rule) {
    const leaves = leavesOf(rule)
    let used = 1
    const newKey = () => SubjectKey.make(++used)
    const keys = statesOfLeaves(rule, noRules, newKey, () => null).map(({ key }) => key)
    this.index = compile([definitionOf(rule, keys)])
    this.rule = placed({ rule, leaves: keys })
    this.readsLog = leaves.some(isCounting)
    this.readsObjects = leaves.some(({ _tag }) => _tag === "Related")
    this.judgedByPresent = leaves.filter(
      (leaf) =>
        leaf._tag === "HasDevice" ||
        leaf._tag === "Related" ||
        leaf._tag === "InSegment" ||
        (leaf._tag === "HasIdentifier" && leaf.kind === "anonymous_id"),
    )
    this.windows = leaves.filter(isCounting).map(({ window }) => window)
  }

  /** Returns the receipt time before which nothing can matter from the time `now` on. */
  since(now: EpochMillis): EpochMillis {
    return Math.min(now, ...this.windows.map((window) => beginningOf(window, now)))
  }

  /** Returns whether the rule holds for a person. */
  holds({ entries, person, subjects }: Tried, now: EpochMillis): boolean {
    const rings = new Rings(this.index, person)
    for (const entry of entries) rings.add(entry)
    return this.momentOf({ person, subjects }, rings, now).holds(this.rule)
  }

  /**
   * Returns when a person would have entered and left in a period, and whether they would be in at its end. Attributes
   * are set back with the changes that the entries record.
   */
  replay(
    tried: Tried,
    { from, to }: Period,
  ): { readonly crossings: ReadonlyArray<Crossing>; readonly isIn: boolean } {
    const { subjects } = tried
    const steps = stepsIn(tried, from)
    const rings = new Rings(this.index, tried.person)
    for (const entry of steps.earlier) rings.add(entry)
    const crossings: Array<Crossing> = []
    const begin = Math.max(from, tried.person.createdAt)
    let { person } = steps
    let moment = this.momentOf({ person, subjects }, rings, begin)
    let isIn = begin === from && moment.holds(this.rule)
    const settle = (): void => {
      const holds = moment.holds(this.rule)
      if (holds === isIn) return
      isIn = holds
      crossings.push({ at: moment.now, change: holds ? "entered" : "left" })
    }
    const passTo = (until: EpochMillis): void => {
      for (let flips = 0; moment.next !== null && moment.next <= until && flips < flipsMax; flips++) {
        moment = this.momentOf({ person, subjects }, rings, moment.next)
        settle()
      }
    }
    for (const { after, entry, time } of steps.made) {
      const at = Math.max(begin, time)
      passTo(at)
      person = after
      rings.add(entry)
      moment = this.momentOf({ person, subjects }, rings, at)
      settle()
    }
    if (steps.made.length === 0) settle()
    passTo(to)
    return { crossings, isIn }
  }

  private momentOf(facts: Pick<Tried, "person" | "subjects">, rings: Rings, now: EpochMillis): Moment {
    return new Moment({ ...facts, now, leafStates: rings.states, rules: noRules }, now, this.rule)
  }
}

/** Returns the rule as that of a segment in which nobody is. */
const definitionOf = (rule: Rule, leaves: ReadonlyArray<SubjectKey>): Definition => {
  const key = SubjectKey.make(1)
  const stored = { version: 1, source: null, leaves, countedFrom: [], members: key }
  const others = { name: "tried", description: null, silentBuild: null, createdAt: 0 }
  const workspace = WorkspaceId.make(1)
  return {
    segment: { _tag: "Segment", key, workspace, ...others, rule: stored, next: null, paused: false },
    current: { stored, rule },
    next: null,
  }
}

const beginningOf = (window: Window, now: EpochMillis): EpochMillis => {
  switch (window._tag) {
    case "AllTime":
      return 0
    case "Within":
      return now - window.ms
    case "Between":
      return window.from
  }
}

/** An entry in a period, the time at which it concerned the person, and the person after it. */
interface Step {
  readonly entry: ActivityEntry
  readonly time: EpochMillis
  readonly after: Person
}

/** Returns a person at the beginning of a period, the entries before it, and the entries in it, oldest first. */
const stepsIn = (
  { entries, person }: Tried,
  from: EpochMillis,
): {
  readonly person: Person
  readonly earlier: ReadonlyArray<ActivityEntry>
  readonly made: ReadonlyArray<Step>
} => {
  const earlier: Array<ActivityEntry> = []
  const made: Array<Step> = []
  let before = person
  for (const entry of entries) {
    const time = concernedAt(person, entry)
    if (time === null) continue
    if (time < from) {
      earlier.push(entry)
      continue
    }
    made.push({ entry, time, after: before })
    if (entry.subject === person.key) before = personBefore(before, entry.changes)
  }
  return { person: before, earlier, made: made.toReversed().toSorted((a, b) => a.time - b.time) }
}

/** Counts the occurrences in the entries of a person, in any order. */
class Rings {
  readonly states = new Map<SubjectKey, LeafState>()
  private readonly index: RuleIndex
  private readonly person: Person

  constructor(index: RuleIndex, person: Person) {
    this.index = index
    this.person = person
  }

  add(entry: ActivityEntry): void {
    const occurrence = concernedAt(this.person, entry) === null ? null : occurrenceIn(entry)
    if (occurrence === null) return
    const counted = countedIn(entry)
    for (const { counted: leaf, group } of this.index.leaves.counts(occurrence)) {
      if (!counts(leaf, entry, counted)) continue
      const { ring }: { readonly ring: Ring } = this.states.get(group.key) ?? emptyLeafState
      this.states.set(group.key, { ring: insert(ring, counted, group.needed), due: null })
    }
  }
}

/**
 * Returns the time at which an entry first concerned a person: its receipt, or the time at which the person got the visitor
 * or the merged person whom it is about. Returns null if it does not concern them.
 */
const concernedAt = (
  { attached, key }: Person,
  { receivedAt, subject }: ActivityEntry,
): EpochMillis | null => {
  if (subject === key) return receivedAt
  const found = attached.find((one) => one.key === subject && receivedAt >= one.since)
  return found === undefined ? null : Math.max(found.at, receivedAt)
}
