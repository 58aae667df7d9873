import { assert, describe, it } from "@effect/vitest"
import { Schema, Struct } from "effect"
import { operators } from "../src/rule/operators.ts"
import { leafKeys, RuleJson } from "../src/rule/ruleLanguage.ts"
import { bought, decoded, planIs } from "./ruleExamples.ts"

const isRule = Schema.is(RuleJson)

/** An example as the rule builder sends it. */
const given = (operator: keyof typeof operators) => {
  const { example, takes } = operators[operator]
  return takes === "nothing" ? {} : { value: takes === "scalars" ? example.split(", ") : example }
}

describe("the schema of rules", () => {
  it.each(Struct.keys(operators))(
    "accepts the operator %s with its example, as the decoder does",
    (operator) => {
      const rule = { attribute: { field: "plan", operator, ...given(operator) } }
      assert.isTrue(isRule(rule))
      assert.strictEqual(decoded(rule)._tag, "HasAttribute")
    },
  )

  it("has every kind of leaf", () => {
    const found = new Set(
      "members" in RuleJson && Array.isArray(RuleJson.members)
        ? RuleJson.members.flatMap(({ fields }) => Object.keys(fields))
        : [],
    )
    assert.includeMembers([...found], leafKeys)
  })

  it("refuses an operator that takes another kind of value, and what is no leaf", () => {
    const nested = { and: [planIs("pro"), { not: bought({ within: "30d" }), aged: false }] }
    assert.isTrue(isRule(nested))
    assert.isFalse(isRule({ attribute: { field: "plan", operator: "in", value: "pro" } }))
    assert.isFalse(isRule({ attribute: { field: "plan", operator: "gte", value: true } }))
    assert.isFalse(isRule({ and: [] }))
    assert.isFalse(isRule({ unknown: {} }))
  })
})
