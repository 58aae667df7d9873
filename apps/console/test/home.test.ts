import { describe, expect, it } from "vitest"
import { changeText, dayStatsOf, dayStatsSteps } from "../src/pages/home/dayStats.ts"
import { findingsOf, verdictText, type HomeFacts } from "../src/pages/home/findingsOf.ts"
import { clientsSeenFirst } from "../src/pages/home/clientsSeenFirst.ts"

const now = Date.parse("2026-11-24T10:00:00.000Z")
const hourMs = 3_600_000

/** Returns the counts of 48 hours: so many applied and rejected ones in each hour of the day before, of today and in the last hour. */
const statsOf = (before: [number, number], today: [number, number], last = today, countedFrom?: string) => {
  const { from, step, to } = dayStatsSteps(now)
  return {
    from,
    to,
    step_seconds: step,
    counted_from: countedFrom ?? from,
    steps: Array.from({ length: 48 }, (_, hour) => {
      const [applied, rejected] = hour < 24 ? before : hour === 47 ? last : today
      return {
        at: new Date(Date.parse(from) + hour * hourMs).toISOString(),
        counts: [
          { kind: "identify" as const, outcome: "applied" as const, count: applied },
          { kind: null, outcome: "rejected" as const, count: rejected },
        ],
      }
    }),
  }
}

const calm: HomeFacts = {
  now,
  day: dayStatsOf(statsOf([100, 1], [100, 1])),
  alerts: [],
  causes: [],
  drift: [],
  webhooks: [],
  destinations: [],
  lake: undefined,
  imports: [],
  status: undefined,
  server: undefined,
}

const alertOf = (condition: "error_rate" | "lag" | "silent", subject: string) => ({
  alert_id: `${condition}-1`,
  condition,
  subject,
  summary: condition,
  operation_id: null,
  began_at: "2026-11-24T09:59:00.000Z",
  ended_at: null,
})

const textsOf = (facts: HomeFacts) => findingsOf(facts).map(({ isNow, text }) => [isNow, text])

describe("the last 24 hours", () => {
  it("are compared with the 24 hours before", () => {
    const day = dayStatsOf(statsOf([10, 0], [20, 1], [40, 5]))
    expect(day.now).toEqual({ total: 23 * 21 + 45, faulty: 23 + 5 })
    expect(day.before).toEqual({ total: 240, faulty: 0 })
    expect(day.lastHour).toEqual({ total: 45, faulty: 5 })
    expect(day.countedFrom).toBeUndefined()
  })

  it("are not compared with hours that were not counted", () => {
    const some = dayStatsOf(statsOf([0, 0], [20, 1], [20, 1], "2026-11-23T02:00:00.000Z"))
    expect([some.before, some.countedFrom]).toEqual([undefined, undefined])
    const fewer = dayStatsOf(statsOf([0, 0], [20, 1], [20, 1], "2026-11-24T02:00:00.000Z"))
    expect(fewer.countedFrom).toBe("2026-11-24T02:00:00.000Z")
  })

  it.each([
    [5, 5, "same"],
    [5, 0, "none before"],
    [112, 100, "+12 %"],
    [50, 100, "−50 %"],
    [400, 100, "4 times"],
    [1001, 1000, "about the same"],
  ])("%i after %i is %s", (after, before, text) => expect(changeText(after, before)).toBe(text))
})

