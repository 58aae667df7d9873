import { verifyRequestSignature } from "customerio-node"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { actOnWebhook, attemptsOf, createWebhook, listWebhooks } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const receiver = await WebhookReceiver.start()
const inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })

let paths = 0
const freshPath = () => `/hook-${++paths}`

/** Waits until a path of the receiver has received this many requests. */
const received = (path: string, count: number) =>
  eventually(`${count} requests for ${path}`, () => {
    const requests = receiver.at(path)
    return requests.length >= count ? requests : undefined
  })

const hosted = (json: Readonly<Record<string, unknown>> | undefined) =>
  `${String(json?.["object_type"])}_${String(json?.["metric"])}`

describe("a reporting webhook", () => {
  it("contract §17 reporting events: a reporting webhook sends signed reports of messages, unsubscribes and preferences in order", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const { signing_secret } = await createWebhook(tenant, { url: receiver.url(path), body_content: true })
    await tenant.identify("ada", { email: "ada@example.com" })
    await tenant.call("PUT", tenant.pathOf("/deliveries/d1"), {
      channel: "sms",
      person: { id: "ada" },
      campaign_id: 7,
    })
    await tenant.track("POST", "/api/v1/metrics", {
      delivery_id: "d1",
      metric: "clicked",
      href: "https://a.b",
    })
    await tenant.track("POST", "/unsubscribe/d1", { unsubscribe: true })
    await tenant.identify("ada", { unsubscribed: false })
    await tenant.identify("ada", { cio_subscription_preferences: { topics: { topic_1: true } } })
    const requests = await received(path, 4)
    expect(requests.map(({ json }) => hosted(json))).toEqual([
      "sms_clicked",
      "sms_unsubscribed",
      "customer_subscribed",
      "customer_cio_subscription_preferences_changed",
    ])
    expect(requests[0]?.json["data"]).toMatchObject({
      customer_id: "ada",
      identifiers: { id: "ada", email: "ada@example.com" },
      delivery_id: "d1",
      campaign_id: 7,
      href: "https://a.b",
    })
    expect(requests[3]?.json["data"]).toMatchObject({ content: '{"topics":{"topic_1":true}}' })
    for (const { body, headers, json } of requests) {
      const isSigned = verifyRequestSignature({
        signingSecret: signing_secret,
        timestamp: Number(headers["x-cio-timestamp"]),
        signature: String(headers["x-cio-signature"]),
        body,
      })
      expect(isSigned).toBe(true)
      const standardHeaders = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      )
      expect(new Webhook(signing_secret).verify(body, standardHeaders)).toEqual(json)
      expect(headers["webhook-id"]).toBe(json["event_id"])
    }
  })

  it("contract §17 chosen events: a webhook sends only the chosen events, and a webhook with first_only sends only the first report of each metric", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const settings = {
      url: receiver.url(path),
      events: ["unknown_opened", "unknown_bounced"],
      first_only: true,
    }
    await createWebhook(tenant, settings)
    for (const metric of ["opened", "clicked", "opened", "bounced"]) {
      await tenant.track("POST", "/api/v1/metrics", { delivery_id: "d1", metric })
    }
    const requests = await received(path, 2)
    expect(requests.map(({ json }) => hosted(json))).toEqual(["unknown_opened", "unknown_bounced"])
  })

  it("contract §17 erased people: a reporting webhook does not send a waiting event about a person who was deleted", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const settings = { url: receiver.url(path), enabled: false }
    const { webhook_id } = await createWebhook(tenant, settings)
    await tenant.identify("ada", { unsubscribed: true })
    await tenant.identify("bob", { unsubscribed: true })
    await tenant.track("DELETE", "/api/v1/customers/ada")
    await tenant.call("PATCH", tenant.pathOf(`/webhooks/${webhook_id}`), { enabled: true })
    const [request] = await received(path, 1)
    expect(request?.json["data"]).toMatchObject({ customer_id: "bob" })
  })
})

describe("an activity webhook", () => {
  it("contract §17 activity webhooks: an activity webhook sends the log entries that its filter selects, in the format of the activity list", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const filter = "kind:event name:order_*"
    await createWebhook(tenant, { url: receiver.url(path), kind: "activity", filter })
    for (const name of ["order_placed", "page_seen", "order_shipped"]) {
      await tenant.recordEvent("ada", { name, data: { total: 3 } })
    }
    const requests = await received(path, 2)
    const entries = await tenant.activity({ filter, order: "asc" })
    expect(requests.map(({ json }) => json)).toEqual(entries)
    expect(requests.map(({ headers }) => headers["webhook-id"])).toEqual(
      entries.map(({ operation_id }) => operation_id),
    )
  })
})

