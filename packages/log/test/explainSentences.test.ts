import { assert, describe, it } from "@effect/vitest"
import { explain, type Circumstances } from "../src/explanation/explain.ts"
import { valueTexts } from "@inlethq/wire/texts/wireTexts"
import { planTexts } from "@inlethq/core/plan/planTexts"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"
import { entryWith } from "./entries.ts"

const alone: Circumstances = { brand: "svc", replacedLater: [], newerBefore: [], owners: [] }
const { at, subject } = entryWith({})
const nobody = { ...subject, svc_id: null, id: null }

const summaryOf = (over: Parameters<typeof entryWith>[0]): string => explain(entryWith(over), alone).summary
const adviceOf = (over: Parameters<typeof entryWith>[0]): string => explain(entryWith(over), alone).advice

describe("the summary of an operation that waits", () => {
  it.each([
    [{ ...nobody, id: "u" }, 'a person has the id "u"'],
    [{ ...nobody, email: "tom@example.com" }, 'a person has the email "tom@example.com"'],
    [{ ...nobody, anonymous_id: "c" }, 'a person is identified with the anonymous id "c"'],
  ])("names the identifier of %j", (subject, until) =>
    assert.include(summaryOf({ outcome: "pending", subject }), `is stored and waits until ${until}.`),
  )

  it("says that an event without any identifier never joins anybody", () => {
    const event = { kind: "anonymous_event", outcome: "pending", subject: nobody } as const
    assert.include(summaryOf(event), "names nobody, so it never joins the activity of a person")
    assert.notInclude(adviceOf(event), "nothing to do")
  })

  it("names what was left out, and the time that counts instead", () => {
    const refused = {
      path: "timestamp",
      value: "0027-11-28",
      reason: "timestamp must be Unix seconds or an ISO 8601 date-time",
      code: "value_unreadable_time",
      rule: "contract §6 unreadable times",
      other: null,
    }
    const summary = summaryOf({
      outcome: "pending",
      subject: { ...nobody, id: "u" },
      reasons: reasonsOf([valueTexts.unreadableTime("timestamp")]),
      refused: [refused],
    })
    assert.include(summary, "Left out: timestamp: timestamp must be Unix seconds or an ISO 8601 date-time.")
    assert.include(summary, `Its time is that of receipt, ${at}.`)
  })
})

describe("the summary of an operation that does not fit its plan", () => {
  const violations = [
    { path: "total", clause: "type", got: "text(5)" },
    { path: "total", clause: "minimum", got: "text(5)" },
    { path: "items.0.sku", clause: "required", got: "nothing" },
  ]
  const plan = { name: "Order Placed", version: 3, violations }

  it("says where, and what to do, if the plan only observes", () => {
    assert.include(summaryOf({ plan }), "It does not fit its plan: total and items.0.sku.")
    assert.include(adviceOf({ plan }), "Correct the value, or the plan of the event.")
    assert.include(adviceOf({ plan }), "take it out of `required` of the plan")
    assert.notInclude(adviceOf({ plan }), "nothing to do")
    const unknown = {
      name: "x",
      version: null,
      violations: [{ path: "", clause: "unknown_events", got: "" }],
    }
    assert.include(summaryOf({ plan: unknown }), "Its event has no plan.")
    assert.include(adviceOf({ plan: unknown }), "add a plan for it")
  })

  it("says it once, and each path once, if the plan rejects", () => {
    const reasons = reasonsOf([planTexts.value("data.total", { clause: "type", got: "text(5)" })])
    const rejected = { outcome: "rejected", plan, reasons } as const
    const message = "data.total is text(5), which type of the plan does not allow."
    assert.include(summaryOf(rejected), `was rejected: ${message}`)
    assert.notInclude(summaryOf(rejected), "does not fit")
  })
})

describe("the time in a summary", () => {
  const earlier = "2020-01-01T00:00:00.000Z"

  it("is named if it is not that of receipt, with the time as sent if that is another one", () => {
    assert.notInclude(summaryOf({}), "Its time")
    assert.include(summaryOf({ at: earlier, original_timestamp: earlier }), `Its time is ${earlier}.`)
    assert.include(
      summaryOf({ at: earlier, original_timestamp: at }),
      `Its time is ${earlier} instead of ${at}.`,
    )
    assert.include(
      summaryOf({ original_timestamp: "2099-01-02T00:00:00.000Z" }),
      `Its time is that of receipt, ${at} instead of 2099-01-02T00:00:00.000Z.`,
    )
  })
})

describe("the changes in a summary", () => {
  it("are set, changed and removed", () => {
    const changes = [
      { path: "attributes.a", from: null, to: 1 },
      { path: "attributes.b", from: 1, to: 2 },
      { path: "attributes.c", from: 1, to: null },
    ]
    assert.include(
      summaryOf({ changes }),
      "It set attributes.a, changed attributes.b and removed attributes.c.",
    )
    assert.include(summaryOf({ changes: changes.slice(2) }), "It removed attributes.c.")
  })

  it.each([
    ["segment_add", { ids_applied: 1, ids_ignored: 0 }, "1 person was added."],
    ["segment_remove", { ids_applied: 2, ids_ignored: 0 }, "2 people were removed."],
    [
      "segment_add",
      { ids_applied: 0, ids_ignored: 3, ignored: ["x", "y"] },
      '0 people were added. 3 ids were ignored: "x", "y" and 1 more.',
    ],
    ["segment_add", { ids_applied: 0, ids_ignored: 1 }, "0 people were added. 1 id was ignored."],
  ] as const)("of a %s with %j are counted", (kind, data, sentences) => {
    const summary = summaryOf({ kind, name: null, data: { segment_id: 1, ...data } })
    assert.isTrue(summary.endsWith(`was applied. ${sentences}`), summary)
  })
})

describe("values that were read otherwise", () => {
  it("are in the summary, and the advice says what to send", () => {
    const kept_as = [
      { path: "unsubscribed", sent: "yes", kept: false, why: "because", code: "not_boolean" },
      { path: "n", sent: "9007199254740993", kept: 9_007_199_254_740_992, why: "digits", code: "rounded" },
      { path: "plan", sent: "pro", kept: "pro", why: "moved", code: "flat_field" },
      { path: "data", sent: { a: 1 }, kept: null, why: "not read", code: "data_beside_attributes" },
    ] as const
    const summary = summaryOf({ kept_as })
    assert.include(summary, 'unsubscribed was sent as "yes" and read as false: because.')
    assert.include(summary, "n was sent as 9007199254740993 and read as 9007199254740992: digits.")
    assert.include(summary, 'plan was sent as "pro": moved.')
    assert.include(summary, "1 more value was read otherwise.")
    const advice = adviceOf({ kept_as })
    assert.include(advice, "Send `unsubscribed` as true or false.")
    assert.notInclude(advice, "nothing to do")
  })
})
