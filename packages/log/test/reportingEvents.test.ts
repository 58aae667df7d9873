import { assert, describe, it } from "@effect/vitest"
import { eventName, eventNames } from "../src/reporting/ReportingEvent.ts"
import { eventId } from "../src/reporting/eventId.ts"
import {
  reportingEvents,
  unsubscribedDelivery,
  type ReportingContext,
} from "../src/reporting/reportingEvents.ts"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { firstReportPath } from "@inlethq/core/delivery/metricEvent"
import { metricEventName } from "@inlethq/core/state/metricEventNames"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Channel, DeliveryMetric } from "@inlethq/core/state/Delivery"
import { emptyPerson, patchPerson, type Person } from "@inlethq/core/state/Person"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import { eventPosition } from "@inlethq/core/webhook/EventPosition"
import { Schema } from "effect"

const receivedAt = 1_613_063_089_500
const workspace = WorkspaceId.make(1)

const ada: Person = patchPerson(emptyPerson(SubjectKey.make(1), workspace, receivedAt), {
  id: "ada",
  email: "ada@example.com",
  devices: new Map([["token-1", { platform: "ios", lastUsed: null, attributes: new Map() }]]),
})

const recordOf = (over: Partial<ActivityEntry>, person: Person | null = ada): ActivityRecord => ({
  entry: {
    sequence: Sequence.make(9),
    workspace,
    subject: person?.key ?? SubjectKey.make(7),
    kind: "delivery_metric",
    name: "Email Opened",
    source: "track-v1",
    sender: null,
    at: receivedAt,
    receivedAt,
    processedAt: receivedAt,
    outcome: "applied",
    id: null,
    claimsId: false,
    batchIndex: null,
    originalTimestamp: null,
    anonymousId: null,
    reasons: [],
    rule: null,
    data: {},
    changes: [],
    parts: [],
    refused: [],
    keptAs: [],
    effects: [],
    overwritten: [],
    call: null,
    ...over,
  },
  subject: person,
  owner: null,
  sender: null,
  isErased: false,
})

const reported = (name: string, properties: JsonObject = {}, over: Partial<ActivityEntry> = {}) =>
  recordOf({ name, data: { event: name, properties: { delivery_id: "d1", ...properties } }, ...over })

const context: ReportingContext = {
  identifiers: { id: true, email: true },
  bodyContent: true,
  firstOnly: false,
  unsubscribeChannel: null,
}

const eventsOf = (record: ActivityRecord, over: Partial<ReportingContext> = {}) =>
  reportingEvents(record, { ...context, ...over })

const adaData = {
  customer_id: "ada",
  identifiers: { id: "ada", email: "ada@example.com", cio_id: "p11000000001" },
}

const effectOf = (subject: number, segment: number, change: "entered" | "left") => ({
  subject: SubjectKey.make(subject),
  segment: SubjectKey.make(segment),
  version: 1,
  change,
})

const hostedNames: Partial<Record<DeliveryMetric, string>> = { deferred: "attempted" }

