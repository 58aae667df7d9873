import { Analytics as CustomerioAnalytics } from "@customerio/cdp-analytics-node"
import { Analytics as SegmentAnalytics } from "@segment/analytics-node"
import { PipelinesClient, TrackClient } from "customerio-node"
import { afterAll, describe, expect, it } from "vitest"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const once = { retry: { maxRetries: 0 }, timeout: waitMsMax }
const client = new TrackClient(credentials.siteId, credentials.apiKey, {
  url: `${inlet.url}/api/v1`,
  ...once,
})
const pipelinesUrl = { url: `${inlet.url}/v1`, ...once }
const pipelines = new PipelinesClient(credentials.writeKey, pipelinesUrl)

const nested = {
  total: 12.5,
  paid: true,
  note: null,
  items: [
    { sku: "a", n: 1 },
    { sku: "b", n: 2 },
  ],
  deep: { a: [[]] },
}
const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000)

describe("customerio-node TrackClient", () => {
  it("TrackClient looks up the account region", async () => {
    expect(await client.getAccountRegion()).toEqual({
      region: "us",
      environment_id: 1,
      url: expect.stringContaining(new URL(inlet.url).host),
    })
  })

  it("TrackClient identifies a person by an id with special characters, with attributes of every type", async () => {
    const id = fresh("a/b c+é 100%?#")
    expect(await client.identify(id, { plan: "pro", seats: 3, ratio: 0.5, vip: true, nested })).toEqual({})
    const person = await management.person({ id })
    expect(person).toMatchObject({ id, email: null, unsubscribed: false })
    expect(person.attributes).toMatchObject({ plan: "pro", seats: 3, ratio: 0.5, vip: true, nested })
  })

  it("TrackClient accepts a number as id", async () => {
    const id = Math.floor(Math.random() * 1e12)
    await client.identify(id, { plan: "free" })
    expect((await management.person({ id: String(id) })).attributes["plan"]).toBe("free")
  })

  it("an identify that TrackClient sends for a cio_id changes the id and email of the person", async () => {
    const [id, email] = [fresh("renamed"), freshEmail()]
    const before = fresh("before")
    await client.identify(before, { email: freshEmail() })
    const { svc_id } = await management.person({ id: before })
    await client.identify(`cio_${svc_id}`, { id, email, cio_id: svc_id })
    expect(await management.personBySvcId(svc_id)).toMatchObject({ id, email })
    expect(await management.people({ id: before })).toEqual([])
  })

  it("TrackClient deletes a person, and a later identify with the same id creates a new person", async () => {
    const id = fresh("gone")
    await client.identify(id, { plan: "old" })
    const before = await management.person({ id })
    expect(await client.destroy(id)).toEqual({})
    expect(await management.people({ id })).toEqual([])
    await client.identify(id, {})
    const after = await management.person({ id })
    expect(after.svc_id).not.toBe(before.svc_id)
    expect(after.attributes).not.toHaveProperty("plan")
  })

  it("an event that TrackClient sends twice with the same id is stored once", async () => {
    const [id, name, key] = [fresh("buyer"), fresh("bought"), fresh("key")]
    await client.identify(id, {})
    const sent = { name, id: key, timestamp: 1_700_000_000, data: nested }
    expect(await client.track(id, sent)).toEqual({})
    expect(await client.track(id, sent)).toEqual({})
    const person = await management.person({ id })
    const entry = await management.event(name)
    expect(entry).toMatchObject({
      kind: "event",
      source: "track-v1",
      id: key,
      at: "2023-11-14T22:13:20.000Z",
      subject: { svc_id: person.svc_id, id },
    })
    expect(entry.data).toEqual(nested)
    expect(entry.processed_at).not.toBeNull()
    const theirs = await management.activity({ name }, person.svc_id)
    expect(theirs.filter(({ outcome }) => outcome !== "duplicate")).toHaveLength(1)
  })

  it("when TrackClient identifies an anonymous visitor, the visitor's events are attached to the person", async () => {
    const [anonymousId, name, id] = [fresh("visitor"), fresh("looked"), fresh("known")]
    expect(await client.trackAnonymous(anonymousId, { name, data: nested })).toEqual({})
    const pending = await management.event(name)
    expect(pending).toMatchObject({
      outcome: "pending",
      processed_at: null,
      subject: { anonymous_id: anonymousId },
    })
    await client.identify(id, { anonymous_id: anonymousId })
    const person = await management.person({ anonymous_id: anonymousId })
    expect(person.id).toBe(id)
    const associated = await management.event(name)
    expect(associated.operation_id).toBe(pending.operation_id)
    expect(associated.subject.svc_id).toBe(person.svc_id)
    expect(associated.outcome).not.toBe("pending")
    expect(associated.processed_at).not.toBeNull()
    expect(associated.data).toEqual(nested)
  })

  it("TrackClient sends an invitation event with an empty anonymous id", async () => {
    const name = fresh("invited")
    await client.trackAnonymous("", { name, data: { recipient: "friend@example.com" } })
    expect(await management.event(name)).toMatchObject({
      message_overrides: { recipient: "friend@example.com" },
    })
  })

  it("TrackClient tracks a page view", async () => {
    const [id, path] = [fresh("reader"), `/pricing/${fresh("page")}?a=b`]
    await client.identify(id, {})
    await client.trackPageView(id, path)
    expect(await management.event(path)).toMatchObject({ kind: "page", name: path, subject: { id } })
  })

  it("TrackClient sends v2 batches and entities", async () => {
    const [id, email, name, page] = [fresh("v2"), freshEmail(), fresh("event"), fresh("page")]
    const person = { type: "person", identifiers: { id } }
    const answer = await client.batch([
      { ...person, action: "identify", attributes: { email, plan: "pro" } },
      { ...person, action: "event", name, id: fresh("key"), attributes: nested },
      { ...person, action: "page", name: page, attributes: { title: "Prices" } },
    ])
    expect(answer).toEqual({})
    const { svc_id, attributes } = await management.person({ email })
    expect(attributes["plan"]).toBe("pro")
    expect(await management.event(name)).toMatchObject({
      source: "track-v2",
      data: nested,
      subject: { svc_id },
    })
    expect(await management.event(page)).toMatchObject({ kind: "page", data: { title: "Prices" } })
    expect(await client.entity({ type: "person", identifiers: { email }, action: "delete" })).toEqual({})
    expect(await management.people({ id })).toEqual([])
  })

  it("TrackClient receives the index, reason and field of an invalid batch item", async () => {
    const id = fresh("half")
    const answer = await client.batch([
      { type: "person", identifiers: { id }, action: "identify", attributes: { plan: "x".repeat(1001) } },
      { type: "person", identifiers: { id }, action: "identify", attributes: { plan: "fits" } },
    ])
    expect(answer["errors"]).toEqual([
      { batch_index: 0, reason: "too_long", field: "attributes.plan", message: expect.any(String) },
    ])
    expect((await management.person({ id })).attributes["plan"]).toBe("fits")
  })

  it("TrackClient rejects invalid calls and wrong credentials with the documented messages", async () => {
    await expect(client.track(fresh("p"), { name: "x".repeat(101) })).rejects.toMatchObject({
      statusCode: 400,
      message: "event name cannot be longer than 100 bytes",
    })
    await expect(client.identify(fresh("p"), { plan: "x".repeat(1001) })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("value for attribute 'plan' cannot be longer than 1000 bytes"),
    })
    const stranger = new TrackClient(credentials.siteId, "wrong", { url: `${inlet.url}/api/v1`, ...once })
    await expect(stranger.getAccountRegion()).rejects.toMatchObject({
      statusCode: 401,
      message: "Unauthorized request",
    })
  })
})

