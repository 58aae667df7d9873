import type { Concerns } from "./Concerns.ts"
import { emptyPerson, type Person } from "../state/Person.ts"
import type { Segment, SegmentRule } from "../state/Segment.ts"
import type { Subject } from "../state/Subject.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { canonicalForm, sharedForm } from "./canonicalForm.ts"
import { evaluateLeaf } from "./evaluateLeaf.ts"
import { attributeTopic } from "./fields.ts"
import { LeafIndex, neededBy, placesOf, topics, type IndexedLeaf } from "./LeafIndex.ts"
import { ageLeaf, isLeaf, leavesOf, segmentsIn, type Leaf, type Rule } from "./Rule.ts"

/** A rule as it is stored, and decoded. */
export interface DecodedRule {
  readonly stored: SegmentRule
  readonly rule: Rule
}

/** A segment with its rules. */
export interface Definition {
  readonly segment: Segment
  /** The rule in force, or null if the first rule is not built yet. */
  readonly current: DecodedRule | null
  /** The rule that is being built or waits for it. */
  readonly next: DecodedRule | null
}

/** A rule with its leaves resolved. */
export type RuleNode =
  | { readonly _tag: "And" | "Or"; readonly nodes: ReadonlyArray<RuleNode> }
  | { readonly _tag: "Not"; readonly node: RuleNode }
  | { readonly _tag: "Leaf"; readonly leaf: IndexedLeaf }

/** What every version of the rule of a segment has. */
interface AnyVersion {
  readonly key: SubjectKey
  readonly version: number
  readonly node: RuleNode
  /** The key under which people store that they are in this version. */
  readonly members: SubjectKey
}

/** A version whose people are in the segment. */
interface ShownVersion extends AnyVersion {
  /**
   * Whether the next version is being built and announces. Entries then record what that does about people whom its build has
   * passed, and what this version does about the others. Otherwise they record what this version does.
   */
  readonly isAnnouncedByNext: boolean
}

/** The version that decides who enters and leaves. */
interface VersionInForce extends ShownVersion {
  readonly _tag: "InForce"
}

/** The next version, while it is being built. */
export interface BuildingVersion extends AnyVersion {
  readonly _tag: "Building"
  /** The members of the version in force, or null if the segment has none yet. */
  readonly replaces: SubjectKey | null
  /** Whether entries record whom the build finds. */
  readonly announces: boolean
}

/** The version of a paused segment: nobody enters or leaves it, except with a merge or a deletion. */
interface FrozenVersion extends ShownVersion {
  readonly _tag: "Frozen"
}

/** One version of the rule of a segment. */
export type IndexedVersion = VersionInForce | BuildingVersion | FrozenVersion

/** The rules of a workspace, arranged so that a change leads to the leaves that it concerns. */
export interface RuleIndex {
  readonly definitions: ReadonlyMap<SubjectKey, Definition>
  /** Each version stands after those that its rule names. */
  readonly segments: ReadonlyArray<IndexedVersion>
  /** The leaves of the rules in force and of those being built. */
  readonly leaves: LeafIndex
  /** The canonical forms of all leaves, also those of rules that wait. */
  readonly leafForms: ReadonlySet<string>
  /** What is stored about leaves, by their shared form. */
  readonly stateOfForm: ReadonlyMap<string, KnownState>
  /**
   * The places of the rules to evaluate for every new person: those that hold for somebody of whom nothing is known, and
   * those that name their segments, which may hold only for others.
   */
  readonly decidedForAll: ReadonlyArray<number>
  /** The segments by the keys under which people store that they are in them. */
  readonly memberships: ReadonlyMap<SubjectKey, SubjectKey>
  /** The key of the build under way, or null. */
  readonly build: SubjectKey | null
  /** The versions that it builds. */
  readonly built: ReadonlyArray<BuildingVersion>
}

/** What is stored about the leaves with one shared form. */
export interface KnownState {
  readonly key: SubjectKey
  readonly countedFrom: EpochMillis | null
  /** The number of occurrences that are stored of each person, if so many happened. */
  readonly needed: number
  /** Whether this is so already, because a rule in force needs them. */
  readonly isComplete: boolean
}

/** Returns whether a rule counts the objects that people are related to. */
export const hasRelationships = ({ leaves }: RuleIndex): boolean => leaves.byTopic.has(topics.relationships)

/** Returns whether a rule may be about what commands change. */
export const isAbout = (rules: RuleIndex, concerns: Concerns): boolean =>
  concerns.others || concerns.identifies.length > 0 || countsOneOf(rules, concerns)

const countsOneOf = ({ leaves }: RuleIndex, { events }: Concerns): boolean => {
  for (const event of events) if (leaves.byName.findText(event).length > 0) return true
  return false
}

/** What a batch has loaded. */
interface Loaded {
  readonly identifiers: ReadonlyMap<string, SubjectKey>
  readonly subjects: ReadonlyMap<SubjectKey, Subject>
}