describe("the activity webhooks of a deleted person", () => {
  it("contract §17 erased people: an activity webhook sends entries that waited during a deletion without personal data", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const settings = { url: receiver.url(path), kind: "activity", enabled: false }
    const { webhook_id } = await createWebhook(tenant, settings)
    await tenant.identify("ada-secret", { email: "secret@example.com" })
    await tenant.recordEvent("ada-secret", { name: "secret", data: { secret: 1 } })
    await tenant.track("DELETE", "/api/v1/customers/ada-secret")
    await tenant.identify("bob", { plan: "pro" })
    await tenant.call("PATCH", tenant.pathOf(`/webhooks/${webhook_id}`), { enabled: true })
    const requests = await received(path, 3)
    expect(requests.map(({ json }) => json["kind"])).toEqual(["identify", "delete", "identify"])
    for (const { body } of requests) expect(body).not.toContain("secret")
  })

  it("contract §17 erased people: nobody sees a receiver's answer about a person after the deletion of the person is acknowledged", async () => {
    const tenant = await Tenant.create({}, inlet)
    const { webhook_id } = await createWebhook(tenant, { url: receiver.url(freshPath()), kind: "activity" })
    await tenant.identify("ada", { plan: "pro" })
    await tenant.identify("bob", { plan: "pro" })
    const excerpts = async () =>
      (await attemptsOf(tenant, webhook_id)).slice(-2).map(({ response_excerpt }) => response_excerpt)
    await eventually("both answers are recorded", async () =>
      (await excerpts()).join() === "status 200,status 200" ? true : undefined,
    )
    await tenant.track("DELETE", "/api/v1/customers/ada")
    expect(await excerpts()).toEqual(["status 200", null])
  })

  it("contract §17 erased people: if a person is erased, the receivers' answers to events about the person are erased from the recorded attempts", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const { webhook_id } = await createWebhook(tenant, { url: receiver.url(path), kind: "activity" })
    await tenant.identify("ada", { plan: "pro" })
    await tenant.identify("bob", { plan: "pro" })
    await received(path, 2)
    await tenant.track("DELETE", "/api/v1/customers/ada")
    await received(path, 3)
    await eventually("the excerpt of the first answer is erased", async () => {
      const [, bob, ada] = await attemptsOf(tenant, webhook_id)
      return bob?.response_excerpt === "status 200" && ada?.response_excerpt === null ? true : undefined
    })
  })
})

describe("a webhook that fails", () => {
  it("contract §17 attempts: a failing webhook is blocked by its oldest event until an operator skips this event, and records its attempts", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    receiver.react = (request) => (request.path === path && request.json["name"] === "bad" ? 410 : 200)
    const settings = { url: receiver.url(path), kind: "activity", filter: "kind:event" }
    const { webhook_id } = await createWebhook(tenant, settings)
    for (const name of ["good", "bad", "later"]) await tenant.recordEvent("ada", { name })
    const attempts = await eventually("an attempt fails", async () => {
      const failed = await attemptsOf(tenant, webhook_id, "&status=retrying")
      return failed.length > 0 ? failed : undefined
    })
    expect(attempts).toMatchObject([{ number: 1, response_status: 410, response_excerpt: "status 410" }])
    const one = await tenant.call("GET", tenant.pathOf(`/webhooks/${webhook_id}`))
    expect(one.json).toMatchObject({
      blocked_by: { operation_id: attempts[0]?.operation_id, attempts: 1, next_at: attempts[0]?.next_at },
    })
    const action = `attempts/${attempts[0]?.attempt_id}`
    expect((await actOnWebhook(tenant, webhook_id, `${action}/resend`)).status).toBe(202)
    await eventually("the second attempt is recorded", async () => {
      const recorded = await attemptsOf(tenant, webhook_id)
      return recorded.length === 3 ? true : undefined
    })
    expect((await actOnWebhook(tenant, webhook_id, `${action}/skip`)).status).toBe(204)
    const requests = await received(path, 4)
    expect(requests.map(({ json }) => json["name"])).toEqual(["good", "bad", "bad", "later"])
    expect((await actOnWebhook(tenant, webhook_id, `${action}/skip`)).status).toBe(409)
    const all = await eventually("all attempts are recorded", async () => {
      const recorded = await attemptsOf(tenant, webhook_id, "&order=asc")
      return recorded.length === 5 ? recorded : undefined
    })
    expect(all.map(({ number, status }) => `${number} ${status}`)).toEqual([
      "1 delivered",
      "1 retrying",
      "2 retrying",
      "3 skipped",
      "1 delivered",
    ])
    receiver.react = () => 200
    const recovered = await actOnWebhook(tenant, webhook_id, "recover", { since: "2020-01-01T00:00:00.000Z" })
    expect(recovered.json).toEqual({ events: 1 })
    await received(path, 5)
  })

  it("contract §17 attempts: the list of webhooks names the event that blocks each webhook", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    receiver.react = (request) => (request.path === path ? 410 : 200)
    await createWebhook(tenant, { url: receiver.url(path), kind: "activity", filter: "kind:event" })
    await tenant.recordEvent("ada", { name: "bad" })
    const { blocked_by } = await eventually("the webhook is blocked", async () => {
      const [first] = await listWebhooks(tenant)
      return first?.blocked_by === null ? undefined : first
    })
    expect(blocked_by?.attempts).toBe(1)
  })

  it("a webhook whose receiver fails does not delay another webhook", async () => {
    const tenant = await Tenant.create({}, inlet)
    const [slow, fast] = [freshPath(), freshPath()]
    receiver.react = (request) => (request.path === slow ? "hang" : 200)
    for (const path of [slow, fast]) {
      await createWebhook(tenant, { url: receiver.url(path), kind: "activity", filter: "kind:event" })
    }
    for (let n = 0; n < 20; n++) await tenant.recordEvent("ada", { name: "happened" })
    await received(fast, 20)
    expect(receiver.at(slow)).toHaveLength(1)
  })
})

