import { nameSearch, type NameSearch } from "../log/NameSearch.ts"
import type { Concerns } from "../Needs.ts"
import { createdAtName, unsubscribedName } from "../state/Attributes.ts"
import { emptyPerson, type Person } from "../state/Person.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { canonicalForm } from "./canonicalForm.ts"
import { evaluateLeaf } from "./evaluateLeaf.ts"
import { namesLeadingTo } from "./fields.ts"
import type { Occurrence } from "./Occurrence.ts"
import { ageLeaf, isCounting, leavesOf, segmentsIn, type CountingLeaf, type Leaf, type Rule } from "./Rule.ts"

/** The rule of a segment, as a store keeps it. */
export interface Definition {
  readonly segment: SubjectKey
  /** Counts the rules that the segment has had, from 1. */
  readonly version: number
  readonly rule: Rule
  /** The keys of the rule's leaves, in the order of `leavesOf`. Leaves that ask the same share a key. */
  readonly leaves: ReadonlyArray<SubjectKey>
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

export interface IndexedSegment {
  readonly key: SubjectKey
  readonly version: number
  readonly node: RuleNode
}

/** The rules of a workspace, arranged so that a change leads to the leaves that it concerns. */
export interface RuleIndex {
  readonly definitions: ReadonlyMap<SubjectKey, Definition>
  /** Each segment stands after those that its rule names. */
  readonly segments: ReadonlyArray<IndexedSegment>
  readonly leaves: ReadonlyMap<SubjectKey, IndexedLeaf>
  readonly leafOfForm: ReadonlyMap<string, IndexedLeaf>
  /** The leaves that changes of a topic concern. A topic is a text such as `attribute plan`. */
  readonly byTopic: ReadonlyMap<string, ReadonlyArray<IndexedLeaf>>
  readonly byName: NameIndex
  /** The places of the segments that a person is in of whom nothing is known. */
  readonly joinedByAll: ReadonlyArray<number>
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

/** Finds leaves by the names of events. Names are matched with each wildcard once, while there are not too many. */
export class NameIndex {
  private readonly exact = new Map<string, Array<IndexedLeaf<CountingLeaf>>>()
  private readonly searches: Array<{
    readonly kind: string
    readonly fits: NameSearch
    readonly leaf: IndexedLeaf<CountingLeaf>
  }> = []
  private readonly found = new Map<string, ReadonlyArray<IndexedLeaf<CountingLeaf>>>()

  add(kind: string, name: string, leaf: IndexedLeaf<CountingLeaf>): void {
    if (/[*+|\\]/.test(name)) this.searches.push({ kind, fits: nameSearch(name), leaf })
    else addTo(this.exact, `${kind} ${name}`, leaf)
  }

  find(kind: string, name: string): ReadonlyArray<IndexedLeaf<CountingLeaf>> {
    return this.findText(`${kind} ${name}`)
  }

  /** Finds leaves by the kind and the name of an event, with a space in between. */
  findText(text: string): ReadonlyArray<IndexedLeaf<CountingLeaf>> {
    const exact = this.exact.get(text) ?? none
    if (this.searches.length === 0) return exact
    const known = this.found.get(text)
    if (known !== undefined) return known
    const end = text.indexOf(" ")
    const [kind, name] = [text.slice(0, end), text.slice(end + 1)]
    const fitting = this.searches.flatMap((search) =>
      search.kind === kind && search.fits(name) ? [search.leaf] : [],
    )
    if (this.found.size >= foundNamesMax) this.found.clear()
    const all = fitting.length === 0 ? exact : [...exact, ...fitting]
    this.found.set(text, all)
    return all
  }
}

/** The largest number of names for which the matching leaves are kept. */
const foundNamesMax = 10_000

const none: ReadonlyArray<never> = []

const addTo = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

/**
 * Arranges the rules of a workspace. They must not contain a cycle. The order of the definitions does not matter, because
 * databases return rows in any order, and the effects in an entry must not depend on it.
 */
export const compile = (definitions: Iterable<Definition>): RuleIndex => {
  const sorted = [...definitions].toSorted((a, b) => a.segment - b.segment)
  const bySegment = new Map(sorted.map((definition) => [definition.segment, definition]))
  const leaves = new Map<SubjectKey, IndexedLeaf>()
  const leafOfForm = new Map<string, IndexedLeaf>()
  const byTopic = new Map<string, Array<IndexedLeaf>>()
  const byName = new NameIndex()

  const indexed = (leaf: Leaf, key: SubjectKey): IndexedLeaf => {
    const known = leaves.get(key)
    if (known !== undefined) return known
    const added: IndexedLeaf = { key, leaf, segments: new Set() }
    leaves.set(key, added)
    leafOfForm.set(canonicalForm(leaf), added)
    for (const topic of topicsOf(leaf)) addTo(byTopic, topic, added)
    if (leaf._tag === "Occurred") byName.add(leaf.kind, leaf.name, { ...added, leaf })
    return added
  }

  const segments = inOrder(bySegment).map((definition, place): IndexedSegment => {
    const keys = definition.leaves.values()
    const node = nodeOf(definition.rule, (leaf) => {
      const found = indexed(leaf, keys.next().value ?? definition.segment)
      found.segments.add(place)
      return found
    })
    return { key: definition.segment, version: definition.version, node }
  })
  return {
    definitions: bySegment,
    segments,
    leaves,
    leafOfForm,
    byTopic,
    byName,
    joinedByAll: joinedByAll(segments),
  }
}

/** Returns the leaf that a rule contains, with its key: that of a leaf that asks the same, or the next new one. */
export const keysOfLeaves = (
  rule: Rule,
  { leafOfForm }: Pick<RuleIndex, "leafOfForm">,
  newKey: () => SubjectKey,
): ReadonlyArray<SubjectKey> => {
  const made = new Map<string, SubjectKey>()
  return leavesOf(rule).map((leaf) => {
    const form = canonicalForm(leaf)
    const key = leafOfForm.get(form)?.key ?? made.get(form) ?? newKey()
    made.set(form, key)
    return key
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

/** Sorts definitions so that each stands after those that its rule names. */
const inOrder = (bySegment: ReadonlyMap<SubjectKey, Definition>): ReadonlyArray<Definition> => {
  const sorted: Array<Definition> = []
  const visited = new Set<Definition>()
  const visit = (definition: Definition | undefined): void => {
    if (definition === undefined || visited.has(definition)) return
    visited.add(definition)
    for (const named of segmentsIn(definition.rule)) visit(bySegment.get(named))
    sorted.push(definition)
  }
  for (const definition of bySegment.values()) visit(definition)
  return sorted
}

/** Somebody of whom nothing is known. */
const nobody: Person = emptyPerson(SubjectKey.make(1), WorkspaceId.make(1), 0)

const joinedByAll = (segments: ReadonlyArray<IndexedSegment>): ReadonlyArray<number> => {
  const joined = new Set<SubjectKey>()
  return segments.flatMap(({ key, node }, place) => {
    const person: Person = { ...nobody, segments: [...joined] }
    const facts = { person, now: 0, subjects: new Map() }
    if (!holdsWith(node, ({ leaf }) => evaluateLeaf(leaf, facts, []).holds)) return []
    joined.add(key)
    return [place]
  })
}

export const noRules: RuleIndex = compile([])