describe("the reporting events of an entry", () => {
  it.each(
    [null, ...Channel.literals].flatMap((channel) =>
      DeliveryMetric.literals.map((metric) => [channel, metric] as const),
    ),
  )("contract §17 reporting events: a report on a message yields one event (%s %s)", (channel, metric) => {
    const [event, ...others] = eventsOf(reported(metricEventName(channel, metric)))
    assert.deepStrictEqual(others, [])
    assert.deepInclude(event, {
      object_type: channel ?? "unknown",
      metric: hostedNames[metric] ?? metric,
      timestamp: 1_613_063_089,
      event_id: "01EY90TVAW0000100000000014",
    })
    assert.isTrue(event !== undefined && eventNames.has(eventName(event)))
  })

  it("contract §17 event data: an event contains the person, the delivery, its sources and the details of the report", () => {
    const [event] = eventsOf(
      reported("Email Bounced", {
        recipient: "ada@example.com",
        subject: "Hello",
        campaign_id: 3,
        trigger_event_id: "t",
        bounce_reason: "mailbox full",
      }),
    )
    assert.deepStrictEqual(event?.data, {
      ...adaData,
      delivery_id: "d1",
      campaign_id: 3,
      trigger_event_id: "t",
      recipient: "ada@example.com",
      subject: "Hello",
      failure_message: "mailbox full",
    })
  })

  it("contract §17 event data: an event about a push message contains the device in its recipients", () => {
    const [event] = eventsOf(reported("Push Dropped", { device_id: "token-1", reason: "expired" }))
    assert.deepStrictEqual(event?.data, {
      ...adaData,
      delivery_id: "d1",
      recipients: [{ device_id: "token-1", device_platform: "ios", failure_message: "expired" }],
    })
  })

  it("contract §17 event data: an event without a person has a blank customer_id, and an event in a workspace without emails contains only the id of the person", () => {
    const [unknown] = eventsOf(recordOf({ data: { properties: { delivery_id: "d1" } } }, null))
    assert.deepInclude(unknown?.data, {
      customer_id: "",
      identifiers: { id: null, email: null, cio_id: null },
    })
    const idOnly = { identifiers: { id: true, email: false } }
    const [event] = eventsOf(reported("Email Opened"), idOnly)
    assert.deepInclude(event?.data, { customer_id: "ada", identifiers: { id: "ada" } })
  })

  it("contract §17 reporting events: an unsubscribe by delivery yields one event with the message's channel", () => {
    const record = reported(
      "Email Unsubscribed",
      {},
      {
        kind: "unsubscribe",
        changes: [{ path: "unsubscribed", from: null, to: true }],
      },
    )
    assert.strictEqual(unsubscribedDelivery(record), "d1")
    const named = (channel: Channel | null) =>
      eventsOf(record, { unsubscribeChannel: channel }).map(eventName)
    assert.deepStrictEqual(named("sms"), ["sms_unsubscribed"])
    assert.deepStrictEqual(named(null), ["unknown_unsubscribed"])
  })

  it("contract §17 reporting events: a change of unsubscribed and a change of the subscription preferences each cause an event of a reporting webhook", () => {
    const record = recordOf({
      kind: "identify",
      name: null,
      changes: [
        { path: "attributes.plan", from: null, to: "pro" },
        { path: "unsubscribed", from: false, to: "TRUE" },
        { path: "svc_subscription_preferences.topics.topic_1", from: null, to: true },
        { path: "svc_subscription_preferences.topics.topic_2", from: true, to: false },
      ],
    })
    const events = eventsOf(record)
    assert.deepStrictEqual(events.map(eventName), [
      "customer_unsubscribed",
      "customer_cio_subscription_preferences_changed",
    ])
    assert.notStrictEqual(events[0]?.event_id, events[1]?.event_id)
    const customer = { ...adaData, email_address: "ada@example.com" }
    assert.deepStrictEqual(events[0]?.data, customer)
    assert.deepStrictEqual(events[1]?.data, {
      ...customer,
      content: '{"topics":{"topic_1":true,"topic_2":false}}',
    })
    assert.deepStrictEqual(eventsOf(record, { bodyContent: false })[1]?.data, customer)
  })

  it.each([
    [null, false],
    [null, "no"],
    [true, "1"],
  ])(
    "contract §17 reporting events: a change that leaves a person subscribed or unsubscribed yields no event (%j to %j)",
    (from, to) => {
      const changes = [{ path: "unsubscribed", from, to }]
      assert.deepStrictEqual(eventsOf(recordOf({ kind: "identify", name: null, changes })), [])
    },
  )

  it("contract §17 reporting events: a person who subscribes again causes an event of a reporting webhook", () => {
    const changes = [{ path: "unsubscribed", from: 1, to: null }]
    const events = eventsOf(recordOf({ kind: "identify", name: null, changes }))
    assert.deepStrictEqual(events.map(eventName), ["customer_subscribed"])
  })

  it("contract §17 chosen events: a repeated report causes no webhook event if the webhook wants only first reports", () => {
    const path = firstReportPath("d1", "opened")
    const report = (from: string | null) =>
      eventsOf(reported("Email Opened", {}, { changes: [{ path, from, to: "2026-01-01T00:00:00.000Z" }] }), {
        firstOnly: true,
      })
    assert.strictEqual(report(null).length, 1)
    assert.strictEqual(report("2026-01-02T00:00:00.000Z").length, 0)
    assert.strictEqual(eventsOf(reported("Email Opened"), { firstOnly: true }).length, 0)
  })

  it("contract §17 erased people: the log entry of an erased person causes no event of a reporting webhook", () => {
    assert.deepStrictEqual(eventsOf({ ...reported("Email Opened"), isErased: true }), [])
  })

  it.prop(
    "reporting events can be computed without an error for any entry",
    { data: Schema.Json, from: Schema.Json, to: Schema.Json },
    ({ data, from, to }) => {
      const paths = ["unsubscribed", "svc_subscription_preferences", "svc_subscription_preferences.a.b"]
      const changes = paths.map((path) => ({ path, from, to }))
      for (const kind of ["delivery_metric", "unsubscribe", "identify"] as const) {
        const record = recordOf({ kind, data, changes, name: kind === "identify" ? null : "Push Opened" })
        for (const event of eventsOf(record)) JSON.stringify(event)
      }
      return true
    },
  )
})

const idOf = (n: number) => eventId(receivedAt, workspace, eventPosition(Sequence.make(1 + (n % 1e12)), 0))

describe("the id of an event", () => {
  it("the id of a webhook event is a ULID of the receipt time, the workspace and the position", () => {
    const id = eventId(receivedAt, WorkspaceId.make(33), eventPosition(Sequence.make(8), 1))
    assert.strictEqual(id, "01EY90TVAW0001100000000011")
  })

  it.prop(
    "different webhook events have different ids",
    { a: Schema.Natural, b: Schema.Natural },
    ({ a, b }) => {
      return (idOf(a) === idOf(b)) === (a % 1e12 === b % 1e12) && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(idOf(a))
    },
  )

  it("contract §17 segment events: one event lists who entered segments by rule, and another who left", () => {
    const effects = [effectOf(1, 3, "entered"), effectOf(8, 4, "left"), effectOf(9, 3, "entered")]
    const events = eventsOf(recordOf({ kind: "event", name: "bought", effects }))
    assert.deepStrictEqual(
      events.map(({ data, metric, object_type }) => [object_type, metric, data]),
      [
        [
          "segment",
          "entered",
          {
            ...adaData,
            members: [
              { cio_id: "p11000000001", segment_id: 3, version: 1 },
              { cio_id: "p11000000009", segment_id: 3, version: 1 },
            ],
          },
        ],
        ["segment", "left", { ...adaData, members: [{ cio_id: "p11000000008", segment_id: 4, version: 1 }] }],
      ],
    )
    assert.isTrue(events.every((event) => eventNames.has(eventName(event))))
  })
})
