import { Result } from "effect"
import { exceedsBytes } from "../values/Json.ts"
import type { Condition, Scalar, ValueTest } from "./Rule.ts"
import type { Read, RulePart } from "./RulePart.ts"
import { conditionsMax, ruleTextBytesMax, valuesMax } from "./ruleBounds.ts"
import { ruleTexts } from "./ruleTexts.ts"

const operators = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "contains",
  "starts_with",
  "ends_with",
  "exists",
  "is_true",
  "before",
  "after",
  "within_past",
  "within_next",
  "more_than_ago",
  "more_than_ahead",
] as const

/** What other tools and languages call the operators. */
const operatorsElsewhere = {
  "=": "eq",
  "==": "eq",
  "===": "eq",
  is: "eq",
  equals: "eq",
  "!=": "ne",
  "<>": "ne",
  is_not: "ne",
  not_equal: "ne",
  not_equals: "ne",
  ">": "gt",
  greater_than: "gt",
  ">=": "gte",
  at_least: "gte",
  "<": "lt",
  less_than: "lt",
  "<=": "lte",
  at_most: "lte",
  one_of: "in",
  any_of: "in",
  includes: "contains",
  like: "contains",
  begins_with: "starts_with",
  prefix: "starts_with",
  suffix: "ends_with",
  is_set: "exists",
  present: "exists",
  true: "is_true",
  since: "after",
  until: "before",
  within: "within_past",
  in_the_last: "within_past",
  in_the_next: "within_next",
} as const

const example = '{"field": "plan", "operator": "eq", "value": "pro"}'

/** Reads the conditions of a `where`, none if it is absent. */
export const decodeWhere = (part: RulePart): Read<ReadonlyArray<Condition>> =>
  part.isAbsent
    ? Result.succeed([])
    : Result.gen(function* () {
        const conditions: Array<Condition> = []
        for (const item of yield* part.array("condition", conditionsMax)) {
          conditions.push(yield* decodeCondition(item))
        }
        return conditions
      })

export const decodeCondition = (part: RulePart): Read<Condition> =>
  Result.gen(function* () {
    yield* part.object(["field", "operator", "value", "any"], example)
    if (part.at("field").isAbsent) return yield* part.fault(ruleTexts.missing("field"))
    if (part.at("operator").isAbsent) return yield* part.fault(ruleTexts.missing("operator"))
    const field = canonicalField(yield* part.at("field").text())
    const any = part.at("any").isAbsent ? false : yield* part.at("any").boolean()
    const test = yield* decodeTest(part)
    return { field, any, test: field === "email" ? inLowerCase(test) : test }
  })

/** Replaces the prefix `cio_` of reserved names, as in requests. */
const canonicalField = (field: string): string =>
  field.replace(/^cio_(?=id$|subscription_preferences(?:\.|$))/, "svc_")

const decodeTest = (part: RulePart): Read<ValueTest> =>
  Result.gen(function* () {
    const operator = yield* part.at("operator").word("operator", operators, operatorsElsewhere)
    const value = part.at("value")
    switch (operator) {
      case "eq":
        return { _tag: "Equals", value: yield* decodeScalar(value) }
      case "ne":
        return { _tag: "Differs", value: yield* decodeScalar(value) }
      case "gt":
      case "gte":
      case "lt":
      case "lte": {
        const number = numberIn(value.value)
        if (number === undefined) return yield* value.fault(ruleTexts.notNumber(operator))
        return { _tag: "Ordered", operator, value: number }
      }
      case "in": {
        const values: Array<Scalar> = []
        for (const item of yield* value.array("value", valuesMax)) values.push(yield* decodeScalar(item))
        return { _tag: "OneOf", values }
      }
      case "contains":
      case "starts_with":
      case "ends_with":
        return { _tag: "Text", operator, value: yield* value.text() }
      case "exists":
        if (!value.isAbsent && value.value !== true) return yield* value.fault(ruleTexts.existsValue)
        return { _tag: "Exists" }
      case "is_true":
        if (!value.isAbsent) return yield* value.fault(ruleTexts.noValue(operator))
        return { _tag: "IsTrue" }
      case "before":
      case "after":
        return { _tag: "Instant", operator, at: yield* value.instant() }
      case "within_past":
      case "within_next":
      case "more_than_ago":
      case "more_than_ahead":
        return { _tag: "Relative", operator, ms: yield* value.duration() }
    }
  })

const decodeScalar = (part: RulePart): Read<Scalar> => {
  const { value } = part
  if (value === null) return part.fault(ruleTexts.nullValue)
  if (typeof value === "string") {
    return exceedsBytes(value, ruleTextBytesMax)
      ? part.fault(ruleTexts.textTooLong(ruleTextBytesMax))
      : Result.succeed(value)
  }
  return typeof value === "number" || typeof value === "boolean"
    ? Result.succeed(value)
    : part.fault(ruleTexts.notScalar)
}

const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns a number, or the number that a text spells. Returns undefined for anything else. */
export const numberIn = (value: unknown): number | undefined => {
  if (typeof value === "number") return value
  if (typeof value !== "string" || !numeral.test(value.trim())) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** Emails are compared without regard to case (contract §6). */
const inLowerCase = (test: ValueTest): ValueTest => {
  switch (test._tag) {
    case "Equals":
    case "Differs":
      return { ...test, value: lower(test.value) }
    case "OneOf":
      return { ...test, values: test.values.map(lower) }
    case "Text":
      return { ...test, value: test.value.toLowerCase() }
    case "Ordered":
    case "Exists":
    case "IsTrue":
    case "Instant":
    case "Relative":
      return test
  }
}

const lower = (value: Scalar): Scalar => (typeof value === "string" ? value.toLowerCase() : value)
