import { describe, expect, it } from "vitest"
import { expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { send } from "../../src/http.ts"
import { base64, strict } from "../../src/ingestion.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const operations = ["identify", "track", "group", "page", "screen", "alias", "batch"]

describe("the Pipelines service", () => {
  it("pipelines-api §1 POST only: Pipelines answers 405 to other methods than POST, and success bodies contain no data", async () => {
    const source = await PipelinesSource.create()
    for (const path of operations) {
      for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
        const answer = await send(source.inlet.url, { method, path: `/v1/${path}` })
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "POST, OPTIONS"])
      }
      const call = { userId: "u", event: "e", groupId: "g", previousId: "p" }
      expectPipelinesSuccess(await source.post(path, path === "batch" ? { batch: [] } : call))
    }
  })

  it("pipelines-api §9 version: a Pipelines path with a missing or unknown version gets a 404", async () => {
    const source = await PipelinesSource.create()
    for (const path of ["/track", "/v3/track", "/v1/v1/track"]) {
      const headers = { authorization: source.authorization }
      const answer = await send(source.inlet.url, { method: "POST", path, headers, body: "{}" })
      expect([path, answer.status]).toEqual([path, 404])
    }
  })

  it("pipelines-api §1 times: an event has the timestamp of its call to the millisecond, or the receipt time if the call has no timestamp", async () => {
    const source = await PipelinesSource.create()
    await source.post("track", { userId: "u", event: "now" })
    const now = await source.event("now")
    expect([now.at, now.original_timestamp]).toEqual([now.received_at, null])
    const timestamp = "2024-05-06T07:08:09.123Z"
    await source.post("track", { userId: "u", event: "then", timestamp })
    expect(await source.event("then")).toMatchObject({ at: timestamp, original_timestamp: timestamp })
  })
})

describe("common fields", () => {
  it("pipelines-api §2.1 anonymousId: an anonymousId identifies a visitor, with or without a userId", async () => {
    const source = await PipelinesSource.create()
    await source.post("track", { anonymousId: "v", event: "alone" })
    expect(await source.event("alone")).toMatchObject({
      outcome: "pending",
      processed_at: null,
      subject: { anonymous_id: "v", svc_id: null },
    })
    await source.post("identify", { userId: "u", anonymousId: "v" })
    expect(await source.event("alone")).toMatchObject({
      outcome: "applied",
      subject: { id: "u", anonymous_id: "v" },
    })
  })

  it("pipelines-api §2.1 context, integrations: a call may have any content in context and integrations, which is not stored in the event's data", async () => {
    const source = await PipelinesSource.create()
    const call = { userId: "u", event: "e", properties: { a: 1 } }
    const context = { ip: "::1", page: { url: "u" }, library: { name: "l" }, locale: "de" }
    await source.post("track", { ...call, context, integrations: { All: false, "Customer.io": true } })
    expect(await source.event("e")).toMatchObject({ data: { a: 1 }, reason: null })
  })

  it("pipelines-api §2.1 type: the path decides the type of a single call, and the field type decides the type of a call in a batch", async () => {
    const source = await PipelinesSource.create()
    await source.post("track", { type: "identify", userId: "u", event: "e" })
    await source.post("batch", { batch: [{ type: "screen", userId: "u", name: "s", event: "no" }] })
    expect((await source.log()).map(({ kind, name }) => [kind, name])).toEqual([
      ["event", "e"],
      ["screen", "s"],
    ])
  })

  it("pipelines-api §2.1 timestamps: an identify stores an ISO 8601 trait as text, and createdAt as Unix seconds", async () => {
    const source = await PipelinesSource.create()
    const traits = { renewed: "2024-05-06T07:08:09.123Z", createdAt: "2024-05-06T07:08:09.123Z" }
    await source.post("identify", { userId: "u", traits })
    const { attributes, created_at } = await source.person({ id: "u" })
    expect(attributes).toEqual({ renewed: traits.renewed })
    expect(created_at).toBe("2024-05-06T07:08:09.000Z")
    const [entry] = await source.log()
    expect(entry?.data).toMatchObject({ created_at: 1_714_979_289 })
  })

  it("pipelines-api §2.3 mapping: Pipelines calls produce the same state as the matching Track calls", async () => {
    const tenant = await Tenant.create()
    const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)
    const attributes = { email: "track@example.com", plan: "pro" }
    const relationship = { object_type_id: "2", object_id: "acme" }
    await tenant.identify("track", attributes)
    await tenant.recordEvent("track", { name: "Bought", timestamp: 1_700_000_000, data: { total: 1 } })
    await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: relationship,
      attributes: { name: "Acme" },
      cio_relationships: [{ identifiers: { id: "track" }, relationship_attributes: { role: "ceo" } }],
    })
    await source.post("identify", {
      userId: "pipelines",
      traits: { ...attributes, email: "pipelines@example.com" },
    })
    const timestamp = "2023-11-14T22:13:20.000Z"
    await source.post("track", { userId: "pipelines", event: "Bought", timestamp, properties: { total: 1 } })
    const traits = { object_type_id: "2", name: "Acme", relationship_traits: { role: "ceo" } }
    await source.post("group", { userId: "pipelines", groupId: "acme", traits })
    const stateOf = async (id: string) => {
      const person = await source.person({ id })
      const events = await source.activity({ kind: "event" }, person.svc_id)
      const { attributes: stored, relationships } = person
      return { stored, relationships, events: events.map(({ at, data, name }) => ({ at, data, name })) }
    }
    expect(await stateOf("pipelines")).toEqual(await stateOf("track"))
    expect(await stateOf("track")).toMatchObject({
      stored: { plan: "pro" },
      relationships: [{ attributes: { role: "ceo" } }],
    })
    await tenant.track("DELETE", "/api/v1/customers/track")
    await source.post("track", { userId: "pipelines", event: "User Deleted" })
    expect(await source.people({})).toEqual([])
  })
})

