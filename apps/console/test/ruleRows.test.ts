import { assert, describe, it } from "vitest"
import { rowsOfRule } from "../src/pages/segments/rowsOfRule.ts"
import { newRow, ruleOfRow, ruleOfRows, type RuleRow } from "../src/pages/segments/ruleRows.ts"

const row = (given: Partial<RuleRow>): RuleRow => ({ ...newRow(0), ...given })

const total = { key: 0, field: "total", operator: "gte", value: "100" } as const

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
    [{ kind: "screen", name: "Home" }, { screen: { name: "Home" } }],
    [
      { kind: "event", name: "bought", where: [total] },
      { event: { name: "bought", where: [{ field: "total", operator: "gte", value: "100" }] } },
    ],
    [{ kind: "metric", metric: "clicked", within: "2w" }, { metric: { metric: "clicked", within: "2w" } }],
    [
      { kind: "metric", channel: "email", times: "2" },
      { metric: { channel: "email", metric: "opened", count: { gte: 2 } } },
    ],
    [{ kind: "form", name: "newsletter" }, { form: { id: "newsletter" } }],
    [{ kind: "device" }, { device: {} }],
    [
      { kind: "device", where: [{ key: 0, field: "platform", operator: "eq", value: "ios" }] },
      { device: { where: [{ field: "platform", operator: "eq", value: "ios" }] } },
    ],
    [
      { kind: "relationship", name: "1", where: [total] },
      { relationship: { type: "1", object: { where: [{ field: "total", operator: "gte", value: "100" }] } } },
    ],
    [{ kind: "relationship", name: "1" }, { relationship: { type: "1" } }],
    [{ kind: "identity", has: "anonymous_id", isNot: true }, { not: { identity: { has: "anonymous_id" } } }],
    [{ kind: "age", age: "lt", value: "7d" }, { age: { lt: "7d" } }],
    [{ kind: "json", json: '{"form": {"id": "f"}}' }, { form: { id: "f" } }],
  ]
  it.each(complete)("the row %j asks for its rule", (given, rule) =>
    assert.deepStrictEqual(ruleOfRow(row(given)), rule),
  )

  it.each(complete.filter(([{ kind }]) => kind !== "json"))(
    "the row %j is found again in its rule",
    (given, rule) => {
      const built = rowsOfRule(ruleOfRow(row(given)) ?? {})
      assert.strictEqual(built.rows[0]?.kind, given.kind ?? "attribute")
      assert.deepStrictEqual(ruleOfRows(built.match, built.rows), rule)
    },
  )

  it("a rule that rows cannot ask for becomes a row with JSON, and numbers become texts", () => {
    const role = { relationship: { type: "1", where: [{ field: "role", operator: "eq", value: "admin" }] } }
    assert.deepInclude(rowsOfRule(role).rows[0], { kind: "json", json: JSON.stringify(role, null, 2) })
    const between = { event: { name: "bought", between: ["2026-01-01", "2026-02-01"] } }
    assert.deepInclude(rowsOfRule(between).rows[0], { kind: "json" })
    const seats = {
      relationship: { type: 1, object: { where: [{ field: "seats", operator: "gt", value: 100 }] } },
    }
    const [found] = rowsOfRule(seats).rows
    assert.deepInclude(found, { kind: "relationship", name: "1" })
    assert.deepInclude(found?.where[0], { field: "seats", value: "100" })
  })

  const incomplete: ReadonlyArray<Partial<RuleRow>> = [
    {},
    { field: "plan" },
    { field: "seen", operator: "within_past", value: "30" },
    { kind: "event", name: "bought", times: "" },
    { kind: "event", name: "bought", within: "a month" },
    { kind: "event", name: "bought", where: [{ ...total, value: "" }] },
    { kind: "relationship" },
    { kind: "age", value: "7" },
    { kind: "segment" },
    { kind: "json", json: "[1]" },
    { kind: "json", json: "{" },
  ]
  it.each(incomplete)("the row %j is not complete", (given) => assert.isUndefined(ruleOfRow(row(given))))

  it("a rule combines all rows, a single one stands alone, and an incomplete one is not left out", () => {
    const [one, two] = [row({ kind: "event", name: "a" }), row({ kind: "event", name: "b" })]
    assert.deepStrictEqual(ruleOfRows("or", [one, two]), {
      or: [{ event: { name: "a" } }, { event: { name: "b" } }],
    })
    assert.deepStrictEqual(ruleOfRows("and", [one]), { event: { name: "a" } })
    assert.isUndefined(ruleOfRows("and", [one, row({})]))
    assert.isUndefined(ruleOfRows("and", [row({})]))
  })
})
