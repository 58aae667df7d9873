import { unsubscribedName, valueOf } from "../state/Attributes.ts"
import type { LeafStates, Ring } from "../state/LeafState.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import { preferenceAt, preferencesOf } from "../state/storedPreferences.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { evaluateLeaf, meetsAll, type Facts } from "./evaluateLeaf.ts"
import { attributeFields, deviceFields, objectFields, personFields, valuesAt } from "./fields.ts"
import type { Evidence, Proof } from "./Proof.ts"
import { ageLeaf, isCounting, type Leaf, type Rule } from "./Rule.ts"
import { holdsWith, type Definition, type RuleIndex, type RuleNode } from "./RuleIndex.ts"

/** A person, what is remembered about the leaves of rules, and the time of the explanation. */
export interface Explained extends Facts {
  readonly leafStates: LeafStates
  readonly rules: RuleIndex
}

/** The largest number of times after the present at which rules are evaluated to find out when a part changes. */
const timesAheadMax = 500

/** Explains why a rule holds or does not hold for a person, and when time alone will change that. */
export const explainRule = (
  { leaves, rule }: Pick<Definition, "rule" | "leaves">,
  explained: Explained,
): Proof => {
  const keys = leaves.values()
  const root = place(rule, "", () => keys.next().value)
  const present = new Moment(explained, explained.now, root)
  const changes = new Map<Placed, EpochMillis>()
  const unchanged = new Set(allParts(root))
  const first = new Map(Array.from(unchanged, (part) => [part, present.holds(part)]))
  let { next } = present
  for (let looked = 0; looked < timesAheadMax && next !== null && unchanged.size > 0; looked++) {
    const moment = new Moment(explained, next, root)
    for (const part of allParts(root)) {
      if (moment.holds(part) === first.get(part) || !unchanged.delete(part)) continue
      changes.set(part, moment.now)
    }
    next = moment.next
  }
  const proofOf = (part: Placed): Proof => {
    const { path } = part
    const shared = { path, holds: first.get(part) ?? false, flipsAt: changes.get(part) ?? null }
    return part._tag === "Leaf"
      ? { ...shared, _tag: "Leaf", leaf: part.leaf, evidence: evidenceOf(part, explained) }
      : { ...shared, _tag: part._tag, parts: part.parts.map(proofOf) }
  }
  return proofOf(root)
}

interface PlacedLeaf {
  readonly _tag: "Leaf"
  readonly path: string
  readonly leaf: Leaf
  readonly key: SubjectKey | undefined
}

/** A part of a rule with its place. */
type Placed =
  | PlacedLeaf
  | {
      readonly _tag: "And" | "Or" | "Not" | "OldEnough"
      readonly path: string
      readonly parts: ReadonlyArray<Placed>
    }