describe.each([
  ["default", false],
  ["strict", true],
])("customerio-node PipelinesClient in %s mode", (_mode, strictMode) => {
  const pipelines = new PipelinesClient(credentials.writeKey, { ...pipelinesUrl, strictMode })

  it("PipelinesClient sends identify, track, page and screen calls", async () => {
    const [userId, email, anonymousId] = [fresh("user"), freshEmail(), fresh("visitor")]
    const [event, page, screen] = [fresh("event"), fresh("page"), fresh("screen")]
    const timestamp = "2024-05-06T07:08:09.123Z"
    const success = { success: true }
    expect(await pipelines.track({ anonymousId, event, properties: nested, timestamp })).toEqual(success)
    expect(await pipelines.identify({ userId, anonymousId, traits: { email, plan: "pro", nested } })).toEqual(
      success,
    )
    expect(await pipelines.page({ userId, name: page, properties: { url: "https://x.example/" } })).toEqual(
      success,
    )
    expect(await pipelines.screen({ userId, name: screen })).toEqual(success)
    const person = await management.person({ email })
    expect(person).toMatchObject({ id: userId, email, anonymous_ids: [anonymousId] })
    expect(person.attributes).toMatchObject({ plan: "pro", nested })
    const tracked = await management.event(event)
    expect(tracked).toMatchObject({
      source: "pipelines",
      at: timestamp,
      original_timestamp: timestamp,
      data: nested,
    })
    expect(tracked.subject.svc_id).toBe(person.svc_id)
    expect(tracked.processed_at).not.toBeNull()
    const own = { svc_id: person.svc_id }
    expect(await management.event(page)).toMatchObject({ kind: "page", subject: own })
    expect(await management.event(screen)).toMatchObject({ kind: "screen", subject: own })
  })

  it("TrackClient sends batches, and an event with a repeated messageId is stored once", async () => {
    const [userId, event, messageId] = [fresh("user"), fresh("event"), fresh("message")]
    const track = { type: "track", userId, event, messageId, properties: nested } as const
    await pipelines.batch([{ type: "identify", userId, traits: { plan: "pro" } }, track, track])
    await pipelines.track(track)
    const entry = await management.event(event)
    expect(entry).toMatchObject({ id: messageId, data: nested, subject: { id: userId } })
    expect((await management.person({ id: userId })).attributes["plan"]).toBe("pro")
  })
})

