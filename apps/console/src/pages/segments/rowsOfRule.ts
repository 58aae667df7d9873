import { ages, counts, operators, takes } from "@inlethq/core/rule/operators"
import {
  channels,
  identifiers,
  metrics,
  newCondition,
  newRow,
  rowKinds,
  ruleOfRow,
  type RowCondition,
  type RuleJson,
  type RuleRow,
} from "./ruleRows.ts"

/** The rows of the rule builder, and whether all of them must hold, or one. */
export interface BuiltRule {
  readonly match: "and" | "or"
  readonly rows: ReadonlyArray<RuleRow>
}

/** Returns the rows that build a rule again. A part that no other kind of row builds exactly becomes a row with JSON. */
export const rowsOfRule = (rule: RuleJson): BuiltRule => {
  for (const match of ["and", "or"] as const) {
    const parts = rule[match]
    // One part needs no "all of" around it, and a rule of one row would lose it.
    if (Object.keys(rule).length === 1 && Array.isArray(parts) && parts.length > 1 && parts.every(isRule))
      return { match, rows: parts.map(rowOf) }
  }
  return { match: "and", rows: [rowOf(rule, 0)] }
}

const rowOf = (rule: RuleJson, key: number): RuleRow => {
  const inner = Object.keys(rule).length === 1 && isRule(rule["not"]) ? rule["not"] : undefined
  const row = leafRow(inner ?? rule, newRow(key))
  const built = row === undefined ? undefined : { ...row, isNot: inner !== undefined }
  return built !== undefined && isSame(ruleOfRow(built), asBuilt(rule))
    ? built
    : { ...newRow(key, "json"), json: JSON.stringify(rule, null, 2) }
}

/** Returns a rule as the rows write it: without what is said anyway, and with texts for numbers. */
const asBuilt = (rule: RuleJson): RuleJson => {
  const { not, ...leaf } = rule
  if (isRule(not)) return { ...leaf, not: asBuilt(not) }
  const built: Record<string, RuleJson[string]> = { ...rule }
  for (const [key, inner] of Object.entries(rule)) {
    if (!isRule(inner)) continue
    if (key === "attribute") built[key] = withText(inner)
    else built[key] = withTexts(withoutOnce(inner))
  }
  return built
}

const keysOf = <Key extends string>(names: Readonly<Record<Key, unknown>>) =>
  Object.keys(names).filter((name): name is Key => Object.hasOwn(names, name))

const operatorsTakingNumbers: ReadonlySet<unknown> = new Set(
  keysOf(operators).filter((operator) => takes(operator, "number")),
)

/** Operators that take numbers take texts that spell them, too. */
const withText = (condition: RuleJson): RuleJson =>
  operatorsTakingNumbers.has(condition["operator"]) && typeof condition["value"] === "number"
    ? { ...condition, value: String(condition["value"]) }
    : condition

/** Returns a leaf with texts for the numbers in its conditions, and for a number as the type of an object. */
const withTexts = (leaf: RuleJson): RuleJson => {
  const { object, type, where } = leaf
  return {
    ...leaf,
    ...(typeof type === "number" ? { type: String(type) } : {}),
    ...(isRule(object) ? { object: withTexts(object) } : {}),
    ...(Array.isArray(where) && where.every(isRule) ? { where: where.map(withText) } : {}),
  }
}

const withoutOnce = (leaf: RuleJson): RuleJson => {
  const { count, ...rest } = leaf
  return isSame(count, { gte: 1 }) ? rest : leaf
}

/** Returns the row that may build a leaf. */
const leafRow = (leaf: RuleJson, row: RuleRow): RuleRow | undefined => {
  const kind = keysOf(rowKinds).find((one) => isRule(leaf[one]))
  const inner = kind === undefined ? undefined : leaf[kind]
  if (kind === undefined || !isRule(inner)) return undefined
  switch (kind) {
    case "attribute":
      return withCondition(inner, { ...row, kind })
    case "event":
    case "page":
    case "screen":
    case "metric":
    case "form":
    case "device":
    case "relationship":
      return withParts(inner, { ...row, kind })
    case "segment":
      return { ...row, kind, segment: textOf(inner["id"]) }
    case "subscription":
      return { ...row, kind }
    case "identity":
      return { ...row, kind, has: keysOf(identifiers).find((one) => one === inner["has"]) ?? row.has }
    case "age": {
      const age = keysOf(ages).find((one) => Object.hasOwn(inner, one)) ?? row.age
      return { ...row, kind, age, value: textOf(inner[age]) }
    }
    case "json":
      return undefined
  }
}

/** Returns a condition with what a rule asks for, or undefined if it is none. */
const withCondition = <Condition extends RowCondition>(
  { field, operator, value }: RuleJson,
  condition: Condition,
): Condition | undefined => {
  const known = keysOf(operators).find((one) => one === operator)
  if (typeof field !== "string" || known === undefined) return undefined
  return {
    ...condition,
    field,
    operator: known,
    value: Array.isArray(value) ? value.join(", ") : textOf(value),
  }
}

/** Returns a row with a name, conditions, a count and a window. */
const withParts = (leaf: RuleJson, row: RuleRow): RuleRow | undefined => {
  const { count, object, within } = leaf
  const counted = isRule(count) ? count : { gte: 1 }
  const operator = keysOf(counts).find((one) => Object.hasOwn(counted, one)) ?? "gte"
  const conditions = isRule(object) ? object["where"] : leaf["where"]
  const where = (Array.isArray(conditions) ? conditions : []).map((one, key) =>
    isRule(one) ? withCondition(one, newCondition(key)) : undefined,
  )
  if (where.some((one) => one === undefined)) return undefined
  return {
    ...row,
    name: textOf(leaf["name"] ?? leaf["id"] ?? leaf["type"]),
    channel: keysOf(channels).find((one) => one === leaf["channel"]) ?? "any",
    metric: keysOf(metrics).find((one) => one === leaf["metric"]) ?? row.metric,
    where: where.filter((one) => one !== undefined),
    count: operator,
    times: textOf(counted[operator]),
    within: textOf(within),
  }
}

const textOf = (value: unknown): string => (value === undefined ? "" : String(value))

const isRule = (value: unknown): value is RuleJson =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns whether two values are the same JSON, in whatever order their objects name the keys. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]))
  if (!isRule(one) || !isRule(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}