/**
 * Returns those of the loaded subjects of whom what is stored about leaves may decide what commands do, if no leaf is due. For
 * identify calls it does only if a rule is about what they change, or if a visitor may become a person or belong to one.
 */
export const withLeafStates = (
  rules: RuleIndex,
  concerns: Concerns,
  { identifiers, subjects }: Loaded,
): Iterable<Subject> => {
  const counts = countsOneOf(rules, concerns)
  if ((counts && concerns.renames) || mayConcernAll(rules, concerns, subjects.values()))
    return subjects.values()
  if (!counts) return []
  if (concerns.identifies.length === 0) return subjects.values()
  const found = new Set<Subject>()
  for (const target of concerns.eventTargets) {
    const key = typeof target === "string" ? identifiers.get(target) : target
    let subject = key === undefined ? undefined : subjects.get(key)
    while (subject?._tag === "Attached") subject = subjects.get(subject.owner)
    if (subject !== undefined) found.add(subject)
  }
  return found
}

const mayConcernAll = (
  { leaves: { byTopic, isAboutAttributes } }: RuleIndex,
  { identifies, others }: Concerns,
  subjects: Iterable<Subject>,
): boolean => {
  if (others || byTopic.has(topics.identifiers)) return true
  const isNamed = ({ name }: { readonly name: string }) => byTopic.has(topics.attribute(attributeTopic(name)))
  if (isAboutAttributes && identifies.some((assigned) => assigned.some(isNamed))) return true
  for (const { _tag } of subjects) if (_tag === "Visitor") return true
  return false
}

/**
 * Arranges the rules of a workspace. They must not contain a cycle. The order of the definitions does not matter, because
 * databases return rows in any order, and the effects in an entry must not depend on it.
 */
export const compile = (definitions: Iterable<Definition>): RuleIndex => {
  const sorted = [...definitions].toSorted((a, b) => a.segment.key - b.segment.key)
  const bySegment = new Map(sorted.map((definition) => [definition.segment.key, definition]))
  const building = sorted.filter(({ segment }) => segment.next?.build != null)
  const collector = new LeafCollector(bySegment)
  const versions = [
    ...inOrder(bySegment, (definition) => definition.current),
    ...inOrder(new Map(building.map((one) => [one.segment.key, one])), (definition) => definition.next),
  ]
  const segments = versions.map(({ definition, version }, place) => collector.add(definition, version, place))
  return {
    definitions: bySegment,
    segments,
    leaves: collector.index,
    ...formsOf(sorted),
    decidedForAll: decidedForAll(segments, collector.index),
    memberships: new Map(
      sorted.flatMap(({ current, next, segment: { key } }) =>
        [current, next].flatMap((version) =>
          version === null ? [] : [[version.stored.members, key] as const],
        ),
      ),
    ),
    build: building[0]?.segment.next?.build ?? null,
    built: segments.filter((version) => version._tag === "Building"),
  }
}

/** Resolves the leaves of rules. */
class LeafCollector {
  readonly index = new LeafIndex()
  private readonly definitions: ReadonlyMap<SubjectKey, Definition>

  constructor(definitions: ReadonlyMap<SubjectKey, Definition>) {
    this.definitions = definitions
  }

  add({ segment }: Definition, { rule, stored }: DecodedRule, place: number): IndexedVersion {
    const isNext = segment.next?.rule === stored
    const keys = stored.leaves.values()
    const node = nodeOf(rule, (leaf) => {
      const found = this.index.add(this.meant(leaf, isNext), keys.next().value ?? segment.key)
      found.segments.add(place)
      return found
    })
    const version = { key: segment.key, version: stored.version, node, members: stored.members }
    if (segment.next !== null && isNext) {
      const replaces = segment.rule?.members ?? null
      return { ...version, _tag: "Building", replaces, announces: segment.next.announce }
    }
    const isAnnouncedByNext = segment.next?.build != null && segment.next.announce
    return { ...version, _tag: segment.paused ? "Frozen" : "InForce", isAnnouncedByNext }
  }

  /**
   * Returns a leaf as it is evaluated: one for a segment with the key of the members of the version that it means. Versions
   * that name the same segment may mean different versions of it.
   */
  private meant(leaf: Leaf, isNext: boolean): Leaf {
    if (leaf._tag !== "InSegment") return leaf
    const { current, next, segment: row } = this.definitions.get(leaf.segment) ?? {}
    const meant = isNext && row?.next?.build != null ? next : (current ?? next)
    return meant == null ? leaf : { _tag: "InSegment", segment: meant.stored.members }
  }
}

/** Returns the forms of all leaves, and what is stored about them. */
const formsOf = (definitions: ReadonlyArray<Definition>): Pick<RuleIndex, "leafForms" | "stateOfForm"> => {
  const leafForms = new Set<string>()
  const stateOfForm = new Map<string, KnownState>()
  for (const { current, next } of definitions) {
    for (const version of [next, current]) {
      if (version === null) continue
      const { leaves, countedFrom } = version.stored
      leavesOf(version.rule).forEach((leaf, i) => {
        const key = leaves[i]
        if (key === undefined) return
        leafForms.add(canonicalForm(leaf))
        const isComplete = version === current
        const state = { key, countedFrom: countedFrom[i] ?? null, needed: neededBy(leaf), isComplete }
        const form = sharedForm(leaf)
        if (knowsMore(state, stateOfForm.get(form))) stateOfForm.set(form, state)
      })
    }
  }
  return { leafForms, stateOfForm }
}