describe("a wrong write key", () => {
  const event = fresh("unseen")
  it("a call with a wrong write key gets a success in default mode and is not stored", async () => {
    const stranger = new PipelinesClient(fresh("wrong"), pipelinesUrl)
    expect(await stranger.track({ userId: "u", event })).toEqual({ success: true })
    expect(await management.activity({ name: event })).toEqual([])
  })
  it("a call with a wrong write key gets a 401 in strict mode", async () => {
    const stranger = new PipelinesClient(fresh("wrong"), { ...pipelinesUrl, strictMode: true })
    await expect(stranger.track({ userId: "u", event })).rejects.toMatchObject({ statusCode: 401 })
  })
  it("an event sent first with a wrong and then with the right write key is stored", async () => {
    await pipelines.track({ userId: fresh("user"), event })
    expect((await management.event(event)).source).toBe("pipelines")
  })
})

type Failures = Array<unknown>

const openCustomerio = (failures: Failures) =>
  new CustomerioAnalytics({
    writeKey: credentials.writeKey,
    host: inlet.url,
    maxEventsInBatch: 7,
    maxRetries: 0,
    httpRequestTimeout: waitMsMax,
  }).on("error", (failure) => failures.push(failure))

const openSegment = (failures: Failures) =>
  new SegmentAnalytics({
    writeKey: credentials.writeKey,
    host: inlet.url,
    flushAt: 7,
    maxRetries: 0,
    httpRequestTimeout: waitMsMax,
  }).on("error", (failure) => failures.push(failure))

describe.each([
  ["@customerio/cdp-analytics-node", openCustomerio],
  ["@segment/analytics-node", openSegment],
] as const)("%s", (_name, open) => {
  it("the client delivers every call exactly once", async () => {
    const failures: Failures = []
    const analytics = open(failures)
    const [userId, email, anonymousId] = [fresh("user"), freshEmail(), fresh("visitor")]
    const [event, page, screen, name] = [fresh("event"), fresh("page"), fresh("screen"), fresh("many")]
    const timestamp = new Date("2024-05-06T07:08:09.123Z")
    analytics.track({ anonymousId, event, properties: nested, timestamp, messageId: fresh("message") })
    analytics.identify({ userId, anonymousId, traits: { email, plan: "free", nested } })
    analytics.identify({ userId, traits: { plan: "pro" } })
    analytics.page({ userId, name: page, properties: { title: "Prices" } })
    analytics.screen({ userId, name: screen })
    for (let n = 0; n < 30; n++) analytics.track({ userId, event: name, properties: { n } })
    await analytics.closeAndFlush({ timeout: waitMsMax })
    expect(failures).toEqual([])
    const person = await management.person({ email })
    expect(person).toMatchObject({ id: userId, anonymous_ids: [anonymousId] })
    expect(person.attributes).toMatchObject({ plan: "pro", nested })
    const tracked = await management.event(event)
    expect(tracked).toMatchObject({ data: nested, subject: { svc_id: person.svc_id } })
    expect(Date.parse(tracked.original_timestamp ?? "")).toBe(timestamp.getTime())
    expect(seconds(tracked.at)).toBeGreaterThanOrEqual(seconds(timestamp.toISOString()))
    expect(tracked.processed_at).not.toBeNull()
    expect(await management.event(page)).toMatchObject({ kind: "page", data: { title: "Prices" } })
    expect(await management.event(screen)).toMatchObject({ kind: "screen" })
    const many = await management.activity({ name })
    expect(many).toHaveLength(30)
    expect(new Set(many.map((entry) => JSON.stringify(entry.data))).size).toBe(30)
  })
})
