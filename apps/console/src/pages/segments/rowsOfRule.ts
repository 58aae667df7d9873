import {
  counts,
  newRow,
  operators,
  ruleOfRow,
  type CountOperator,
  type Operator,
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

/** Numbers that are compared by size mean the same as texts that spell them. */
const bySize: ReadonlySet<unknown> = new Set<Operator>(["gt", "gte", "lt", "lte"])

/** Returns a rule as the rows write it: without what is said anyway, and with texts for numbers. */
const asBuilt = (rule: RuleJson): RuleJson => {
  const { attribute, event, not, page } = rule
  if (isRule(not)) return { ...rule, not: asBuilt(not) }
  if (isRule(attribute) && bySize.has(attribute["operator"]) && typeof attribute["value"] === "number")
    return { ...rule, attribute: { ...attribute, value: String(attribute["value"]) } }
  if (isRule(event)) return { ...rule, event: withoutOnce(event) }
  return isRule(page) ? { ...rule, page: withoutOnce(page) } : rule
}

const withoutOnce = (event: RuleJson): RuleJson => {
  const { count, ...rest } = event
  return isSame(count, { gte: 1 }) ? rest : event
}

/** Returns the row that may build a leaf. */
const leafRow = (
  { attribute, event, page, segment, subscription }: RuleJson,
  row: RuleRow,
): RuleRow | undefined => {
  if (isRule(attribute)) {
    const { field, operator, value } = attribute
    const known = keysOf(operators).find((one) => one === operator)
    if (typeof field !== "string" || known === undefined) return undefined
    return { ...row, field, operator: known, value: Array.isArray(value) ? value.join(", ") : textOf(value) }
  }
  if (isRule(event)) return eventRow(event, { ...row, kind: "event" })
  if (isRule(page)) return eventRow(page, { ...row, kind: "page" })
  if (isRule(segment)) return { ...row, kind: "segment", segment: textOf(segment["id"]) }
  return isRule(subscription) ? { ...row, kind: "subscription" } : undefined
}

const eventRow = ({ count, name, within }: RuleJson, row: RuleRow): RuleRow => {
  const counted = isRule(count) ? count : { gte: 1 }
  const operator = keysOf(counts).find((one) => Object.hasOwn(counted, one)) ?? "gte"
  return {
    ...row,
    name: textOf(name),
    count: operator,
    times: textOf(counted[operator]),
    within: textOf(within),
  }
}

const keysOf = <Key extends Operator | CountOperator>(names: Readonly<Record<Key, string>>) =>
  Object.keys(names).filter((name): name is Key => Object.hasOwn(names, name))

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