describe("modes and keys", () => {
  it("pipelines-api §4 rule 2: only X-Strict-Mode with the value 1 turns validation on", async () => {
    const source = await PipelinesSource.create()
    for (const value of ["0", "true", ""]) {
      expectPipelinesSuccess(await source.post("track", { userId: "u" }, { "x-strict-mode": value }))
    }
    const refused = await source.post("track", { userId: "u" }, strict)
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
  })

  it.each([
    [
      "pipelines-api §5 rule 1: accepts a source's write key until it is revoked",
      (key: string) => `Basic ${base64(`${key}:`)}`,
    ],
    [
      "pipelines-api §5 rule 2: accepts the write key as Basic user name with a blank password",
      (key: string) => `Basic ${base64(`${key}:`)}`,
    ],
    ["accepts a write key encoded without a colon", (key: string) => `Basic ${base64(key)}`],
    [
      "accepts a write key encoded without base64 padding",
      (key: string) => `basic ${base64(`${key}:`).replace(/=+$/, "")}`,
    ],
  ])("%s", async (_name, authorization) => {
    const source = await PipelinesSource.create()
    const headers = { authorization: authorization(source.writeKey), ...strict }
    expectPipelinesSuccess(await source.post("track", { userId: "u", event: "e" }, headers))
    expect(await source.event("e")).toMatchObject({ source: "pipelines" })
    await source.call("DELETE", source.pathOf(`/keys/${await keyOf(source)}`))
    const revoked = await source.post("track", { userId: "u", event: "after" }, headers)
    expect(revoked.status).toBe(401)
  })

  it("pipelines-api §5 rule 3: Pipelines accepts the write key in the body, as web clients send it", async () => {
    const source = await PipelinesSource.create()
    expectPipelinesSuccess(await source.postAsBrowser("t", { userId: "u", event: "e" }))
    expect(await source.event("e")).toMatchObject({ source: "pipelines", subject: { id: "u" } })
  })

  it("pipelines-api §5 rule 4: a wrong write key gets a 401 in strict mode and a 200 in default mode", async () => {
    const source = await PipelinesSource.create()
    const headers = { authorization: `Basic ${base64("wrong:")}` }
    expectPipelinesSuccess(await source.post("track", { userId: "u", event: "e" }, headers))
    const refused = await source.post("track", { userId: "u", event: "e" }, { ...headers, ...strict })
    expect(refused.status).toBe(401)
    expectStrictFault(refused)
    expect(await source.log()).toEqual([])
  })

  it("pipelines-api §8 request rate: every answer states the rate limit, which is not enforced by default", async () => {
    const source = await PipelinesSource.create({ limits: { rate_requests: 2 } })
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await source.post("track", { userId: "u", event: "e" }))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers[0]?.headers).toMatchObject({ "ratelimit-limit": "2", "ratelimit-policy": "2;w=3" })
    expect(await source.activity({ name: "e" })).toHaveLength(6)
  })
})

