import { channels, metrics, sources } from "../src/pages/segments/ruleRows.ts"
import { operators, testsText, type Operator } from "@inlethq/core/rule/operators"
import type { RuleJson } from "../src/pages/segments/RuleJson.ts"

type Json = RuleJson[string]

/** A random number from 0 to below 1, the same for the same seed. */
export const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const texts = [
  "plan",
  "address.city",
  " spaced ",
  "a, b",
  'say "hi"',
  "10",
  "true",
  "Größe",
  "\\",
  '"',
  "null",
]
const durations = ["1m", "36h", "30d", "030d", "104w"]
const windowPairs: ReadonlyArray<ReadonlyArray<Json>> = [
  ["2026-01-01", "2026-02-01T10:00:00Z"],
  [1_767_225_600, 1_769_904_000],
]

/** Makes rules of every kind that the language allows, and each of their parts in every form. */
export const randomRules = (random: () => number) => {
  const below = (n: number): number => Math.floor(random() * n)
  const one = <Item>(items: ReadonlyArray<Item>): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error("there is nothing to choose from")
    return item
  }
  const maybe = (part: () => RuleJson): RuleJson => (random() < 0.5 ? part() : {})
  const text = (): string => one(texts)
  const scalar = (): Json => one<Json>([text(), "", below(100), 1.5, -3, true, false])
  const list = <Item>(most: number, item: () => Item): ReadonlyArray<Item> =>
    Array.from({ length: 1 + below(most) }, item)
  const valueFor = (operator: Operator): RuleJson => {
    switch (operators[operator].takes) {
      case "scalar":
        return { value: scalar() }
      case "scalars":
        return { value: list(4, scalar) }
      case "number":
        return { value: one<Json>([below(100), 0.5, "10", " 7 "]) }
      case "text":
        return { value: text() }
      case "nothing":
        return operator === "exists" ? maybe(() => ({ value: true })) : {}
      case "instant":
        return { value: one<Json>(["2026-01-31T12:00:00Z", "2026-01-31", 1_767_225_600]) }
      case "duration":
        return { value: one(durations) }
    }
  }
  const operatorNames = Object.keys(operators).filter((name): name is Operator =>
    Object.hasOwn(operators, name),
  )
  const condition = (): RuleJson => {
    const operator = one(operatorNames)
    return {
      field: text(),
      operator,
      ...valueFor(operator),
      ...maybe(() => ({ any: random() < 0.5 })),
      ...(testsText(operator) ? maybe(() => ({ ignore_case: random() < 0.5 })) : {}),
    }
  }
  const where = (): RuleJson => maybe(() => ({ where: list(3, condition) }))
  const count = (): RuleJson =>
    maybe(() => ({ count: one<RuleJson>([{ gte: 1 + below(100) }, { lte: below(100) }, { eq: below(3) }]) }))
  const window = (): RuleJson =>
    one<() => RuleJson>([
      () => ({}),
      () => ({ within: one(durations) }),
      () => ({ between: one(windowPairs) }),
    ])()
  const counting = (): RuleJson => ({ ...count(), ...window() })
  const source = (): RuleJson =>
    maybe(() => ({ source: { [one(Object.keys(sources))]: one<Json>([7, "7", "x y"]) } }))
  const channel = (): RuleJson =>
    maybe(() => ({ channel: one(Object.keys(channels).filter((name) => name !== "any")) }))
  const leaf = (): RuleJson =>
    one<() => RuleJson>([
      () => ({ attribute: condition() }),
      () => ({ identity: { has: one(["id", "email", "anonymous_id"]) } }),
      () => ({ age: { [one(["gte", "lt"])]: one(durations) } }),
      () => ({ [one(["event", "page", "screen"])]: { name: text(), ...where(), ...counting() } }),
      () => ({ metric: { ...channel(), metric: one(Object.keys(metrics)), ...source(), ...counting() } }),
      () => ({ form: { id: text(), ...where(), ...counting() } }),
      () => ({ device: where() }),
      () => ({
        relationship: {
          type: one<Json>([0, 1, "1", "company"]),
          ...where(),
          ...count(),
          ...maybe(() => ({ object: { where: list(2, condition) } })),
        },
      }),
      () => ({ segment: { id: one<Json>([3, "12"]) } }),
      () => ({ subscription: { unsubscribed: random() < 0.5 } }),
      () => ({ subscription: { topic: text(), value: random() < 0.5 } }),
    ])()
  const aged = (leaf: RuleJson): RuleJson => {
    const [[kind, inside] = ["", {}]] = Object.entries(leaf)
    const isCounted = typeof inside === "object" && inside !== null && "within" in inside
    if (!isCounted || random() < 0.4) return { not: leaf }
    const is = random() < 0.5
    return random() < 0.5 ? { not: leaf, aged: is } : { not: { [kind]: { ...inside, aged: is } } }
  }
  const rule = (depth: number): RuleJson => {
    const kind = depth === 0 ? 1 : random()
    if (kind > 0.6) return leaf()
    if (kind > 0.4) return aged(leaf())
    if (kind > 0.3) return { not: rule(depth - 1) }
    return { [one(["and", "or"])]: list(3, () => rule(depth - 1)) }
  }
  return { rule, leaf }
}
