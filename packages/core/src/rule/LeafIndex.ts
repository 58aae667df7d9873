import { createdAtName, unsubscribedName } from "../state/Attributes.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { canonicalForm } from "./canonicalForm.ts"
import { namesLeadingTo } from "./fields.ts"
import { addTo, NameIndex } from "./NameIndex.ts"
import type { Occurrence } from "./Occurrence.ts"
import { neededFor } from "./Ring.ts"
import { isCounting, type CountingLeaf, type Leaf } from "./Rule.ts"

/** A leaf, once for all rules that contain it. */
export interface IndexedLeaf {
  readonly leaf: Leaf
  readonly group: LeafGroup
  /** The segments whose rules contain the leaf, by their places in the index of rules. */
  readonly segments: Set<number>
}

/** The leaves that share what is stored about a person (see `sharedForm`). */
export interface LeafGroup {
  /** The number under which the state is stored. Like all keys, it is never used again. */
  readonly key: SubjectKey
  readonly leaves: ReadonlyArray<IndexedLeaf>
  /** The number of occurrences that decide all leaves; 0 if they count nothing. */
  readonly needed: number
}

/** Returns the segments whose rules contain a leaf of a group, by their places in the index of rules. */
export const placesOf = ({ leaves }: LeafGroup): ReadonlyArray<number> =>
  leaves.flatMap(({ segments }) => [...segments])

/** Leaves that count the same. `counted` is one of them. */
interface CountingGroup {
  readonly group: LeafGroup
  readonly counted: CountingLeaf
}

/** Returns the number of occurrences that decide a leaf. */
export const neededBy = (leaf: Leaf): number => (isCounting(leaf) ? neededFor(leaf.count) : 0)

const attributePrefix = "attribute "

/** The topics under which leaves are found that do not count. */
export const topics = {
  attribute: (name: string) => attributePrefix + name,
  segment: (segment: SubjectKey) => `segment ${segment}`,
  identifiers: "identifiers",
  devices: "devices",
  relationships: "relationships",
  creation: "creation",
} as const

/** The leaves of rules, each once, arranged so that a change leads to those that it concerns. */
export class LeafIndex {
  /** The leaves by the key of what is stored about them. */
  readonly groups: ReadonlyMap<SubjectKey, LeafGroup>
  /** The groups of the leaves that changes of a topic concern. A topic is a text such as `attribute plan`. */
  readonly byTopic: ReadonlyMap<string, ReadonlyArray<LeafGroup>>
  /** Whether a leaf is about attributes of people. */
  isAboutAttributes = false
  readonly byName: NameIndex<CountingGroup>
  private readonly added = new Map<SubjectKey, GrowingGroup>()
  private readonly ofTopic = new Map<string, Array<LeafGroup>>()
  /** The leaves that count forms and metrics, by the form or the metric. */
  private readonly counting = new Map<string, Array<CountingGroup>>()

  constructor() {
    this.groups = this.added
    this.byTopic = this.ofTopic
    this.byName = new NameIndex()
  }

  /** Returns the leaf that asks the same as the given one. Adds it if there is none. */
  add(leaf: Leaf, key: SubjectKey): IndexedLeaf {
    const group = this.added.get(key) ?? this.newGroup(leaf, key)
    const known = group.byForm.get(canonicalForm(leaf))
    if (known !== undefined) return known
    const indexed = { leaf, group, segments: new Set<number>() }
    group.byForm.set(canonicalForm(leaf), indexed)
    group.leaves.push(indexed)
    group.needed = Math.max(group.needed, neededBy(leaf))
    for (const topic of topicsOf(leaf)) {
      addTo(this.ofTopic, topic, group)
      this.isAboutAttributes ||= topic.startsWith(attributePrefix)
    }
    return indexed
  }

  /** Returns the leaves that may count an occurrence. */
  counts(occurrence: Occurrence): ReadonlyArray<CountingGroup> {
    switch (occurrence._tag) {
      case "Occurred":
        return this.byName.find(occurrence.kind, occurrence.name)
      case "Submitted":
        return this.counting.get(formTopic(occurrence.form)) ?? none
      case "Reported": {
        const found = this.counting.get(metricTopic(occurrence.metric)) ?? none
        return found.filter(
          ({ counted }) =>
            counted._tag === "Reported" &&
            (counted.channel === null || counted.channel === occurrence.channel),
        )
      }
    }
  }

  private newGroup(leaf: Leaf, key: SubjectKey): GrowingGroup {
    const group: GrowingGroup = { key, leaves: [], needed: 0, byForm: new Map() }
    this.added.set(key, group)
    if (!isCounting(leaf)) return group
    const counting = { group, counted: leaf }
    switch (leaf._tag) {
      case "Occurred":
        this.byName.add(leaf.kind, leaf.name, counting)
        break
      case "Submitted":
        addTo(this.counting, formTopic(leaf.form), counting)
        break
      case "Reported":
        addTo(this.counting, metricTopic(leaf.metric), counting)
        break
    }
    return group
  }
}

interface GrowingGroup extends LeafGroup {
  readonly leaves: Array<IndexedLeaf>
  needed: number
  readonly byForm: Map<string, IndexedLeaf>
}

const none: ReadonlyArray<never> = []

const formTopic = (form: string) => `form ${form}`

const metricTopic = (metric: string) => `metric ${metric}`

/** Returns what can change whether a leaf holds, apart from time and from what it counts. */
const topicsOf = (leaf: Leaf): ReadonlyArray<string> => {
  switch (leaf._tag) {
    case "Occurred":
    case "Reported":
    case "Submitted":
      return []
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
      return [topics.creation, topics.attribute(createdAtName)]
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
