import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@inlethq/core/values/Json"
import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { leavesOf } from "../src/rule/Rule.ts"
import { assertSame } from "./harness.ts"
import { refuses } from "./refusesRule.ts"
import { bought, decoded, planIs } from "./ruleExamples.ts"

const boughtLeaf = (n = 1, operator = "gte") => ({
  _tag: "Occurred",
  kind: "event",
  name: "bought",
  where: [],
  count: { operator, n },
  window: { _tag: "Within", ms: 30 * dayMs },
})

/** Returns the milliseconds of the window of `bought`. */
const windowOf = (within: string): number | null => {
  const rule = decoded(bought({ within }))
  return rule._tag === "Occurred" && rule.window._tag === "Within" ? rule.window.ms : null
}

const old = (rule: unknown) => ({ _tag: "OldEnough", rule, ms: 30 * dayMs })

describe("decoding a rule", () => {
  it("reads a filter of the hosted service's App API", () => {
    assertSame(
      decoded({
        and: [
          { segment: { id: 7 } },
          { not: { attribute: { field: "unsubscribed", operator: "eq", value: "true" } } },
          { or: [{ attribute: { field: "cio_id", operator: "exists" } }, { segment: { id: "8" } }] },
        ],
      }),
      {
        _tag: "And",
        rules: [
          { _tag: "InSegment", segment: 7 },
          {
            _tag: "Not",
            rule: {
              _tag: "HasAttribute",
              condition: {
                field: "unsubscribed",
                any: false,
                test: { _tag: "Scalar", operator: "eq", value: "true" },
              },
            },
          },
          {
            _tag: "Or",
            rules: [
              {
                _tag: "HasAttribute",
                condition: { field: "svc_id", any: false, test: { _tag: "Nothing", operator: "exists" } },
              },
              { _tag: "InSegment", segment: 8 },
            ],
          },
        ],
      },
    )
  })

  it("keeps the text of a test that ignores case in lower case", () => {
    const rule = decoded({
      attribute: { field: "company", operator: "in", value: ["ACME", 7], ignore_case: true },
    })
    assertSame(rule, {
      _tag: "HasAttribute",
      condition: {
        field: "company",
        any: false,
        test: { _tag: "Scalars", operator: "in", values: ["acme", 7], ignoresCase: true },
      },
    })
  })

  refuses(
    "ignore_case for an operator that does not compare text",
    { attribute: { field: "total", operator: "gt", value: 7, ignore_case: true } },
    "/attribute/ignore_case",
    "`gt` does not compare text, so it takes no `ignore_case`",
  )

  it("counts one event of all time unless it says otherwise", () => {
    assertSame(decoded(bought()), { ...boughtLeaf(), window: { _tag: "AllTime" } })
  })

  it("reads durations in minutes, hours, days and weeks", () => {
    assertSame(["1m", "90m", "1h", "730d", "2w"].map(windowOf), [
      minuteMs,
      90 * minuteMs,
      hourMs,
      730 * dayMs,
      14 * dayMs,
    ])
  })

  it("asks for a profile as old as the window that nothing may have happened in", () => {
    const month = { within: "30d" }
    const not = { _tag: "Not", rule: boughtLeaf() }
    assertSame(decoded({ not: bought(month) }), old(not))
    assertSame(decoded({ not: bought(month), aged: true }), old(not))
    assertSame(decoded({ not: bought(month), aged: false }), not)
    assertSame(decoded({ not: bought({ ...month, aged: false }) }), not)
    assertSame(decoded(bought({ ...month, count: { lte: 2 } })), old(boughtLeaf(2, "lte")))
    assertSame(decoded(bought({ ...month, count: { eq: 0 } })), old(boughtLeaf(0, "eq")))
    assertSame(decoded(bought({ ...month, count: { lte: 2 }, aged: false })), boughtLeaf(2, "lte"))
    assertSame(decoded(bought({ ...month, count: { eq: 2 } })), boughtLeaf(2, "eq"))
    assertSame(decoded({ not: bought({ ...month, count: { lte: 2 } }) }), {
      _tag: "Not",
      rule: boughtLeaf(2, "lte"),
    })
    assertSame(decoded({ not: { or: [bought(month), bought(month)] } }), {
      _tag: "Not",
      rule: { _tag: "Or", rules: [boughtLeaf(), boughtLeaf()] },
    })
  })

  it("reads every kind of leaf", () => {
    const rules: ReadonlyArray<Json> = [
      { identity: { has: "email" } },
      { age: { gte: "7d" } },
      {
        page: {
          name: "pricing*",
          where: [{ field: "utm", operator: "exists" }],
          between: ["2026-01-01", 1.8e9],
        },
      },
      { screen: { name: "home+start|home old", count: { eq: 100 } } },
      { metric: { channel: "email", metric: "unsubscribed", source: { campaign_id: 3, delivery_id: "d1" } } },
      { form: { id: "newsletter", where: [{ field: "topic", operator: "in", value: ["a", "b"] }] } },
      { device: { where: [{ field: "last_used", operator: "within_past", value: "30d" }] } },
      {
        relationship: {
          type: 1,
          where: [{ field: "role", operator: "ne", value: "guest" }],
          count: { lte: 3 },
          object: { where: [{ field: "seats", operator: "gte", value: "10" }] },
        },
      },
      { subscription: { unsubscribed: false } },
      { subscription: { topic: "topic_1", value: true } },
    ]
    assertSame(
      rules.map((rule) => decoded(rule)._tag),
      [
        "HasIdentifier",
        "Aged",
        "Occurred",
        "Occurred",
        "Reported",
        "Submitted",
        "HasDevice",
        "Related",
        "Unsubscribed",
        "Subscribed",
      ],
    )
  })
})