describe("the settings of a webhook", () => {
  it.each([
    [{ url: "not a url" }, 400, /^url: must be an http or https URL/],
    [{ url: "ftp://example.com" }, 400, /^url: must be/],
    [{ url: "https://a:b@example.com" }, 400, /^url: cannot contain a user name/],
    [{ events: ["email_eaten"] }, 400, /^events: unknown event "email_eaten"/],
    [{ kind: "activity", filter: "colour:red" }, 400, /^filter: .*colour/],
    [
      { kind: "activity", events: ["email_opened"] },
      400,
      /^events: an activity webhook must leave this field out/,
    ],
    [{ filter: "kind:event" }, 400, /^filter: only activity webhooks/],
    [{ ordering: "loose" }, 400, /^ordering: /],
    [{ colour: "red" }, 400, /^colour: unknown field/],
    [{ url: "http://10.0.0.1/" }, 422, /^url: 10\.0\.0\.1 has the address 10\.0\.0\.1, which is not public/],
    [{ url: "http://localhost:PORT" }, 201, null],
    [{ url: "http://[::ffff:10.0.0.1]/" }, 422, /^url: /],
    [{ url: "http://does-not-exist.invalid/" }, 422, /^url: the host name .* does not resolve/],
  ] as const)("contract §17 settings: the settings %j get the status %i", async (given, status, detail) => {
    const tenant = await Tenant.create({}, inlet)
    const settings = { url: receiver.url("/"), ...given }
    const answer = await tenant.call("POST", tenant.pathOf("/webhooks"), {
      ...settings,
      url: settings.url.replace("localhost:PORT", new URL(receiver.url("/")).host),
    })
    expect(answer.status).toBe(status)
    if (detail !== null) expect((answer.json as { readonly detail: string }).detail).toMatch(detail)
  })

  it.each([
    [{ url: "not a url" }, 400, /^url: must be an http or https URL/],
    [{ url: "http://10.0.0.1/" }, 422, /^url: /],
    [{ url: "http://does-not-exist.invalid/" }, 422, /^url: the host name .* does not resolve/],
    [{ events: ["email_eaten"] }, 400, /^events: unknown event "email_eaten"/],
    [{ filter: "kind:event" }, 400, /^filter: only activity webhooks/],
  ] as const)(
    "contract §17 settings: the change %j gets the status %i and changes nothing",
    async (change, status, detail) => {
      const tenant = await Tenant.create({}, inlet)
      const { webhook_id } = await createWebhook(tenant, { url: receiver.url("/") })
      const path = tenant.pathOf(`/webhooks/${webhook_id}`)
      const before = await tenant.call("GET", path)
      const answer = await tenant.call("PATCH", path, change)
      expect(answer.status).toBe(status)
      expect((answer.json as { readonly detail: string }).detail).toMatch(detail)
      expect((await tenant.call("GET", path)).json).toEqual(before.json)
    },
  )

  it("contract §17 secrets: the signing secret is shown only when it is created, and a replaced secret stays valid for a while", async () => {
    const tenant = await Tenant.create({}, inlet)
    const path = freshPath()
    const { signing_secret, webhook_id } = await createWebhook(tenant, { url: receiver.url(path) })
    const list = await tenant.call("GET", tenant.pathOf("/webhooks"))
    expect(list.text).toContain(webhook_id)
    expect(list.text).not.toContain(signing_secret)
    const rotated = await tenant.call("POST", tenant.pathOf(`/webhooks/${webhook_id}/rotate-secret`))
    expect(rotated.json).toMatchObject({ signing_secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.text).not.toContain(signing_secret)
    const tested = await actOnWebhook(tenant, webhook_id, "test")
    expect(tested.json).toMatchObject({ status: "delivered", response_status: 200 })
    const [sample] = await received(path, 1)
    expect(String(sample?.headers["webhook-signature"]).split(" ")).toHaveLength(2)
    expect((await tenant.call("DELETE", tenant.pathOf(`/webhooks/${webhook_id}`))).status).toBe(204)
    expect((await tenant.call("GET", tenant.pathOf(`/webhooks/${webhook_id}`))).status).toBe(404)
  })
})
