import type { Concerns } from "../Needs.ts"
import { createdAtName, unsubscribedName } from "../state/Attributes.ts"
import { emptyPerson, type Person } from "../state/Person.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import type { Segment, SegmentRule } from "../state/Segment.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { canonicalForm } from "./canonicalForm.ts"
import { evaluateLeaf } from "./evaluateLeaf.ts"
import { namesLeadingTo } from "./fields.ts"
import { addTo, NameIndex } from "./NameIndex.ts"
import type { Occurrence } from "./Occurrence.ts"
import { ageLeaf, isCounting, leavesOf, segmentsIn, type CountingLeaf, type Leaf, type Rule } from "./Rule.ts"

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

/** A leaf, once for all rules that contain it. */
export interface IndexedLeaf<L extends Leaf = Leaf> {
  /** The number under which the leaf's state is stored. Like all keys, it is never used again. */
  readonly key: SubjectKey
  readonly leaf: L
  /** The segments whose rules contain the leaf, by their places in the index. */
  readonly segments: Set<number>
}

/** A rule with its leaves resolved. */
export type RuleNode =
  | { readonly _tag: "And" | "Or"; readonly nodes: ReadonlyArray<RuleNode> }
  | { readonly _tag: "Not"; readonly node: RuleNode }
  | { readonly _tag: "Leaf"; readonly leaf: IndexedLeaf }

/** One version of the rule of a segment: that in force, or the next one while it is being built. */
export interface IndexedSegment {
  readonly key: SubjectKey
  readonly version: number
  readonly node: RuleNode
  /** The key under which people store that they are in this version. */
  readonly members: SubjectKey
  /** The members of the version in force, if this is the next version of a segment that has one. */
  readonly replaces: SubjectKey | null
  readonly isNext: boolean
  /** Whether entries record whom a build finds. */
  readonly announces: boolean
  /** Whether a next version announces, so that entries record what it does about people whom its build has passed. */
  readonly isAnnouncedByNext: boolean
  /** Whether the segment is paused, so that nobody enters or leaves. */
  readonly isFrozen: boolean
}

/** The rules of a workspace, arranged so that a change leads to the leaves that it concerns. */
export interface RuleIndex {
  readonly definitions: ReadonlyMap<SubjectKey, Definition>
  /** Each version stands after those that its rule names. */
  readonly segments: ReadonlyArray<IndexedSegment>
  /** The leaves of the rules in force and of those being built. */
  readonly leaves: ReadonlyMap<SubjectKey, IndexedLeaf>
  /** All leaves by their canonical form, also those of rules that wait. */
  readonly leafOfForm: ReadonlyMap<string, KnownLeaf>
  /** The leaves that changes of a topic concern. A topic is a text such as `attribute plan`. */
  readonly byTopic: ReadonlyMap<string, ReadonlyArray<IndexedLeaf>>
  readonly byName: NameIndex<IndexedLeaf<CountingLeaf>>
  /** The places of the versions that a person is in of whom nothing is known. */
  readonly joinedByAll: ReadonlyArray<number>
  /** The segments by the keys under which people store that they are in them. */
  readonly memberships: ReadonlyMap<SubjectKey, SubjectKey>
  /** The key of the build under way, or null. */
  readonly build: SubjectKey | null
}

/** What rules that contain a leaf agree on. */
export interface KnownLeaf {
  readonly key: SubjectKey
  readonly countedFrom: EpochMillis | null
  /** Whether a rule in force contains the leaf, so that its states are complete. */
  readonly isComplete: boolean
}

/** The topics under which leaves are found. */
export const topics = {
  attribute: (name: string) => `attribute ${name}`,
  segment: (segment: SubjectKey) => `segment ${segment}`,
  form: (form: string) => `form ${form}`,
  metric: (metric: string) => `metric ${metric}`,
  identifiers: "identifiers",
  devices: "devices",
  relationships: "relationships",
  creation: "creation",
} as const

/** Returns whether a rule counts the objects that people are related to. */
export const hasRelationships = ({ byTopic }: RuleIndex): boolean => byTopic.has(topics.relationships)