const among = (field: Json, operator: Json, value?: Json): Json => ({
  and: [planIs("pro"), { attribute: { field, operator, ...(value !== undefined && { value }) } }],
})

describe("the fault of a rule names its place", () => {
  const operators =
    "`eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in`, `contains`, `starts_with`, `ends_with`, `exists`, `is_true`, `before`, `after`, `within_past`, `within_next`, `more_than_ago`, `more_than_ahead`"
  const place = "/and/1/attribute"

  refuses(
    "a window below a minute",
    { and: [planIs("a"), bought({ within: "0m" })] },
    "/and/1/event/within",
    "must be from 1m to 730d",
  )
  refuses("a window above two years", bought({ within: "731d" }), "/event/within", "must be from 1m to 730d")
  refuses(
    "a window in seconds",
    bought({ within: "90s" }),
    "/event/within",
    "must be a whole number with m, h, d or w, such as 30d",
  )
  refuses(
    "two windows",
    bought({ within: "1d", between: [1, 2] }),
    "/event/between",
    "`within` and `between` exclude each other",
  )
  refuses(
    "a count above 100",
    bought({ count: { gte: 101 } }),
    "/event/count/gte",
    "must be an integer from 1 to 100",
  )
  refuses(
    "a count that always holds",
    bought({ count: { gte: 0 } }),
    "/event/count/gte",
    "must be an integer from 1 to 100",
  )
  refuses(
    "two counts",
    bought({ count: { gte: 1, lte: 2 } }),
    "/event/count",
    "must have exactly one of `gte`, `lte` and `eq`",
  )
  refuses("no name", { event: {} }, "/event", "`name` is missing")
  refuses(
    "a misspelt key",
    { atribute: {} },
    "/atribute",
    'unknown key "atribute"; did you mean `attribute`?',
  )
  refuses(
    "a key with two letters swapped",
    { attribute: { feild: "plan", operator: "eq", value: "a" } },
    "/attribute/feild",
    'unknown key "feild"; did you mean `field`?',
  )
  refuses(
    "a symbol as count",
    bought({ count: { ">=": 3 } }),
    "/event/count/>=",
    'unknown key ">="; did you mean `gte`?',
  )
  refuses(
    "the name of a key of a leaf in another tool",
    { event: { name: "bought", window: "7d" } },
    "/event/window",
    'unknown key "window"; did you mean `within`?',
  )
  refuses("the name of a key in another tool", { all: [] }, "/all", 'unknown key "all"; did you mean `and`?')
  refuses(
    "two keys",
    { ...planIs("a"), ...bought() },
    "",
    "must have exactly one of `and`, `or`, `not`, `attribute`, `identity`, `age`, `event`, `page`, `screen`, `metric`, `form`, `device`, `relationship`, `segment`, `subscription`; to ask for several things, put them into `and`",
  )
  refuses(
    "an array",
    [],
    "",
    `must be an object, such as {"attribute": {"field": "plan", "operator": "eq", "value": "pro"}}`,
  )
  refuses("an empty list", { or: [] }, "/or", "needs at least one rule")
  refuses(
    "a symbol as operator",
    among("plan", ">=", 1),
    `${place}/operator`,
    'unknown operator ">="; did you mean `gte`?',
  )
  refuses(
    "a misspelt operator",
    among("plan", "start_with", "a"),
    `${place}/operator`,
    'unknown operator "start_with"; did you mean `starts_with`?',
  )
  refuses(
    "an operator like none",
    among("plan", "resembles", "a"),
    `${place}/operator`,
    `unknown operator "resembles"; expected ${operators}`,
  )
  refuses(
    "an order of texts",
    among("plan", "gt", "a"),
    `${place}/value`,
    "`gt` compares numbers; to compare times, use `before`, `after`, `within_past` or `within_next`",
  )
  refuses("a missing field", { attribute: { operator: "exists" } }, "/attribute", "`field` is missing")
  refuses(
    "a comparison with null",
    planIs(null),
    "/attribute/value",
    "must be text, a number, true or false; to ask for a value that is missing, put `exists` into `not`",
  )
  refuses(
    "a comparison with an object",
    planIs({}),
    "/attribute/value",
    "must be text, a number, true or false",
  )
  refuses(
    "a negated exists",
    among("plan", "exists", false),
    `${place}/value`,
    "`exists` takes no value; to ask for a value that is missing, put it into `not`",
  )
  refuses(
    "a time that is none",
    among("plan", "before", "soon"),
    `${place}/value`,
    "must be a time, such as 2026-01-31T12:00:00Z or Unix seconds",
  )
  refuses(
    "a segment that is no number",
    { segment: { id: "vip" } },
    "/segment/id",
    "must be the id of a segment, an integer from 1",
  )
  refuses(
    "a source that is none",
    { metric: { metric: "opened", source: { campaign: 1 } } },
    "/metric/source/campaign",
    'unknown key "campaign"; did you mean `campaign_id`?',
  )
  refuses(
    "a metric that is none",
    { metric: { metric: "open" } },
    "/metric/metric",
    'unknown metric "open"; did you mean `opened`?',
  )

  const misplaced =
    "`aged` belongs beside `not` around a leaf with `within`, or into a leaf with `within` that nothing satisfies (`lte`, or `eq` 0)"
  refuses("aged beside a leaf", { ...bought({ within: "1d" }), aged: true }, "/aged", misplaced)
  refuses("aged in a leaf that needs events", bought({ within: "1d", aged: true }), "/event/aged", misplaced)
  refuses("aged beside a window of all time", { not: bought(), aged: true }, "/aged", misplaced)
  refuses("aged beside a list", { not: { or: [bought({ within: "1d" })] }, aged: true }, "/aged", misplaced)
  refuses("aged twice", { not: bought({ within: "1d", aged: true }), aged: true }, "/aged", misplaced)

  const nested = (depth: number): Json => (depth === 0 ? planIs("a") : { not: nested(depth - 1) })
  refuses("nine negations", nested(9), "/not".repeat(9), "is inside more than 8 `and`, `or` and `not`")
  refuses(
    "51 leaves",
    {
      and: [
        { or: Array.from({ length: 26 }, () => planIs("a")) },
        { or: Array.from({ length: 25 }, () => planIs("b")) },
      ],
    },
    "/and/1/or/24",
    "has more than 50 leaves",
  )
  refuses(
    "65 KB",
    { attribute: { field: "a", operator: "in", value: Array.from({ length: 70 }, () => "x".repeat(1000)) } },
    "",
    "a rule has at most 65536 bytes as JSON",
  )

  it("a rule at every limit is decoded", () => {
    assert.strictEqual(leavesOf(decoded(nested(8))).length, 1)
    const fifty = { and: Array.from({ length: 50 }, (_, i) => planIs(i)) }
    assert.strictEqual(leavesOf(decoded(fifty)).length, 50)
  })
})
