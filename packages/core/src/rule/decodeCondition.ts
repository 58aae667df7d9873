import { Result } from "effect"
import { exceedsBytes } from "../values/Json.ts"
import { numberIn } from "./numberIn.ts"
import { takes, testsText, type Scalar } from "./operators.ts"
import type { Condition as DecodedCondition, ValueTest } from "./Rule.ts"
import type { Read, RulePart } from "./RulePart.ts"
import { conditionsMax, ruleTextBytesMax, valuesMax } from "./ruleBounds.ts"
import { Condition, Operator } from "./ruleLanguage.ts"
import { ruleTexts } from "./ruleTexts.ts"

/** Reads the conditions of a `where`, none if it is absent. */
export const decodeWhere = (part: RulePart): Read<ReadonlyArray<DecodedCondition>> =>
  part.isAbsent
    ? Result.succeed([])
    : Result.gen(function* () {
        const conditions: Array<DecodedCondition> = []
        for (const item of yield* part.array("condition", conditionsMax)) {
          conditions.push(yield* decodeCondition(item))
        }
        return conditions
      })

export const decodeCondition = (part: RulePart): Read<DecodedCondition> =>
  Result.gen(function* () {
    yield* part.object(Condition)
    if (part.at("field").isAbsent) return yield* part.fault(ruleTexts.missing("field"))
    if (part.at("operator").isAbsent) return yield* part.fault(ruleTexts.missing("operator"))
    const field = canonicalField(yield* part.at("field").text())
    const any = part.at("any").isAbsent ? false : yield* part.at("any").boolean()
    const given = yield* decodeTest(part)
    const test = (yield* decodeCase(part, given)) ? ignoringCase(given) : given
    return { field, any, test: field === "email" ? inLowerCase(test) : test }
  })

/** Replaces the prefix `cio_` of reserved names, as in requests. */
const canonicalField = (field: string): string =>
  field.replace(/^cio_(?=id$|subscription_preferences(?:\.|$))/, "svc_")

const decodeTest = (part: RulePart): Read<ValueTest> =>
  Result.gen(function* () {
    const operator = yield* part.at("operator").word("operator", Operator)
    const value = part.at("value")
    if (takes(operator, "scalar")) return { _tag: "Scalar", operator, value: yield* decodeScalar(value) }
    if (takes(operator, "scalars")) {
      const values: Array<Scalar> = []
      for (const item of yield* value.array("value", valuesMax)) values.push(yield* decodeScalar(item))
      return { _tag: "Scalars", operator, values }
    }
    if (takes(operator, "number")) {
      const number = numberIn(value.value)
      if (number === undefined) return yield* value.fault(ruleTexts.notNumber(operator))
      return { _tag: "Number", operator, value: number }
    }
    if (takes(operator, "text")) return { _tag: "Text", operator, value: yield* value.text() }
    if (takes(operator, "nothing")) {
      if (value.isAbsent || (operator === "exists" && value.value === true))
        return { _tag: "Nothing", operator }
      return yield* value.fault(operator === "exists" ? ruleTexts.existsValue : ruleTexts.noValue(operator))
    }
    return takes(operator, "instant")
      ? { _tag: "Instant", operator, at: yield* value.instant() }
      : { _tag: "Duration", operator, ms: yield* value.duration() }
  })

/** Returns whether a test ignores case. Only those of texts may say whether they do. */
const decodeCase = (part: RulePart, { operator }: ValueTest): Read<boolean> => {
  const ignores = part.at("ignore_case")
  if (ignores.isAbsent) return Result.succeed(false)
  return testsText(operator) ? ignores.boolean() : ignores.fault(ruleTexts.noCase(operator))
}

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

const ignoringCase = (test: ValueTest): ValueTest => {
  const lower = inLowerCase(test)
  return lower._tag === "Scalar" || lower._tag === "Scalars" || lower._tag === "Text"
    ? { ...lower, ignoresCase: true }
    : lower
}

/** Emails are compared without regard to case (contract §6). */
const inLowerCase = (test: ValueTest): ValueTest => {
  switch (test._tag) {
    case "Scalar":
      return { ...test, value: lower(test.value) }
    case "Scalars":
      return { ...test, values: test.values.map(lower) }
    case "Text":
      return { ...test, value: test.value.toLowerCase() }
    case "Number":
    case "Nothing":
    case "Instant":
    case "Duration":
      return test
  }
}

const lower = (value: Scalar): Scalar => (typeof value === "string" ? value.toLowerCase() : value)
