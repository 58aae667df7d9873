import { assert, describe, it } from "@effect/vitest"
import { ruleNames } from "@inlet/core/log/RuleName"
import { findRule } from "@inlet/api/rules/findRule"
import { rules } from "@inlet/api/rules/generated"

describe("rules", () => {
  it("have a text for every name that an entry can hold", () => {
    assert.deepStrictEqual(
      ruleNames.filter((name) => findRule(name) === undefined),
      [],
    )
  })

  it("have names and addresses of their own", () => {
    assert.strictEqual(new Set(rules.map(({ rule }) => rule)).size, rules.length)
    assert.strictEqual(new Set(rules.map(({ url }) => url)).size, rules.length)
  })

  it("have a title and a text", () => {
    assert.deepStrictEqual(
      rules
        .filter(({ text, title }) => text === "" || title === "" || text.includes("<a "))
        .map(({ rule }) => rule),
      [],
    )
  })

  it("are found by their whole name only", () => {
    assert.strictEqual(findRule("contract §6 merge")?.title, "People: when a merge happens")
    assert.strictEqual(findRule("merge"), undefined)
    assert.strictEqual(findRule("toString"), undefined)
  })
})
