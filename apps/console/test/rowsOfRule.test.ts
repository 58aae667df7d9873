import { assert, describe, it } from "vitest"
import { rowsOfRule } from "../src/pages/segments/rowsOfRule.ts"
import { ruleOfRows, type RuleJson } from "../src/pages/segments/ruleRows.ts"

const rules: ReadonlyArray<readonly [kinds: string, rule: RuleJson]> = [
  ["attribute", { attribute: { field: "plan", operator: "eq", value: "pro" } }],
  ["attribute", { attribute: { operator: "exists", field: "plan" } }],
  ["attribute", { not: { attribute: { field: "plan", operator: "in", value: ["pro", "team"] } } }],
  ["event", { event: { name: "bought" } }],
  ["event", { event: { name: "bought", count: { lte: 3 }, within: "30d" } }],
  ["event", { event: { name: "bought", where: [{ field: "price", operator: "gt", value: "5" }] } }],
  [
    "page segment subscription",
    {
      or: [
        { page: { name: "/pricing*", count: { gte: 2 } } },
        { segment: { id: 3 } },
        { not: { subscription: { unsubscribed: true } } },
      ],
    },
  ],
  // What no row of another kind builds exactly.
  ["json", { attribute: { field: "seats", operator: "eq", value: 10 } }],
  ["json", { attribute: { field: "city", operator: "in", value: ["Bonn, Germany"] } }],
  ["json", { attribute: { field: "tags", operator: "eq", value: "a", any: true } }],
  ["json", { not: { event: { name: "bought" } }, aged: true }],
  ["json", { subscription: { topic: "news", value: true } }],
  ["json", { and: [{ event: { name: "bought" } }] }],
  [
    "event json",
    { and: [{ event: { name: "bought" } }, { or: [{ segment: { id: 1 } }, { segment: { id: 2 } }] }] },
  ],
]

describe("a rule in the builder", () => {
  it.each(rules)("is filled into rows (%s) that build the same rule: %j", (kinds, rule) => {
    const { match, rows } = rowsOfRule(rule)
    assert.strictEqual(rows.map(({ kind }) => kind).join(" "), kinds)
    assert.deepStrictEqual(ruleOfRows(match, rows), rule)
  })

  it.each<readonly [rule: RuleJson, built: RuleJson]>([
    [{ event: { name: "bought", count: { gte: 1 } } }, { event: { name: "bought" } }],
    [
      { not: { attribute: { field: "seats", operator: "gt", value: 10 } } },
      { not: { attribute: { field: "seats", operator: "gt", value: "10" } } },
    ],
  ])("%j is filled into a row that builds the same in other words", (rule, built) => {
    const { match, rows } = rowsOfRule(rule)
    assert.notInclude(
      rows.map(({ kind }) => kind),
      "json",
    )
    assert.deepStrictEqual(ruleOfRows(match, rows), built)
  })
})