const keyOf = async (source: PipelinesSource): Promise<string> => {
  const keys = await source.get("/keys")
  return /"key_id":"([^"]+)"/.exec(JSON.stringify(keys))?.[1] ?? ""
}

describe("contract §13", () => {
  it("contract §13 anonymous information: a visitor's traits, events, devices and groups move to the person when the visitor is identified", async () => {
    const source = await PipelinesSource.create()
    const v = { anonymousId: "v" }
    await source.post("identify", { ...v, traits: { plan: "free", city: "Bonn" } })
    await source.post("track", { ...v, event: "Looked" })
    await source.post("group", { ...v, groupId: "acme" })
    const device = { token: "tok", type: "ios" }
    await source.post("track", { ...v, event: "Device Created or Updated", context: { device } })
    expect(await source.people({})).toEqual([])
    await source.post("identify", { userId: "u", traits: { plan: "pro" } })
    await source.post("identify", { userId: "u", ...v })
    const person = await source.person({ id: "u" })
    expect(person).toMatchObject({
      attributes: { plan: "pro", city: "Bonn" },
      anonymous_ids: ["v"],
      devices: [{ token: "tok" }],
      relationships: [{ object_id: "acme" }],
    })
    expect(await source.event("Looked")).toMatchObject({ subject: { svc_id: person.svc_id } })
  })

  it("contract §13 anonymous email: traits.email together with an anonymousId identifies a person and attaches the visitor", async () => {
    const source = await PipelinesSource.create()
    await source.post("identify", { anonymousId: "v", traits: { email: "ada@example.com", plan: "pro" } })
    expect(await source.person({ email: "ada@example.com" })).toMatchObject({
      id: null,
      anonymous_ids: ["v"],
      attributes: { plan: "pro" },
    })
  })

  it("contract §13 traits of the context: an identify without traits uses context.traits", async () => {
    const source = await PipelinesSource.create()
    await source.post("identify", { userId: "u", context: { traits: { plan: "pro" } } })
    await source.post("identify", {
      userId: "u",
      traits: { city: "Bonn" },
      context: { traits: { plan: "no" } },
    })
    expect((await source.person({ id: "u" })).attributes).toEqual({ plan: "pro", city: "Bonn" })
  })

  it("contract §13 _timestamp: an older traits._timestamp does not overwrite newer values", async () => {
    const source = await PipelinesSource.create()
    await source.post("identify", { userId: "u", traits: { plan: "new", _timestamp: 1_700_000_100 } })
    await source.post("identify", { userId: "u", traits: { plan: "old", a: 1, _timestamp: 1_700_000_000 } })
    await source.post("group", { groupId: "g", traits: { plan: "new", _timestamp: 1_700_000_100 } })
    await source.post("group", { groupId: "g", traits: { plan: "old", a: 1, _timestamp: 1_700_000_000 } })
    expect((await source.person({ id: "u" })).attributes).toEqual({ plan: "new", a: 1 })
    expect((await source.object("1", "g"))?.attributes).toEqual({ plan: "new", a: 1 })
  })

  it("contract §13 empty userId: an empty userId counts as absent", async () => {
    const source = await PipelinesSource.create()
    await source.post("track", { userId: "", anonymousId: "v", event: "e" })
    expect(await source.event("e")).toMatchObject({ subject: { id: null, anonymous_id: "v" } })
  })

  it("contract §13 batch defaults: the context, sentAt and writeKey of a batch apply to calls without these fields", async () => {
    const source = await PipelinesSource.create()
    const device = { token: "tok", type: "ios" }
    const item = {
      type: "track",
      userId: "u",
      event: "Application Opened",
      timestamp: "2026-01-01T00:00:00Z",
    }
    const answer = await source.postAsBrowser("b", {
      context: { device, app: { version: "1" } },
      sentAt: "2026-01-01T00:00:10Z",
      batch: [
        { type: "identify", userId: "u", timestamp: "2025-12-31T00:00:00Z" },
        { ...item, context: { app: { version: "2" } } },
      ],
    })
    expectPipelinesSuccess(answer)
    expect((await source.person({ id: "u" })).devices).toMatchObject([
      { token: "tok", attributes: { app_version: "2" } },
    ])
    const entry = await source.event("Application Opened")
    expect(Date.parse(entry.received_at) - Date.parse(entry.at)).toBe(10_000)
  })

  it("contract §13 order: the calls of a batch are applied in their order", async () => {
    const source = await PipelinesSource.create()
    const user = { userId: "u" }
    await source.post("batch", {
      batch: [
        { type: "track", anonymousId: "v", event: "before" },
        { type: "identify", ...user, anonymousId: "v", traits: { n: 1 } },
        { type: "group", ...user, groupId: "g" },
        { type: "identify", userId: "old" },
        { type: "alias", ...user, previousId: "old" },
        { type: "identify", ...user, traits: { n: 2 } },
      ],
    })
    expect((await source.log()).map(({ outcome }) => outcome)).toEqual([
      "applied",
      "created",
      "created",
      "created",
      "applied",
      "applied",
    ])
    expect(await source.person({ id: "u" })).toMatchObject({
      attributes: { n: 2 },
      relationships: [{ object_id: "g" }],
    })
  })
})

