/** What one row of the rule builder can ask for. A rule that no other kind can express is written as JSON. */
export const rowKinds = {
  attribute: "Attribute",
  event: "Event",
  page: "Page view",
  segment: "Segment",
  subscription: "Unsubscribed",
  json: "Rule as JSON",
} as const

export type RowKind = keyof typeof rowKinds

/** The tests of an attribute. Those without a value are `exists` and `is_true`. */
export const operators = {
  eq: "is",
  ne: "is not",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  in: "is one of",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
  exists: "is set",
  is_true: "is true",
  before: "is before",
  after: "is after",
  within_past: "is within the past",
  within_next: "is within the next",
  more_than_ago: "is more than … ago",
  more_than_ahead: "is more than … ahead",
} as const

export type Operator = keyof typeof operators

export const takesValue = (operator: Operator): boolean => operator !== "exists" && operator !== "is_true"

export const counts = { gte: "at least", lte: "at most", eq: "exactly" } as const

export type CountOperator = keyof typeof counts

/** One row of the rule builder, as the operator typed it. */
export interface RuleRow {
  readonly key: number
  readonly kind: RowKind
  readonly isNot: boolean
  readonly field: string
  readonly operator: Operator
  readonly value: string
  readonly name: string
  readonly count: CountOperator
  readonly times: string
  readonly within: string
  readonly segment: string
  readonly json: string
}

export const newRow = (key: number, kind: RowKind = "attribute"): RuleRow => ({
  key,
  kind,
  isNot: false,
  field: "",
  operator: "eq",
  value: "",
  name: "",
  count: "gte",
  times: "1",
  within: "",
  segment: "",
  json: "",
})

const duration = /^\d{1,9}[mhdw]$/

const takesDuration = (operator: Operator): boolean =>
  operator.startsWith("within_") || operator.startsWith("more_than_")

type Json = string | number | boolean | null | ReadonlyArray<Json> | RuleJson

/** A rule, as the management API takes it. */
export interface RuleJson {
  readonly [key: string]: Json
}

/** Returns the rule of a row, or undefined while it is incomplete. */
export const ruleOfRow = (row: RuleRow): RuleJson | undefined => {
  const rule = leafOf(row)
  if (rule === undefined) return undefined
  return row.isNot ? { not: rule } : rule
}

/** Returns the rule of all complete rows, or undefined if there is none. */
export const ruleOfRows = (match: "and" | "or", rows: ReadonlyArray<RuleRow>): RuleJson | undefined => {
  const rules = rows.map(ruleOfRow).filter((rule) => rule !== undefined)
  return rules.length > 1 ? { [match]: rules } : rules[0]
}

const leafOf = (row: RuleRow): RuleJson | undefined => {
  switch (row.kind) {
    case "attribute": {
      const field = row.field.trim()
      if (field === "" || (takesValue(row.operator) && row.value.trim() === "")) return undefined
      if (takesDuration(row.operator) && !duration.test(row.value.trim())) return undefined
      const value = takesValue(row.operator) ? { value: valueOf(row) } : {}
      return { attribute: { field, operator: row.operator, ...value } }
    }
    case "event":
    case "page": {
      const name = row.name.trim()
      const n = Number(row.times)
      if (name === "" || row.times.trim() === "" || !Number.isInteger(n)) return undefined
      const isOnce = row.count === "gte" && n === 1
      const within = row.within.trim()
      if (within !== "" && !duration.test(within)) return undefined
      return {
        [row.kind]: {
          name,
          ...(isOnce ? {} : { count: { [row.count]: n } }),
          ...(within === "" ? {} : { within }),
        },
      }
    }
    case "segment": {
      const id = Number(row.segment)
      return row.segment.trim() !== "" && Number.isInteger(id) ? { segment: { id } } : undefined
    }
    case "subscription":
      return { subscription: { unsubscribed: true } }
    case "json":
      return parsed(row.json)
  }
}

/** `in` takes a list. Every other value stays text, because rules compare texts with numbers and true by what they spell. */
const valueOf = ({ operator, value }: RuleRow): Json =>
  operator === "in"
    ? value
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    : value.trim()

/** Returns the object that a text spells as JSON, or undefined if it spells none. */
const parsed = (text: string): RuleJson | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return isRuleJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value can be a rule. The server checks the rest. */
export const isRuleJson = (value: unknown): value is RuleJson =>
  typeof value === "object" && value !== null && !Array.isArray(value)
