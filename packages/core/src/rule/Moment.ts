import type { LeafStates, Ring } from "../state/LeafState.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { evaluateLeaf, type Facts } from "./evaluateLeaf.ts"
import { ageLeaf, isLeaf, type Leaf, type Rule } from "./Rule.ts"
import { segmentsOf } from "./definitions.ts"
import { neededBy, type IndexedLeaf } from "./LeafIndex.ts"
import { holdsWith, type RuleIndex, type RuleNode } from "./RuleIndex.ts"

/** A person, what is remembered about the leaves of rules, and the present. */
export interface Known extends Facts {
  readonly leafStates: LeafStates
  readonly rules: RuleIndex
}

/** A rule and the keys of its leaves, in the order of `leavesOf`. */
export interface KeyedRule {
  readonly rule: Rule
  readonly leaves: ReadonlyArray<SubjectKey>
}

/** A leaf of a rule and the key of what is remembered about it. */
export interface PlacedLeaf {
  readonly _tag: "Leaf"
  readonly path: string
  readonly leaf: Leaf
  readonly key: SubjectKey | undefined
}

/** A part of a rule and its place in the rule, as a JSON pointer. */
export type Placed =
  | PlacedLeaf
  | {
      readonly _tag: "And" | "Or" | "Not" | "OldEnough"
      readonly path: string
      readonly parts: ReadonlyArray<Placed>
    }

/** Returns a rule with the places of its parts. */
export const placed = ({ leaves, rule }: KeyedRule): Placed => {
  const keys = leaves.values()
  return place(rule, "", () => keys.next().value)
}

/** Resolves the leaves of a rule, in the order of `leavesOf`. */
const place = (rule: Rule, path: string, nextKey: () => SubjectKey | undefined): Placed => {
  if (isLeaf(rule)) return { _tag: "Leaf", path, leaf: rule, key: nextKey() }
  switch (rule._tag) {
    case "And":
    case "Or": {
      const name = rule._tag.toLowerCase()
      const parts = rule.rules.map((part, i) => place(part, `${path}/${name}/${i}`, nextKey))
      return { _tag: rule._tag, path, parts }
    }
    case "Not":
      return { _tag: "Not", path, parts: [place(rule.rule, `${path}/not`, nextKey)] }
    case "OldEnough": {
      const inner = place(rule.rule, path, nextKey)
      const age: Placed = { _tag: "Leaf", path: `${path}/aged`, leaf: ageLeaf(rule.ms), key: nextKey() }
      return { _tag: "OldEnough", path, parts: [inner, age] }
    }
  }
}

/** Yields a part and all parts inside it. */
export function* insideOf(part: Placed): Generator<Placed, void, void> {
  yield part
  if (part._tag === "Leaf") return
  for (const inner of part.parts) yield* insideOf(inner)
}

/** Returns what decides a leaf that counts. More may be stored for others. */
export const ringOf = ({ leafStates }: Known, leaf: Leaf, key: SubjectKey | undefined): Ring => {
  const ring = (key === undefined ? undefined : leafStates.get(key))?.ring ?? []
  return ring.slice(0, neededBy(leaf))
}

/** What holds for a person at one time, if nothing happens to them between the present and that time. */
export class Moment {
  readonly now: EpochMillis
  /** The next time at which a leaf may change. */
  next: EpochMillis | null = null
  private readonly known: Known
  private readonly leaves = new Map<Placed, boolean>()
  private readonly segments = new Map<SubjectKey, boolean>()

  constructor(known: Known, now: EpochMillis, rule: Placed) {
    this.known = known
    this.now = now
    for (const part of insideOf(rule)) {
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
    const { person, subjects } = this.known
    const facts = { person, subjects, now: this.now }
    const { flipsAt, holds } = evaluateLeaf(leaf, facts, ringOf(this.known, leaf, key))
    if (flipsAt !== null && (this.next === null || flipsAt < this.next)) this.next = flipsAt
    return holds
  }

  /** Membership is stored for the present. Later it follows from the rule of the segment, if it has one. */
  private isIn(named: SubjectKey): boolean {
    const { now, rules } = this.known
    const segment = rules.memberships.get(named) ?? named
    const answered = this.segments.get(segment)
    if (answered !== undefined) return answered
    const stored = isMember(this.known, segment)
    const indexed = rules.segments.find(({ _tag, key }) => key === segment && _tag === "InForce")
    const later = indexed === undefined ? stored : this.holdsNode(indexed.node)
    const holds = this.now === now ? stored : later
    this.segments.set(segment, holds)
    return holds
  }

  /** Evaluates every leaf, because each may change the next time. */
  private holdsNode(node: RuleNode): boolean {
    const truths = new Map(leavesIn(node).map((one) => [one, this.holdsLeaf(one.leaf, one.group.key)]))
    return holdsWith(node, (one) => truths.get(one) ?? false)
  }
}

/** Returns whether a person is in a segment at present. */
export const isMember = ({ person, rules }: Pick<Known, "person" | "rules">, segment: SubjectKey): boolean =>
  segmentsOf(rules, person.segments).includes(segment)

const leavesIn = (node: RuleNode): ReadonlyArray<IndexedLeaf> => {
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
