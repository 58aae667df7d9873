import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectSingleFault } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const report = (fields: object) => tenant.track("POST", "/api/v1/metrics", fields)
const at = "2023-11-14T22:13:20.000Z"
const timestamp = 1_700_000_000
const metrics = ["bounced", "clicked", "converted", "deferred", "delivered", "dropped", "opened", "spammed"]
const iso: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** Creates a person, and registers a delivery to this person in a channel. */
const registerDelivery = async (channel: string, more: object = {}) => {
  const [id, email, delivery] = [fresh("p"), freshEmail(), `${fresh("RPILAgUBcRhI")}==`]
  await tenant.identify(id, { email })
  await tenant.registerDelivery(delivery, { channel, person: { id }, ...more })
  return { id, email, delivery, svc_id: (await tenant.person({ id })).svc_id }
}

const unsubscribe = (delivery: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(sharedServer.url, {
    method: "POST",
    path: `/unsubscribe/${encodeURIComponent(delivery)}`,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe("a delivery metric", () => {
  it("track-api §2.6 metric: the metric call accepts the eight documented metrics and answers 400 to any other metric", async () => {
    const delivery_id = fresh("d")
    for (const metric of metrics) expectTrackSuccess(await report({ delivery_id, metric, timestamp }))
    const found = (await tenant.delivery(delivery_id))?.metrics
    expect(found).toEqual(Object.fromEntries(metrics.map((metric) => [metric, { first_at: at, count: 1 }])))
    for (const metric of ["sent", "Opened", "", null, undefined, 5, {}]) {
      const answer = await report({ delivery_id, metric })
      expect(answer.status, JSON.stringify(metric)).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("track-api §2.6 delivery_id: a report may have any text as delivery_id, and a report without delivery_id gets a 400", async () => {
    for (const delivery_id of ["RPILAgUBcRhIBqSfeiIwdIYJKxTY", "dgOq6QUBAAFy==", "a/b c", "__proto__"]) {
      expectTrackSuccess(await report({ delivery_id, metric: "opened" }))
      expect((await tenant.delivery(delivery_id))?.metrics["opened"]?.count).toBe(1)
    }
    for (const delivery_id of [undefined, null, "", {}, []]) {
      const answer = await report({ delivery_id, metric: "opened" })
      expect(answer.status).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("track-api §2.6 timestamp: a report without a timestamp has the receipt time", async () => {
    const delivery_id = fresh("d")
    const first = await report({ delivery_id, metric: "opened", timestamp })
    expect((await tenant.operation(first)).at).toBe(at)
    const entry = await tenant.operation(await report({ delivery_id, metric: "clicked" }))
    expect(entry.at).toBe(entry.received_at)
    const unread = await tenant.operation(
      await report({ delivery_id, metric: "opened", timestamp: "yesterday" }),
    )
    expect([unread.outcome, unread.at]).toEqual(["partial", unread.received_at])
  })

  it.each([
    [
      "track-api §2.6 recipient: the recipient is stored with the report",
      "delivered",
      { recipient: "x@example.com" },
    ],
    ["track-api §2.6 reason: the reason is stored with the report", "dropped", { reason: "mailbox full" }],
    ["track-api §2.6 href: the link is stored with the report", "clicked", { href: "https://x.example/" }],
  ])("%s", async (_title, metric, fields) => {
    const entry = await tenant.operation(await report({ delivery_id: fresh("d"), metric, ...fields }))
    expect(entry.data).toMatchObject({ properties: fields })
  })

  it("contract §11 known deliveries: a delivery is known after its registration or after the first report about it", async () => {
    const [reported, registered] = [fresh("d"), fresh("d")]
    expect(await tenant.delivery(reported)).toBeUndefined()
    await report({ delivery_id: reported, metric: "opened" })
    expect(await tenant.delivery(reported)).toMatchObject({ channel: null, svc_id: null })
    const { svc_id, id } = await registerDelivery("email")
    const about = { channel: "sms", person: { id }, recipient: "+49", subject: "Hi", campaign_id: 7 }
    await tenant.registerDelivery(registered, about)
    expect(await tenant.delivery(registered)).toMatchObject({
      channel: "sms",
      svc_id,
      recipient: "+49",
      subject: "Hi",
      metrics: {},
    })
  })

  it("contract §11 every report appends: a delivery stores the first time and the count of each metric, and each report has its own log entry", async () => {
    const delivery_id = fresh("d")
    for (const seconds of [timestamp + 10, timestamp, timestamp + 20]) {
      await report({ delivery_id, metric: "opened", timestamp: seconds })
    }
    expect((await tenant.delivery(delivery_id))?.metrics).toEqual({ opened: { first_at: at, count: 3 } })
    const entries = await tenant.activity({ kind: "delivery_metric", name: "Message Opened" })
    const of = entries.filter(({ data }) => JSON.stringify(data).includes(delivery_id))
    expect(of).toHaveLength(3)
  })

  it("track-api §4.3 rule 5: a report is accepted for every channel, and the name of the log entry contains the channel", async () => {
    const names: ReadonlyArray<readonly [string, string, string]> = [
      ["email", "opened", "Email Opened"],
      ["email", "spammed", "Email Marked as Spam"],
      ["push", "delivered", "Push Delivered"],
      ["sms", "clicked", "SMS Link Clicked"],
      ["in_app", "clicked", "In-App Link Clicked"],
      ["webhook", "dropped", "Webhook Dropped"],
      ["slack", "converted", "Slack Converted"],
      ["whatsapp", "deferred", "WhatsApp Deferred"],
    ]
    for (const [channel, metric, name] of names) {
      const { delivery, svc_id } = await registerDelivery(channel)
      const answer = await report({ delivery_id: delivery, metric })
      expect(await tenant.operation(answer)).toMatchObject({
        kind: "delivery_metric",
        name,
        subject: { svc_id },
      })
    }
    const unknown = await report({ delivery_id: fresh("d"), metric: "bounced" })
    expect(await tenant.operation(unknown)).toMatchObject({
      name: "Message Bounced",
      subject: { svc_id: null },
    })
  })

  it("contract §11 message metric event: the log entry of a report holds the event that pipelines-api §6.2 describes", async () => {
    const sources = { campaign_id: 7, action_id: 8, journey_id: 9, trigger_event_id: "01HB" }
    const { delivery, email, id } = await registerDelivery("email", { subject: "Hi", ...sources })
    const answer = await report({ delivery_id: delivery, metric: "opened", timestamp })
    const entry = await tenant.operation(answer)
    expect(entry.data).toEqual({
      type: "track",
      event: "Email Opened",
      messageId: answer.operationId,
      userId: id,
      anonymousId: email,
      timestamp: at,
      originalTimestamp: at,
      sentAt: iso,
      receivedAt: entry.received_at,
      context: { traits: { email } },
      properties: {
        delivery_id: delivery,
        customer_id: id,
        userId: id,
        recipient: email,
        subject: "Hi",
        ...sources,
        proxied: false,
        prefetched: false,
        synthetic: false,
      },
    })
  })
})

describe("a push metric", () => {
  it("track-api §4.3 rule 6: push metrics are accepted under /api/v1 and at the root of the host", async () => {
    for (const path of ["/api/v1/push/events", "/push/events"]) {
      const delivery_id = fresh("d")
      const body = { delivery_id, event: "opened", device_id: "token", timestamp }
      const answer = await tenant.track("POST", path, body)
      expectTrackSuccess(answer)
      expect(await tenant.operation(answer)).toMatchObject({
        kind: "delivery_metric",
        at,
        data: { properties: { delivery_id, device_id: "token" } },
      })
    }
  })

  it("track-api §2.6 push metric: the push call accepts the metrics opened, converted and delivered, and answers 400 to any other metric", async () => {
    const delivery_id = fresh("d")
    for (const event of ["opened", "converted", "delivered"]) {
      expectTrackSuccess(await tenant.track("POST", "/api/v1/push/events", { delivery_id, event }))
    }
    expect(Object.keys((await tenant.delivery(delivery_id))?.metrics ?? {}).toSorted()).toEqual([
      "converted",
      "delivered",
      "opened",
    ])
    const answer = await tenant.track("POST", "/api/v1/push/events", { delivery_id, event: "bounced" })
    expect(answer.status).toBe(400)
    expectSingleFault(answer)
  })
})

describe("a v2 delivery item", () => {
  it("contract §11 v2 delivery: a v2 report has its delivery id in the field identifiers.id and its metric in the field name", async () => {
    const attributes = { device_token: "t", recipient: "r", reason: "why", href: "https://x.example/" }
    for (const name of metrics) {
      const id = fresh("d")
      const item = {
        type: "delivery",
        action: "event",
        identifiers: { id },
        name,
        attributes,
        timestamp,
      }
      const answer = await tenant.entity(item)
      expectTrackSuccess(answer)
      expect((await tenant.delivery(id))?.metrics).toEqual({ [name]: { first_at: at, count: 1 } })
      const { data } = await tenant.operation(answer)
      expect(data).toMatchObject({ properties: { device_id: "t", recipient: "r", href: attributes.href } })
    }
  })

  it("track-api §4.2 delivery type: a v2 delivery accepts only the action event", async () => {
    const item = { type: "delivery", identifiers: { id: fresh("d") }, name: "opened" }
    const answer = await tenant.entity({ ...item, action: "identify" })
    expect(answer.status).toBe(400)
    expectEntityFaults(answer, { reason: "unknown_action", field: "action" })
    const wrong = await tenant.entity({ ...item, action: "event", name: "sent" })
    expectEntityFaults(wrong, { reason: "invalid", field: "name" })
    const none = await tenant.entity({ type: "delivery", action: "event", name: "opened" })
    expect(none.status).toBe(400)
  })
})

describe("unsubscribing by a delivery", () => {
  it("track-api §3 exists unsubscribe: an unsubscribe by delivery unsubscribes the person, records the delivery and leaves the preferences unchanged", async () => {
    const { delivery, id, svc_id } = await registerDelivery("email")
    const svc_subscription_preferences = { topics: { news: true } }
    await tenant.identify(id, { svc_subscription_preferences })
    expectTrackSuccess(await unsubscribe(delivery, { unsubscribe: true }))
    expect(await tenant.person({ id })).toMatchObject({
      unsubscribed: true,
      subscription_preferences: { topics: { news: true } },
    })
    const [entry] = await tenant.activity({ kind: "unsubscribe" }, svc_id)
    expect(entry).toMatchObject({
      outcome: "applied",
      name: "Email Unsubscribed",
      data: { type: "track", event: "Email Unsubscribed", properties: { delivery_id: delivery } },
    })
  })

  it("track-api §5 rule 4: an unsubscribe is applied without credentials, with valid credentials and with invalid credentials", async () => {
    for (const headers of [{}, tenant.authorization, { authorization: "Basic d3Jvbmc6d3Jvbmc=" }]) {
      const { delivery, id } = await registerDelivery("email")
      expectTrackSuccess(await unsubscribe(delivery, { unsubscribe: true }, { ...headers }))
      expect((await tenant.person({ id })).unsubscribed).toBe(true)
    }
  })

  it("contract §11 unsubscribe false: an unsubscribe call with the value false subscribes the person again, and a missing value counts as true", async () => {
    const { delivery, id } = await registerDelivery("email")
    for (const body of [undefined, {}, { unsubscribe: null }, { unsubscribe: true }]) {
      expectTrackSuccess(await unsubscribe(delivery, body))
      expect((await tenant.person({ id })).unsubscribed).toBe(true)
      expectTrackSuccess(await unsubscribe(delivery, { unsubscribe: false }))
      expect((await tenant.person({ id })).unsubscribed).toBe(false)
    }
  })

  it("contract §2 unsubscribe paths: an unsubscribe has its delivery id in the path or the body, and gets a 400 without a delivery id", async () => {
    const { delivery, id } = await registerDelivery("email")
    const path = "/unsubscribe"
    const body = JSON.stringify({ delivery_id: delivery, unsubscribe: true })
    expectTrackSuccess(await send(sharedServer.url, { method: "POST", path, body }))
    expect((await tenant.person({ id })).unsubscribed).toBe(true)
    const empty = await send(sharedServer.url, { method: "POST", path: "/unsubscribe/", body: "{}" })
    expect(empty.status).toBe(400)
    expectSingleFault(empty)
    for (const none of ["{}", '{"delivery_id":""}', '{"delivery_id":null}', ""]) {
      const answer = await send(sharedServer.url, { method: "POST", path, body: none })
      expect(answer.status, none).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("contract §11 unknown deliveries: an unsubscribe for an unknown delivery gets the same answer as for a known delivery, and is recorded if credentials name the workspace", async () => {
    const { delivery } = await registerDelivery("email")
    const [known, unknown] = [await unsubscribe(delivery), await unsubscribe(fresh("d"))]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted())
    const answer = await unsubscribe(fresh("d"), {}, { ...tenant.authorization })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "unsubscribe", outcome: "dropped" })
  })

  it("unsubscribes without credentials do not use up the rate of their workspace, and only a change has an entry", async () => {
    const limits = { rate_requests: 5, rate_window_seconds: 60 }
    const throttled = await Tenant.create({ limits, rate_limit: "throttle" })
    const [id, delivery, unaddressed] = [fresh("p"), fresh("d"), fresh("d")]
    await throttled.identify(id)
    await throttled.registerDelivery(delivery, { channel: "email", person: { id } })
    await throttled.registerDelivery(unaddressed, { channel: "email" })
    expectTrackSuccess(await unsubscribe(delivery))
    for (const again of [delivery, unaddressed]) {
      const answers = await Promise.all(Array.from({ length: 15 }, () => unsubscribe(again)))
      for (const answer of answers) expectTrackSuccess(answer)
    }
    expect(await throttled.activity({ kind: "unsubscribe" })).toHaveLength(1)
    expectTrackSuccess(await throttled.identify(id))
    expectTrackSuccess(await unsubscribe(delivery, { unsubscribe: false }))
    expect(await throttled.activity({ kind: "unsubscribe" })).toHaveLength(2)
  })

  it("an unsubscribe applies to the person that the recipient was merged into, and has no effect once that person is deleted", async () => {
    const { delivery, id } = await registerDelivery("email")
    const other = fresh("p")
    await tenant.identify(other)
    await tenant.merge({ id: other }, { id })
    await unsubscribe(delivery)
    expect((await tenant.person({ id: other })).unsubscribed).toBe(true)
    await tenant.entity({ type: "person", identifiers: { id: other }, action: "delete" })
    expectTrackSuccess(await unsubscribe(delivery))
  })
})