/** Returns whether a rule may be about what commands change. */
export const isAbout = ({ byName }: RuleIndex, { events, others }: Concerns): boolean => {
  if (others) return true
  for (const event of events) if (byName.findText(event).length > 0) return true
  return false
}

const none: ReadonlyArray<never> = []

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
    leaves: collector.leaves,
    leafOfForm: formsOf(sorted),
    byTopic: collector.byTopic,
    byName: collector.byName,
    joinedByAll: joinedByAll(segments),
    memberships: new Map(
      sorted.flatMap(({ current, next, segment: { key } }) =>
        [current, next].flatMap((version) =>
          version === null ? [] : [[version.stored.members, key] as const],
        ),
      ),
    ),
    build: building[0]?.segment.next?.build ?? null,
  }
}

/** Collects the leaves of rules, each once. */
class LeafCollector {
  readonly leaves = new Map<SubjectKey, IndexedLeaf>()
  readonly byTopic = new Map<string, Array<IndexedLeaf>>()
  readonly byName = new NameIndex<IndexedLeaf<CountingLeaf>>()
  private readonly definitions: ReadonlyMap<SubjectKey, Definition>
  /** Versions that name the same segment may mean different versions of it. */
  private readonly inSegments = new Map<SubjectKey, IndexedLeaf>()

  constructor(definitions: ReadonlyMap<SubjectKey, Definition>) {
    this.definitions = definitions
  }

  add({ segment }: Definition, { rule, stored }: DecodedRule, place: number): IndexedSegment {
    const isNext = segment.next?.rule === stored
    const keys = stored.leaves.values()
    const node = nodeOf(rule, (leaf) => {
      const found = this.indexed(leaf, keys.next().value ?? segment.key, isNext)
      found.segments.add(place)
      return found
    })
    return {
      key: segment.key,
      version: stored.version,
      node,
      members: stored.members,
      replaces: isNext ? (segment.rule?.members ?? null) : null,
      isNext,
      announces: !isNext || segment.next?.announce === true,
      isAnnouncedByNext: !isNext && segment.next?.build != null && segment.next.announce,
      isFrozen: !isNext && segment.paused,
    }
  }

  private indexed(leaf: Leaf, key: SubjectKey, isNext: boolean): IndexedLeaf {
    if (leaf._tag === "InSegment") return this.inSegment(leaf.segment, key, isNext)
    return this.leaves.get(key) ?? this.added({ key, leaf, segments: new Set() })
  }

  /** Returns the leaf for a segment, which is evaluated with the key of the members of the version that it means. */
  private inSegment(segment: SubjectKey, key: SubjectKey, isNext: boolean): IndexedLeaf {
    const { current, next, segment: row } = this.definitions.get(segment) ?? {}
    const meant = isNext && row?.next?.build != null ? next : (current ?? next)
    const members = meant?.stored.members ?? segment
    const known = this.inSegments.get(members)
    if (known !== undefined) return known
    const added = this.added({ key, leaf: { _tag: "InSegment", segment: members }, segments: new Set() })
    this.inSegments.set(members, added)
    return added
  }

  private added(leaf: IndexedLeaf): IndexedLeaf {
    this.leaves.set(leaf.key, leaf)
    for (const topic of topicsOf(leaf.leaf)) addTo(this.byTopic, topic, leaf)
    if (leaf.leaf._tag === "Occurred") {
      this.byName.add(leaf.leaf.kind, leaf.leaf.name, { ...leaf, leaf: leaf.leaf })
    }
    return leaf
  }
}

/** Returns all leaves by their canonical form. */
const formsOf = (definitions: ReadonlyArray<Definition>): ReadonlyMap<string, KnownLeaf> => {
  const forms = new Map<string, KnownLeaf>()
  for (const { current, next } of definitions) {
    for (const version of [next, current]) {
      if (version === null) continue
      const { leaves, countedFrom } = version.stored
      const isComplete = version === current
      leavesOf(version.rule).forEach((leaf, i) => {
        const form = canonicalForm(leaf)
        const key = leaves[i]
        if (key === undefined || forms.get(form)?.isComplete === true) return
        forms.set(form, { key, countedFrom: countedFrom[i] ?? null, isComplete })
      })
    }
  }
  return forms
}