const knowsMore = (one: KnownState, other: KnownState | undefined): boolean => {
  if (other === undefined) return true
  return one.isComplete === other.isComplete ? one.needed > other.needed : one.isComplete
}

/**
 * Returns the key of what is stored about each leaf of a rule, and from when on it counts: those that are known, and otherwise
 * new ones.
 */
export const statesOfLeaves = (
  rule: Rule,
  { stateOfForm }: Pick<RuleIndex, "stateOfForm">,
  newKey: () => SubjectKey,
  countedFrom: (leaf: Leaf) => EpochMillis | null,
): ReadonlyArray<Pick<KnownState, "key" | "countedFrom">> => {
  const made = new Map<string, SubjectKey>()
  return leavesOf(rule).map((leaf) => {
    const form = sharedForm(leaf)
    const known = stateOfForm.get(form)
    const key = known?.key ?? made.get(form) ?? newKey()
    made.set(form, key)
    const isCounted = known !== undefined && known.needed >= neededBy(leaf)
    return { key, countedFrom: isCounted ? known.countedFrom : countedFrom(leaf) }
  })
}

/** Resolves the leaves of a rule, in the order of `leavesOf`. */
const nodeOf = (rule: Rule, resolve: (leaf: Leaf) => IndexedLeaf): RuleNode => {
  if (isLeaf(rule)) return { _tag: "Leaf", leaf: resolve(rule) }
  switch (rule._tag) {
    case "And":
    case "Or":
      return { _tag: rule._tag, nodes: rule.rules.map((part) => nodeOf(part, resolve)) }
    case "Not":
      return { _tag: "Not", node: nodeOf(rule.rule, resolve) }
    case "OldEnough": {
      const node = nodeOf(rule.rule, resolve)
      return { _tag: "And", nodes: [node, { _tag: "Leaf", leaf: resolve(ageLeaf(rule.ms)) }] }
    }
  }
}

/** Returns whether a rule holds, given which of its leaves hold. */
export const holdsWith = (node: RuleNode, holds: (leaf: IndexedLeaf) => boolean): boolean => {
  switch (node._tag) {
    case "And":
      return node.nodes.every((part) => holdsWith(part, holds))
    case "Or":
      return node.nodes.some((part) => holdsWith(part, holds))
    case "Not":
      return !holdsWith(node.node, holds)
    case "Leaf":
      return holds(node.leaf)
  }
}

/** A version of the rule of a segment. */
interface Version {
  readonly definition: Definition
  readonly version: DecodedRule
}

/** Returns one version of each segment, each after those that its rule names. */
const inOrder = (
  bySegment: ReadonlyMap<SubjectKey, Definition>,
  versionOf: (definition: Definition) => DecodedRule | null,
): ReadonlyArray<Version> => {
  const sorted: Array<Version> = []
  const visited = new Set<Definition>()
  const visit = (definition: Definition | undefined): void => {
    const version = definition === undefined ? null : versionOf(definition)
    if (definition === undefined || version === null || visited.has(definition)) return
    visited.add(definition)
    for (const named of segmentsIn(version.rule)) visit(bySegment.get(named))
    sorted.push({ definition, version })
  }
  for (const definition of bySegment.values()) visit(definition)
  return sorted
}

/** Somebody of whom nothing is known. */
const nobody: Person = emptyPerson(SubjectKey.make(1), WorkspaceId.make(1), 0)

const decidedForAll = (
  segments: ReadonlyArray<IndexedVersion>,
  { byTopic }: LeafIndex,
): ReadonlyArray<number> => {
  const joined = new Set<SubjectKey>()
  const decided = new Set<number>()
  // Each version stands after those that its rule names, so one pass reaches all that name one of these, through others too.
  segments.forEach(({ _tag, members, node }, place) => {
    const person: Person = { ...nobody, segments: [...joined] }
    const facts = { person, now: 0, subjects: new Map() }
    if (_tag !== "Frozen" && holdsWith(node, ({ leaf }) => evaluateLeaf(leaf, facts, []).holds)) {
      joined.add(members)
      decided.add(place)
    }
    if (!decided.has(place)) return
    for (const group of byTopic.get(topics.segment(members)) ?? []) {
      for (const naming of placesOf(group)) decided.add(naming)
    }
  })
  return [...decided]
}

export const noRules: RuleIndex = compile([])

/** Returns whether the people related to the objects of a batch have to be loaded for its commands. */
export const needsRelated = (
  { deletesObjects, objects }: Pick<Concerns, "deletesObjects" | "objects">,
  rules: RuleIndex,
): boolean => deletesObjects || (objects && hasRelationships(rules))