describe("the verdict", () => {
  it("is that all is well if nothing else is known", () => {
    expect(verdictText(findingsOf(calm))).toBe("All well")
  })

  it("says that many refusals in the last hour are wrong now", () => {
    const facts = { ...calm, day: dayStatsOf(statsOf([100, 1], [100, 1], [80, 20])) }
    expect(textsOf(facts)).toEqual([
      [true, "Of the 100 operations of the last hour, 20 were rejected or applied in part (20\u00a0%)."],
    ])
    expect(verdictText(findingsOf(facts))).toBe("1 thing is wrong now")
  })

  it("does not call a share of refusals wrong that was the same the day before, or a few of them", () => {
    expect(findingsOf({ ...calm, day: dayStatsOf(statsOf([80, 20], [80, 20])) })).toEqual([])
    expect(findingsOf({ ...calm, day: dayStatsOf(statsOf([1, 0], [1, 0], [1, 9])) })).toEqual([])
  })

  it("says alerts about refusals and lag, and the share of refusals only once", () => {
    const alerts = [
      alertOf("error_rate", "operations"),
      alertOf("lag", "webhook:w1"),
      alertOf("lag", "forward:f1"),
      alertOf("silent", "event:a"),
    ]
    const found = findingsOf({ ...calm, alerts, day: dayStatsOf(statsOf([90, 2], [90, 2], [80, 20])) })
    expect(found.map(({ link, text }) => [text, link.page])).toEqual([
      ["error_rate", "errors"],
      ["lag", "webhook"],
      ["lag", "forward"],
    ])
    expect(found.every(({ isNow }) => isNow)).toBe(true)
  })

  it("names a forward that fails, unless an alert says so, and why Kafka gets nothing", () => {
    const waiting = { operations: 1, entries: 0 }
    const known = { url: null, enabled: true, waiting, lag_seconds: 5, hours: [] }
    const forward = {
      ...known,
      kind: "forward" as const,
      destination_id: "f1",
      name: "hosted",
      last_error: "503",
    }
    const kafka = {
      ...known,
      kind: "kafka" as const,
      destination_id: null,
      name: "activity",
      last_error: "INLET_KAFKA is not set",
    }
    const facts = { ...calm, destinations: [forward, kafka] }
    expect(findingsOf(facts).map(({ link, text }) => [text, link])).toEqual([
      ["The forward hosted fails: 503", { page: "forward", forwardId: "f1" }],
      ["Kafka gets nothing: INLET_KAFKA is not set", { page: "destinations" }],
    ])
    expect(textsOf({ ...facts, alerts: [alertOf("lag", "forward:f1")] })).toEqual([
      [true, "lag"],
      [true, "Kafka gets nothing: INLET_KAFKA is not set"],
    ])
    expect(findingsOf({ ...calm, destinations: [{ ...forward, enabled: false }] })).toEqual([])
  })

  it("says that half of the operations are missing", () => {
    expect(textsOf({ ...calm, day: dayStatsOf(statsOf([100, 0], [40, 0])) })).toEqual([
      [false, "960 operations in 24 hours, after 2,400 in the 24 hours before."],
    ])
  })

  it("names a blocked webhook first, then what to look at", () => {
    const webhook = {
      webhook_id: "w1",
      kind: "activity" as const,
      name: "Warehouse",
      url: "https://example.com",
      events: ["*"],
      filter: null,
      ordering: "strict" as const,
      retry: "hosted" as const,
      first_only: false,
      body_content: false,
      enabled: true,
      blocked_by: {
        operation_id: "op",
        attempts: 3,
        next_at: "2026-11-24T10:05:00.000Z",
        received_at: "2026-11-24T09:00:00.000Z",
      },
      waiting: { events: 4, entries: 0 },
      created_at: "2026-11-01T00:00:00.000Z",
      updated_at: "2026-11-01T00:00:00.000Z",
    }
    const silent = {
      change: "silent" as const,
      kind: "event",
      name: "order_placed",
      path: null,
      summary: "",
      at: "2026-11-24T08:00:00.000Z",
      operation_id: "op",
      sender: null,
    }
    const facts = { ...calm, webhooks: [webhook], drift: [silent] }
    expect(textsOf(facts)).toEqual([
      [
        true,
        "The webhook Warehouse is blocked: its receiver has refused an event 3 times, and later events wait for it.",
      ],
      [false, "1 name fell silent: order_placed."],
    ])
    expect(findingsOf({ ...facts, webhooks: [{ ...webhook, enabled: false }] })).toHaveLength(1)
    expect(verdictText(findingsOf({ ...calm, drift: [silent] }))).toBe(
      "Nothing is broken, 1 thing to look at",
    )
  })
})

const seen = (at: string) => ({ at, operation_id: at })
const sender = (userAgent: string, key = "k") => ({
  key: { key_id: key, name: key },
  token: null,
  user_agent: userAgent,
  route: null,
})
const counted = (userAgent: string, at: string) => ({
  sender: sender(userAgent),
  count: 1,
  first: seen(at),
  last: seen(at),
})

describe("the clients seen first", () => {
  it("are those without an earlier operation of any name", () => {
    const types = [
      {
        senders: [
          counted("shop/2", "2026-11-24T09:00:00.000Z"),
          counted("shop/1", "2026-11-24T08:00:00.000Z"),
        ],
      },
      { senders: [counted("shop/1", "2026-11-01T00:00:00.000Z")] },
    ]
    const causes = [{ first: seen("2026-11-24T09:30:00.000Z"), sender: sender("shop/3") }]
    const found = clientsSeenFirst(types, causes, now - 24 * hourMs)
    expect(found.map(({ sender: { user_agent } }) => user_agent)).toEqual(["shop/3", "shop/2"])
  })
})