const register = (source: PipelinesSource, id: string, channel: string) => {
  const registration = { channel, person: { id: "u" }, recipient: "r@example.com" }
  return source.call("PUT", source.pathOf(`/deliveries/${id}`), registration)
}

describe("message metric events", () => {
  it("pipelines-api §6.2 envelope: the log entry of a delivery report contains the message metric event as its data", async () => {
    const source = await PipelinesSource.create()
    await source.post("identify", { userId: "u", traits: { email: "u@example.com" } })
    await register(source, "D", "email")
    const answer = await source.post("track", {
      anonymousId: "D",
      event: "Report Delivery Event",
      timestamp: "2024-05-06T07:08:09.000Z",
      properties: { deliveryId: "D", metric: "bounced", reason: "full" },
    })
    const { data, name } = await source.operation(answer)
    expect(name).toBe("Email Bounced")
    expect(data).toMatchObject({
      type: "track",
      event: "Email Bounced",
      userId: "u",
      messageId: expect.any(String),
      timestamp: "2024-05-06T07:08:09.000Z",
      sentAt: expect.any(String),
      receivedAt: expect.any(String),
      originalTimestamp: expect.any(String),
      context: { traits: { email: "u@example.com" } },
      properties: { delivery_id: "D", recipient: "r@example.com", bounce_reason: "full" },
    })
  })

  it("pipelines-api §6.2 events: a message metric event is named after its channel and metric", async () => {
    const source = await PipelinesSource.create()
    await source.post("identify", { userId: "u" })
    const names: Array<string | null> = []
    for (const channel of ["email", "push", "sms", "in_app", "webhook", "slack", "whatsapp"]) {
      await register(source, channel, channel)
      for (const metric of ["delivered", "opened", "clicked", "converted", "spammed"]) {
        const properties = { deliveryId: channel, metric }
        const answer = await source.post("track", { userId: "u", event: "Report Delivery Event", properties })
        names.push((await source.operation(answer)).name)
      }
    }
    const metrics = ["Delivered", "Opened", "Link Clicked", "Converted", "Marked as Spam"]
    const channels = ["Email", "Push", "SMS", "In-App", "Webhook", "Slack", "WhatsApp"]
    expect(names).toEqual(channels.flatMap((channel) => metrics.map((metric) => `${channel} ${metric}`)))
  })
})
