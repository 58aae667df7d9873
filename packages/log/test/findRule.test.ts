import { assert, describe, it } from "@effect/vitest"
import { ruleNames } from "@inlethq/core/log/RuleName"
import { findRule } from "../src/rules/findRule.ts"
import { rules } from "../src/rules/generated.ts"

describe("findRule", () => {
  it("`findRule` finds every rule that can be cited in an activity entry", () => {
    assert.deepStrictEqual(
      ruleNames.filter((name) => findRule(name) === undefined),
      [],
    )
  })

  it("`findRule` returns a unique name and URL for each rule", () => {
    assert.strictEqual(new Set(rules.map(({ rule }) => rule)).size, rules.length)
    assert.strictEqual(new Set(rules.map(({ url }) => url)).size, rules.length)
  })

  it("`findRule` returns a title and a text for each rule", () => {
    assert.deepStrictEqual(
      rules
        .filter(({ text, title }) => text === "" || title === "" || text.includes("<a "))
        .map(({ rule }) => rule),
      [],
    )
  })

  it("`findRule` finds a rule only if it is given the full name of the rule", () => {
    assert.strictEqual(findRule("contract §6 merge")?.title, "People: when a merge happens")
    assert.strictEqual(findRule("merge"), undefined)
    assert.strictEqual(findRule("toString"), undefined)
  })
})
