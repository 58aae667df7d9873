import { assert, describe, it } from "vitest"
import { newRow, ruleOfRow, ruleOfRows, type RuleRow } from "../src/pages/segments/ruleRows.ts"

const row = (given: Partial<RuleRow>): RuleRow => ({ ...newRow(0), ...given })

describe("rows of the rule builder", () => {
  const complete: ReadonlyArray<readonly [given: Partial<RuleRow>, rule: object]> = [
    [{ field: "plan", value: "pro" }, { attribute: { field: "plan", operator: "eq", value: "pro" } }],
    [
      { field: "plan", operator: "in", value: "pro, team," },
      { attribute: { field: "plan", operator: "in", value: ["pro", "team"] } },
    ],
    [{ field: "phone", operator: "exists" }, { attribute: { field: "phone", operator: "exists" } }],
    [{ kind: "event", name: "bought" }, { event: { name: "bought" } }],
    [
      { kind: "event", name: "bought", times: "3", within: "30d", isNot: true },
      { not: { event: { name: "bought", count: { gte: 3 }, within: "30d" } } },
    ],
    [{ kind: "page", name: "/a*", count: "lte", times: "1" }, { page: { name: "/a*", count: { lte: 1 } } }],
    [{ kind: "segment", segment: "3" }, { segment: { id: 3 } }],
    [{ kind: "subscription" }, { subscription: { unsubscribed: true } }],
    [{ kind: "json", json: '{"form": {"id": "f"}}' }, { form: { id: "f" } }],
  ]
  it.each(complete)("the row %j asks for its rule", (given, rule) =>
    assert.deepStrictEqual(ruleOfRow(row(given)), rule),
  )

  const incomplete: ReadonlyArray<Partial<RuleRow>> = [
    {},
    { field: "plan" },
    { field: "seen", operator: "within_past", value: "30" },
    { kind: "event", name: "bought", times: "" },
    { kind: "event", name: "bought", within: "a month" },
    { kind: "segment" },
    { kind: "json", json: "[1]" },
    { kind: "json", json: "{" },
  ]
  it.each(incomplete)("the row %j is not complete", (given) => assert.isUndefined(ruleOfRow(row(given))))

  it("a rule combines the complete rows, and a single one stands alone", () => {
    const [one, two] = [row({ kind: "event", name: "a" }), row({ kind: "event", name: "b" })]
    assert.deepStrictEqual(ruleOfRows("or", [one, row({}), two]), {
      or: [{ event: { name: "a" } }, { event: { name: "b" } }],
    })
    assert.deepStrictEqual(ruleOfRows("and", [row({}), one]), { event: { name: "a" } })
    assert.isUndefined(ruleOfRows("and", [row({})]))
  })
})