/** Resolves the leaves of a rule, in the order of `leavesOf`. */
const place = (rule: Rule, path: string, nextKey: () => SubjectKey | undefined): Placed => {
  switch (rule._tag) {
    case "And":
    case "Or": {
      const parts = rule.rules.map((part, i) =>
        place(part, `${path}/${rule._tag.toLowerCase()}/${i}`, nextKey),
      )
      return { _tag: rule._tag, path, parts }
    }
    case "Not":
      return { _tag: "Not", path, parts: [place(rule.rule, `${path}/not`, nextKey)] }
    case "OldEnough": {
      const inner = place(rule.rule, path, nextKey)
      const age: Placed = { _tag: "Leaf", path: `${path}/aged`, leaf: ageLeaf(rule.ms), key: nextKey() }
      return { _tag: "OldEnough", path, parts: [inner, age] }
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
      return { _tag: "Leaf", path, leaf: rule, key: nextKey() }
  }
}

function* allParts(part: Placed): Generator<Placed, void, void> {
  yield part
  if (part._tag === "Leaf") return
  for (const inner of part.parts) yield* allParts(inner)
}

/** What holds for the person at one time, if nothing happens to them in the meantime. */
class Moment {
  readonly now: EpochMillis
  /** The next time at which a leaf may change. */
  next: EpochMillis | null = null
  private readonly explained: Explained
  private readonly leaves = new Map<Placed, boolean>()
  private readonly segments = new Map<SubjectKey, boolean>()

  constructor(explained: Explained, now: EpochMillis, root: Placed) {
    this.explained = explained
    this.now = now
    for (const part of allParts(root)) {
      if (part._tag === "Leaf") this.leaves.set(part, this.holdsLeaf(part.leaf, part.key))
    }
  }

  holds(part: Placed): boolean {
    switch (part._tag) {
      case "And":
      case "OldEnough":
        return part.parts.every((inner) => this.holds(inner))
      case "Or":
        return part.parts.some((inner) => this.holds(inner))
      case "Not":
        return !part.parts.some((inner) => this.holds(inner))
      case "Leaf":
        return this.leaves.get(part) ?? false
    }
  }

  private holdsLeaf(leaf: Leaf, key: SubjectKey | undefined): boolean {
    if (leaf._tag === "InSegment") return this.isIn(leaf.segment)
    const { person, subjects } = this.explained
    const { flipsAt, holds } = evaluateLeaf(
      leaf,
      { person, subjects, now: this.now },
      ringOf(this.explained, key),
    )
    if (flipsAt !== null && (this.next === null || flipsAt < this.next)) this.next = flipsAt
    return holds
  }

  /** Membership is stored for the present. Later it follows from the rule of the segment, if it has one. */
  private isIn(segment: SubjectKey): boolean {
    const known = this.segments.get(segment)
    if (known !== undefined) return known
    const { now, person, rules } = this.explained
    const stored = person.segments.includes(segment)
    const indexed = rules.segments.find(({ key }) => key === segment)
    const later = indexed === undefined ? stored : this.holdsNode(indexed.node)
    const holds = this.now === now ? stored : later
    this.segments.set(segment, holds)
    return holds
  }

  /** Evaluates every leaf, because each may change the next time. */
  private holdsNode(node: RuleNode): boolean {
    const truths = new Map(leavesIn(node).map(({ key, leaf }) => [key, this.holdsLeaf(leaf, key)]))
    return holdsWith(node, ({ key }) => truths.get(key) ?? false)
  }
}

const ringOf = ({ leafStates }: Explained, key: SubjectKey | undefined): Ring =>
  (key === undefined ? undefined : leafStates.get(key))?.ring ?? []

const leavesIn = (node: RuleNode): ReadonlyArray<{ readonly key: SubjectKey; readonly leaf: Leaf }> => {
  switch (node._tag) {
    case "And":
    case "Or":
      return node.nodes.flatMap(leavesIn)
    case "Not":
      return leavesIn(node.node)
    case "Leaf":
      return [node.leaf]
  }
}

const evidenceOf = ({ key, leaf }: PlacedLeaf, explained: Explained): Evidence => {
  const { now, person, subjects } = explained
  if (isCounting(leaf)) {
    const { window } = leaf
    const ring = ringOf(explained, key)
    const counted = window._tag === "Within" ? ring.filter(({ at }) => now < at + window.ms) : ring
    return { _tag: "Counted", counted }
  }
  switch (leaf._tag) {
    case "HasAttribute": {
      const { any, field } = leaf.condition
      return { _tag: "Values", path: field, values: valuesAt(personFields(person), field, any) }
    }
    case "HasIdentifier": {
      const value = leaf.kind === "anonymous_id" ? null : person[leaf.kind]
      const values = leaf.kind === "anonymous_id" ? person.anonymousIds : value === null ? [] : [value]
      return { _tag: "Identifiers", values }
    }
    case "Aged":
      return { _tag: "Created", at: person.createdAt }
    case "HasDevice": {
      const met = [...person.devices].filter(([token, device]) =>
        meetsAll(leaf.where, deviceFields(token, device), now),
      )
      return { _tag: "Devices", tokens: met.map(([token]) => token) }
    }
    case "Related": {
      const objects = [...person.relationships].flatMap(([object, attributes]) => {
        const found = subjects.get(object)
        return found?._tag === "DataObject" &&
          found.typeId === leaf.typeId &&
          meetsAll(leaf.where, attributeFields(attributes), now) &&
          meetsAll(leaf.object, objectFields(found), now)
          ? [{ typeId: found.typeId, objectId: found.objectId }]
          : []
      })
      return { _tag: "Objects", objects }
    }
    case "Unsubscribed": {
      const value = valueOf(person.attributes, unsubscribedName)
      return { _tag: "Values", path: unsubscribedName, values: value === null ? [] : [value] }
    }
    case "Subscribed": {
      const value = preferenceAt(preferencesOf(person.attributes), ["topics", leaf.topic])
      const path = `${preferencesName}.topics.${leaf.topic}`
      return { _tag: "Values", path, values: value === null ? [] : [value] }
    }
    case "InSegment":
      return {
        _tag: "Membership",
        segment: leaf.segment,
        member: person.segments.includes(leaf.segment),
      }
  }
}
