import { assert, describe, it } from "vitest"
import { rowOfRule } from "../src/pages/segments/rowOfRule.ts"
import { newRow, ruleOfRow, sources, sourcesLeft, type RuleRow } from "../src/pages/segments/ruleRows.ts"

const row = (given: Partial<RuleRow>): RuleRow => ({ ...newRow(0), ...given })

const total = {
  key: 0,
  any: false,
  ignoreCase: false,
  field: "total",
  operator: "gte",
  value: "100",
} as const

describe("rows of the rule builder", () => {
  const complete: ReadonlyArray<readonly [given: Partial<RuleRow>, rule: object]> = [
    [{ field: "plan", value: "pro" }, { attribute: { field: "plan", operator: "eq", value: "pro" } }],
    [
      { field: "plan", operator: "in", value: "pro, team," },
      { attribute: { field: "plan", operator: "in", value: ["pro", "team"] } },
    ],
    [{ field: "phone", operator: "exists" }, { attribute: { field: "phone", operator: "exists" } }],
    [
      { field: "plan", operator: "starts_with", value: "Pro", ignoreCase: true },
      { attribute: { field: "plan", operator: "starts_with", value: "Pro", ignore_case: true } },
    ],
    [{ kind: "event", name: "bought" }, { event: { name: "bought" } }],
    [
      { kind: "event", name: "bought", times: "3", window: "within", within: "30d", isNot: true },
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
    [
      { kind: "metric", metric: "clicked", window: "within", within: "2w" },
      { metric: { metric: "clicked", within: "2w" } },
    ],
    [
      { kind: "metric", channel: "email", times: "2" },
      { metric: { channel: "email", metric: "opened", count: { gte: 2 } } },
    ],
    [{ kind: "form", name: "newsletter" }, { form: { id: "newsletter" } }],
    [{ kind: "device" }, { device: {} }],
    [
      { kind: "subscription", subscription: "noTopic", name: "news" },
      { subscription: { topic: "news", value: false } },
    ],
    [
      { kind: "event", name: "bought", window: "between", from: "2026-01-01", to: "2026-02-01" },
      { event: { name: "bought", between: ["2026-01-01", "2026-02-01"] } },
    ],
    [
      { kind: "event", name: "bought", window: "within", within: "30d", isNot: true, aged: false },
      { not: { event: { name: "bought", within: "30d" } }, aged: false },
    ],
    [
      { kind: "event", name: "bought", window: "within", within: "30d", count: "lte", aged: false },
      { event: { name: "bought", count: { lte: 1 }, within: "30d", aged: false } },
    ],
    [
      {
        kind: "relationship",
        name: "1",
        times: "2",
        whereRelated: [{ ...total, field: "role", operator: "eq", value: "admin" }],
      },
      {
        relationship: {
          type: "1",
          where: [{ field: "role", operator: "eq", value: "admin" }],
          count: { gte: 2 },
        },
      },
    ],
    [
      { kind: "metric", source: [{ key: 0, name: "campaign_id", value: "3" }] },
      { metric: { metric: "opened", source: { campaign_id: "3" } } },
    ],
    [
      { kind: "device", where: [{ ...total, field: "platform", operator: "eq", value: "ios" }] },
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
      const built = rowOfRule(ruleOfRow(row(given)) ?? {}, 0)
      assert.strictEqual(built.kind, given.kind ?? "attribute")
      assert.deepStrictEqual(ruleOfRow(built), rule)
    },
  )

  const incomplete: ReadonlyArray<Partial<RuleRow>> = [
    {},
    { field: "plan" },
    { field: "seen", operator: "within_past", value: "30" },
    { kind: "event", name: "bought", times: "" },
    { kind: "event", name: "bought", window: "within", within: "a month" },
    { kind: "event", name: "bought", where: [{ ...total, value: "" }] },
    { kind: "relationship" },
    { kind: "event", name: "bought", window: "between", from: "2026-01-01" },
    { kind: "metric", source: [{ key: 0, name: "campaign_id", value: "" }] },
    { kind: "subscription", subscription: "topic" },
    { operator: "in", field: "plan", value: " , " },
    { kind: "age", value: "7" },
    { kind: "segment" },
    { kind: "json", json: "[1]" },
    { kind: "json", json: "{" },
  ]
  it.each(incomplete)("the row %j is not complete", (given) => assert.isUndefined(ruleOfRow(row(given))))
})

describe("the ids by which a row chooses messages", () => {
  const campaign = { key: 0, name: "campaign_id", value: "1" } as const
  const newsletter = { key: 1, name: "newsletter_id", value: "2" } as const

  it("have each a kind of its own, because a rule has one id of a kind", () => {
    const left = sourcesLeft([campaign, newsletter], newsletter)
    assert.notInclude(left, "campaign_id")
    assert.include(left, "newsletter_id")
    assert.notInclude(sourcesLeft([campaign, newsletter]), "newsletter_id")
    assert.lengthOf(sourcesLeft([]), Object.keys(sources).length)
  })
})