/** Returns the leaves that a rule contains: those that ask the same as a known leaf, and new ones with new keys. */
export const keysOfLeaves = (
  rule: Rule,
  { leafOfForm }: Pick<RuleIndex, "leafOfForm">,
  newLeaf: (leaf: Leaf) => KnownLeaf,
): ReadonlyArray<KnownLeaf> => {
  const made = new Map<string, KnownLeaf>()
  return leavesOf(rule).map((leaf) => {
    const form = canonicalForm(leaf)
    const known = leafOfForm.get(form) ?? made.get(form) ?? newLeaf(leaf)
    made.set(form, known)
    return known
  })
}

/** Resolves the leaves of a rule, in the order of `leavesOf`. */
const nodeOf = (rule: Rule, resolve: (leaf: Leaf) => IndexedLeaf): RuleNode => {
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
    case "Occurred":
    case "Reported":
    case "Submitted":
    case "HasAttribute":
    case "HasIdentifier":
    case "Aged":
    case "HasDevice":
    case "Related":
    case "Unsubscribed":
    case "Subscribed":
    case "InSegment":
      return { _tag: "Leaf", leaf: resolve(rule) }
  }
}

/** Returns what can change whether a leaf holds, apart from time and from events. */
const topicsOf = (leaf: Leaf): ReadonlyArray<string> => {
  switch (leaf._tag) {
    case "Occurred":
      return []
    case "Reported":
      return [topics.metric(leaf.metric)]
    case "Submitted":
      return [topics.form(leaf.form)]
    case "HasAttribute": {
      const { field } = leaf.condition
      const [root = field] = field.split(".")
      const names = namesLeadingTo(field).map(topics.attribute)
      if (root === "id" || root === "email") return [...names, topics.identifiers]
      return root === createdAtName || root === "svc_id" ? [...names, topics.creation] : names
    }
    case "HasIdentifier":
      return [topics.identifiers]
    case "Aged":
      return [topics.creation]
    case "HasDevice":
      return [topics.devices]
    case "Related":
      return [topics.relationships]
    case "Unsubscribed":
      return [topics.attribute(unsubscribedName)]
    case "Subscribed":
      return [topics.attribute(preferencesName)]
    case "InSegment":
      return [topics.segment(leaf.segment)]
  }
}

/** Returns the leaves that may count an occurrence. */
export const leavesCounting = (
  { byName, byTopic }: RuleIndex,
  occurrence: Occurrence,
): ReadonlyArray<IndexedLeaf<CountingLeaf>> => {
  switch (occurrence._tag) {
    case "Occurred":
      return byName.find(occurrence.kind, occurrence.name)
    case "Submitted":
      return counting(byTopic.get(topics.form(occurrence.form)))
    case "Reported":
      return counting(byTopic.get(topics.metric(occurrence.metric))).filter(
        ({ leaf }) =>
          leaf._tag === "Reported" && (leaf.channel === null || leaf.channel === occurrence.channel),
      )
  }
}

const counting = (
  leaves: ReadonlyArray<IndexedLeaf> | undefined = none,
): ReadonlyArray<IndexedLeaf<CountingLeaf>> =>
  leaves.flatMap((indexed) => {
    const { leaf } = indexed
    return isCounting(leaf) ? [{ ...indexed, leaf }] : []
  })

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

const joinedByAll = (segments: ReadonlyArray<IndexedSegment>): ReadonlyArray<number> => {
  const joined = new Set<SubjectKey>()
  return segments.flatMap(({ isFrozen, members, node }, place) => {
    const person: Person = { ...nobody, segments: [...joined] }
    const facts = { person, now: 0, subjects: new Map() }
    if (isFrozen || !holdsWith(node, ({ leaf }) => evaluateLeaf(leaf, facts, []).holds)) return []
    joined.add(members)
    return [place]
  })
}

export const noRules: RuleIndex = compile([])
