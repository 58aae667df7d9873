import { describe, expect, it } from "vitest"
import { expectEmptyObject, expectEntityFaults, expectSingleFault } from "../src/faults.ts"
import { fresh, freshEmail } from "../src/fresh.ts"
import { send } from "../src/http.ts"
import { shared, Tenant } from "../src/Tenant.ts"

const tenant = await Tenant.create()
const report = (fields: object) => tenant.track("POST", "/api/v1/metrics", fields)
const at = "2023-11-14T22:13:20.000Z"
const timestamp = 1_700_000_000
const metrics = ["bounced", "clicked", "converted", "deferred", "delivered", "dropped", "opened", "spammed"]
const iso: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** A person to whom a message of a channel was sent. */
const sent = async (channel: string, more: object = {}) => {
  const [id, email, delivery] = [fresh("p"), freshEmail(), `${fresh("RPILAgUBcRhI")}==`]
  await tenant.identify(id, { email })
  await tenant.register(delivery, { channel, person: { id }, ...more })
  return { id, email, delivery, svc_id: (await tenant.person({ id })).svc_id }
}

const unsubscribe = (delivery: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(shared.url, {
    method: "POST",
    path: `/unsubscribe/${encodeURIComponent(delivery)}`,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe("a delivery metric", () => {
  it("track-api §2.6 metric: is one of eight", async () => {
    const delivery_id = fresh("d")
    for (const metric of metrics) expectEmptyObject(await report({ delivery_id, metric, timestamp }))
    const found = (await tenant.delivery(delivery_id))?.metrics
    expect(found).toEqual(Object.fromEntries(metrics.map((metric) => [metric, { first_at: at, count: 1 }])))
    for (const metric of ["sent", "Opened", "", null, undefined, 5, {}]) {
      const answer = await report({ delivery_id, metric })
      expect(answer.status, JSON.stringify(metric)).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("track-api §2.6 delivery_id: is required, and any text", async () => {
    for (const delivery_id of ["RPILAgUBcRhIBqSfeiIwdIYJKxTY", "dgOq6QUBAAFy==", "a/b c", "__proto__"]) {
      expectEmptyObject(await report({ delivery_id, metric: "opened" }))
      expect((await tenant.delivery(delivery_id))?.metrics["opened"]?.count).toBe(1)
    }
    for (const delivery_id of [undefined, null, "", {}, []]) {
      const answer = await report({ delivery_id, metric: "opened" })
      expect(answer.status).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("track-api §2.6 timestamp: is when it happened, else when it was received", async () => {
    const delivery_id = fresh("d")
    const first = await report({ delivery_id, metric: "opened", timestamp })
    expect((await tenant.operation(first)).at).toBe(at)
    const entry = await tenant.operation(await report({ delivery_id, metric: "clicked" }))
    expect(entry.at).toBe(entry.received_at)
    expect((await report({ delivery_id, metric: "opened", timestamp: "yesterday" })).status).toBe(400)
  })

  it.each([
    ["track-api §2.6 recipient: is kept with the report", "delivered", { recipient: "x@example.com" }],
    ["track-api §2.6 reason: is kept with the report", "dropped", { reason: "mailbox full" }],
    ["track-api §2.6 href: is kept with the report", "clicked", { href: "https://x.example/" }],
  ])("%s", async (_tag, metric, told) => {
    const entry = await tenant.operation(await report({ delivery_id: fresh("d"), metric, ...told }))
    expect(entry.data).toMatchObject({ properties: told })
  })

  it("contract §11 known deliveries: begin with their first report or with being registered", async () => {
    const [reported, registered] = [fresh("d"), fresh("d")]
    expect(await tenant.delivery(reported)).toBeUndefined()
    await report({ delivery_id: reported, metric: "opened" })
    expect(await tenant.delivery(reported)).toMatchObject({ channel: null, svc_id: null })
    const { svc_id, id } = await sent("email")
    const about = { channel: "sms", person: { id }, recipient: "+49", subject: "Hi", campaign_id: 7 }
    await tenant.register(registered, about)
    expect(await tenant.delivery(registered)).toMatchObject({
      channel: "sms",
      svc_id,
      recipient: "+49",
      subject: "Hi",
      metrics: {},
    })
  })

  it("contract §11 every report appends: a delivery keeps its first time per metric, and counts", async () => {
    const delivery_id = fresh("d")
    for (const seconds of [timestamp + 10, timestamp, timestamp + 20]) {
      await report({ delivery_id, metric: "opened", timestamp: seconds })
    }
    expect((await tenant.delivery(delivery_id))?.metrics).toEqual({ opened: { first_at: at, count: 3 } })
    const entries = await tenant.activity({ kind: "delivery_metric", name: "Message Opened" })
    const of = entries.filter(({ data }) => JSON.stringify(data).includes(delivery_id))
    expect(of).toHaveLength(3)
  })

  it("track-api §4.3 rule 5: comes from any channel, and is named by it", async () => {
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
      const { delivery, svc_id } = await sent(channel)
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

  it("contract §11 message metric event: has the envelope of pipelines-api §6.2", async () => {
    const sources = { campaign_id: 7, action_id: 8, journey_id: 9, trigger_event_id: "01HB" }
    const { delivery, email, id } = await sent("email", { subject: "Hi", ...sources })
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
  it("track-api §4.3 rule 6: is taken under /api/v1 and at the root of the host", async () => {
    for (const path of ["/api/v1/push/events", "/push/events"]) {
      const delivery_id = fresh("d")
      const body = { delivery_id, event: "opened", device_id: "token", timestamp }
      const answer = await tenant.track("POST", path, body)
      expectEmptyObject(answer)
      expect(await tenant.operation(answer)).toMatchObject({
        kind: "delivery_metric",
        at,
        data: { properties: { delivery_id, device_id: "token" } },
      })
    }
  })

  it("track-api §2.6 push metric: is opened, converted or delivered", async () => {
    const delivery_id = fresh("d")
    for (const event of ["opened", "converted", "delivered"]) {
      expectEmptyObject(await tenant.track("POST", "/api/v1/push/events", { delivery_id, event }))
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

describe("a delivery of v2", () => {
  it("contract §11 v2 delivery: names its delivery by identifiers.id and its metric by name", async () => {
    const told = { device_token: "t", recipient: "r", reason: "why", href: "https://x.example/" }
    for (const name of metrics) {
      const id = fresh("d")
      const item = {
        type: "delivery",
        action: "event",
        identifiers: { id },
        name,
        attributes: told,
        timestamp,
      }
      const answer = await tenant.entity(item)
      expectEmptyObject(answer)
      expect((await tenant.delivery(id))?.metrics).toEqual({ [name]: { first_at: at, count: 1 } })
      const { data } = await tenant.operation(answer)
      expect(data).toMatchObject({ properties: { device_id: "t", recipient: "r", href: told.href } })
    }
  })

  it("track-api §4.2 delivery type: accepts event alone", async () => {
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
  it("track-api §3 exists unsubscribe: sets unsubscribed, names the delivery, and leaves the preferences", async () => {
    const { delivery, id, svc_id } = await sent("email")
    const svc_subscription_preferences = { topics: { news: true } }
    await tenant.identify(id, { svc_subscription_preferences })
    expectEmptyObject(await unsubscribe(delivery, { unsubscribe: true }))
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

  it("track-api §5 rule 4: needs no Authorization header, and works with one, good or bad", async () => {
    for (const headers of [{}, tenant.authorization, { authorization: "Basic d3Jvbmc6d3Jvbmc=" }]) {
      const { delivery, id } = await sent("email")
      expectEmptyObject(await unsubscribe(delivery, { unsubscribe: true }, { ...headers }))
      expect((await tenant.person({ id })).unsubscribed).toBe(true)
    }
  })

  it("contract §11 unsubscribe false: sets it back, and absent means true", async () => {
    const { delivery, id } = await sent("email")
    for (const body of [undefined, {}, { unsubscribe: null }, { unsubscribe: true }]) {
      expectEmptyObject(await unsubscribe(delivery, body))
      expect((await tenant.person({ id })).unsubscribed).toBe(true)
      expectEmptyObject(await unsubscribe(delivery, { unsubscribe: false }))
      expect((await tenant.person({ id })).unsubscribed).toBe(false)
    }
  })

  it("contract §2 unsubscribe paths: takes the delivery from the path or the body", async () => {
    const { delivery, id } = await sent("email")
    const path = "/unsubscribe"
    const body = JSON.stringify({ delivery_id: delivery, unsubscribe: true })
    expectEmptyObject(await send(shared.url, { method: "POST", path, body }))
    expect((await tenant.person({ id })).unsubscribed).toBe(true)
    const empty = await send(shared.url, { method: "POST", path: "/unsubscribe/", body: "{}" })
    expect(empty.status).toBe(400)
    expectSingleFault(empty)
    for (const none of ["{}", '{"delivery_id":""}', '{"delivery_id":null}', ""]) {
      const answer = await send(shared.url, { method: "POST", path, body: none })
      expect(answer.status, none).toBe(400)
      expectSingleFault(answer)
    }
  })

  it("contract §11 unknown deliveries: are answered alike, and recorded where credentials name the workspace", async () => {
    const { delivery } = await sent("email")
    const [known, unknown] = [await unsubscribe(delivery), await unsubscribe(fresh("d"))]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted())
    const answer = await unsubscribe(fresh("d"), {}, { ...tenant.authorization })
    expectEmptyObject(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "unsubscribe", outcome: "dropped" })
  })

  it("counts for the rate of its workspace without credentials, too, and is applied beyond it", async () => {
    const limits = { rate_requests: 5, rate_window_seconds: 60 }
    const throttled = await Tenant.create({ limits, rate_limit: "throttle" })
    const delivery = fresh("d")
    await throttled.register(delivery, { channel: "email" })
    const answers = await Promise.all(Array.from({ length: 30 }, () => unsubscribe(delivery)))
    for (const answer of answers) expectEmptyObject(answer)
    expect(await throttled.activity({ kind: "unsubscribe" })).toHaveLength(30)
    expect((await throttled.identify(fresh("p"))).status).toBe(429)
  })

  it("acts on whoever the person was merged into, and on nobody once the person is deleted", async () => {
    const { delivery, id } = await sent("email")
    const other = fresh("p")
    await tenant.identify(other)
    await tenant.merge({ id: other }, { id })
    await unsubscribe(delivery)
    expect((await tenant.person({ id: other })).unsubscribed).toBe(true)
    await tenant.entity({ type: "person", identifiers: { id: other }, action: "delete" })
    expectEmptyObject(await unsubscribe(delivery))
  })
})
