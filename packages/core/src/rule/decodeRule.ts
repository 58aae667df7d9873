import { Result } from "effect"
import { exceedsBytes, type Json } from "../values/Json.ts"
import { decodeLeaf, type DecodedLeaf } from "./decodeLeaf.ts"
import type { Count, Leaf, Rule } from "./Rule.ts"
import { RulePart, type Read } from "./RulePart.ts"
import { ruleBytesMax, ruleDepthMax, ruleLeavesMax } from "./ruleBounds.ts"
import { leafKeys, RuleJson } from "./ruleLanguage.ts"
import { ruleTexts } from "./ruleTexts.ts"

/**
 * Decodes a rule: a superset of the filters that the App API of the hosted service takes. The fault names the first
 * wrong part.
 */
export const decodeRule = (value: Json): Read<Rule> => {
  const part = new RulePart(value, "")
  return exceedsBytes(JSON.stringify(value), ruleBytesMax)
    ? part.fault(ruleTexts.tooLarge(ruleBytesMax))
    : decodeNode(part, { depth: 0, leaves: { count: 0 } })
}

const operatorKeys = ["and", "or", "not"] as const
const ruleKeys = [...operatorKeys, ...leafKeys]

/** Where in a rule the decoder is. All parts of the rule share `leaves`. */
interface Place {
  readonly depth: number
  readonly leaves: { count: number }
}

const decodeNode = (part: RulePart, place: Place): Read<Rule> =>
  Result.gen(function* () {
    const key = yield* keyOf(part)
    if (key === "and" || key === "or") return yield* decodeList(key, part.at(key), place)
    if (key === "not") return yield* decodeNot(part, place)
    return yield* withAge(yield* decodeCountedLeaf(key, part, place))
  })

type RuleKey = (typeof ruleKeys)[number]

/** Returns the one key that says what kind of rule a part is. */
const keyOf = (part: RulePart): Read<RuleKey> =>
  Result.gen(function* () {
    const given = yield* part.object(RuleJson, [...ruleKeys, "aged"])
    const [key, other] = ruleKeys.filter((name) => Object.hasOwn(given, name))
    if (key === undefined || other !== undefined) return yield* part.fault(ruleTexts.oneKey(ruleKeys))
    if (key !== "not" && !part.at("aged").isAbsent) return yield* part.at("aged").fault(ruleTexts.wrongAged)
    return key
  })

const within = (part: RulePart, { depth, leaves }: Place): Read<Place> =>
  depth >= ruleDepthMax
    ? part.fault(ruleTexts.tooDeep(ruleDepthMax))
    : Result.succeed({ depth: depth + 1, leaves })

const decodeList = (key: "and" | "or", part: RulePart, place: Place): Read<Rule> =>
  Result.gen(function* () {
    const inside = yield* within(part, place)
    const rules: Array<Rule> = []
    for (const item of yield* part.array("rule", ruleLeavesMax)) rules.push(yield* decodeNode(item, inside))
    return { _tag: key === "and" ? "And" : "Or", rules }
  })

/**
 * Decodes a negation. If it asks for events that did not happen in a window, the profile must be as old as the window,
 * unless `aged` is false.
 */
const decodeNot = (part: RulePart, place: Place): Read<Rule> =>
  Result.gen(function* () {
    const negated = part.at("not")
    const inside = yield* within(negated, place)
    const beside = part.at("aged")
    const key = yield* keyOf(negated)
    if (key === "and" || key === "or" || key === "not") {
      if (!beside.isAbsent) return yield* beside.fault(ruleTexts.wrongAged)
      return { _tag: "Not", rule: yield* decodeNode(negated, inside) }
    }
    const { aged, leaf } = yield* decodeCountedLeaf(key, negated, inside)
    const given = beside.isAbsent ? aged : beside
    const rule: Rule = { _tag: "Not", rule: leaf }
    const ms = windowOf(leaf)
    if (ms === null || isNegative(leaf) || !(beside.isAbsent || aged.isAbsent)) {
      return given.isAbsent ? rule : yield* given.fault(ruleTexts.wrongAged)
    }
    const isAged = given.isAbsent || (yield* given.boolean())
    return isAged ? { _tag: "OldEnough", rule, ms } : rule
  })

const decodeCountedLeaf = (
  key: Exclude<RuleKey, (typeof operatorKeys)[number]>,
  part: RulePart,
  { leaves }: Place,
): Read<DecodedLeaf> => {
  leaves.count++
  return leaves.count > ruleLeavesMax
    ? part.fault(ruleTexts.tooMany("leaves", ruleLeavesMax))
    : decodeLeaf(key, part.at(key))
}

/** Returns a leaf as a rule, with the age that it needs if it asks for events that did not happen in a window. */
const withAge = ({ aged, leaf }: DecodedLeaf): Read<Rule> =>
  Result.gen(function* () {
    const ms = windowOf(leaf)
    if (ms === null || !isNegative(leaf)) return aged.isAbsent ? leaf : yield* aged.fault(ruleTexts.wrongAged)
    const isAged = aged.isAbsent || (yield* aged.boolean())
    return isAged ? { _tag: "OldEnough", rule: leaf, ms } : leaf
  })

/** Returns the milliseconds of the window that ends now, or null if the leaf has no such window. */
const windowOf = (leaf: Leaf): number | null =>
  "window" in leaf && leaf.window._tag === "Within" ? leaf.window.ms : null

/** Returns whether a leaf holds for somebody for whom nothing happened. */
const isNegative = (leaf: Leaf): boolean => "count" in leaf && holdsForNone(leaf.count)

const holdsForNone = ({ n, operator }: Count): boolean => operator === "lte" || (operator === "eq" && n === 0)
