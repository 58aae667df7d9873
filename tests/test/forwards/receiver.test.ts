import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { BatchReceiver } from "../../src/forwards/BatchReceiver.ts"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { eventually } from "../../src/eventually.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { Inlet } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })

const events = (count: number, rest: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    type: "person",
    action: "event",
    identifiers: { id: `p${n % 7}` },
    name: "counted",
    attributes: { n, ...rest },
  }))

const Forwarded = Schema.Struct({
  forwards: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      state: Schema.String,
      response_status: Schema.NullOr(Schema.Int),
      reason: Schema.NullOr(Schema.String),
    }),
  ),
})

/** Returns what became of an operation at the forwards of its workspace. */
const forwardedOf = async (tenant: Tenant, operation: string) =>
  read(Forwarded, await tenant.get(`/operations/${operation}`)).forwards

const settingsFor = (receiver: BatchReceiver) => ({
  name: "strict",
  to: "segment",
  url: receiver.url,
  key: "key",
})

describe("a forward to a strict receiver", () => {
  it("takes every event once and in order from a receiver that fails one request in sixteen, and files what it refuses", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    const random = fractions(7)
    const failures = [{ status: 429, headers: { "retry-after": "1" } }, { status: 503 }, "reset"] as const
    receiver.react = (items) => {
      if (random() < 1 / 16) return failures[Math.floor(random() * failures.length)] ?? "reset"
      return items.some(({ properties }) => Number(properties?.["n"]) % 64 === 63)
        ? { status: 400, body: '{"error":"never"}' }
        : { status: 200 }
    }
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    for (let batch = 0; batch < 2; batch++) {
      expect(
        (await tenant.batch(events(100).map((one, n) => ({ ...one, attributes: { n: batch * 100 + n } }))))
          .status,
      ).toBe(200)
    }
    await untilDone(tenant, forward_id)
    expect(receiver.numbers).toEqual(Array.from({ length: 200 }, (_, n) => n).filter((n) => n % 64 !== 63))
    expect(Math.max(...receiver.sizes)).toBeLessThanOrEqual(100)
    expect(receiver.headers[0]).toMatchObject({ "x-strict-mode": "1", "content-encoding": "gzip" })
    const filed = await forwardAttempts(tenant, forward_id, "&status=failed")
    expect(filed.map(({ response_status }) => response_status)).toEqual([400, 400, 400])
    const [refused] = filed
    expect(await forwardedOf(tenant, refused?.operation_id ?? "")).toEqual([
      { name: "strict", state: "failed", response_status: 400, reason: null },
    ])
    // What was filed is sent again once somebody asks for it.
    receiver.react = () => ({ status: 200 })
    await tenant.call("POST", tenant.pathOf(`/forwards/${forward_id}/recover`), {
      since: "2000-01-01T00:00:00Z",
    })
    await eventually("every event", () => (receiver.numbers.length === 200 ? true : undefined))
  })

  it("sends nothing of somebody who was erased while their calls waited, apart from the deletion", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    receiver.react = () => ({ status: 503 })
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    await tenant.batch(events(14, { secret: "nobody must see this" }))
    await eventually("an attempt", () => (receiver.sizes.length > 0 ? true : undefined))
    await tenant.batch([{ type: "person", action: "delete", identifiers: { id: "p3" } }])
    const Erasures = Schema.Struct({
      items: Schema.Array(Schema.Struct({ untold_forwards: Schema.Array(Schema.String) })),
    })
    const untold = async () =>
      read(Erasures, await tenant.get("/erasures")).items.map((one) => one.untold_forwards)
    expect(await untold()).toEqual([["strict"]])
    receiver.react = () => ({ status: 200 })
    await tenant.call("POST", tenant.pathOf(`/forwards/${forward_id}/recover`), {
      since: "2000-01-01T00:00:00Z",
    })
    await untilDone(tenant, forward_id)
    const about = [...receiver.taken.values()].filter(({ userId }) => userId === "p3")
    expect(about.map(({ event, properties }) => ({ event, properties }))).toEqual([
      { event: "User Deleted", properties: {} },
    ])
    expect(receiver.numbers).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13])
    expect(await untold()).toEqual([[]])
  })

  it("keeps no answer that may quote several people", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    receiver.react = () => ({ status: 503, body: "p1 and p2 are unknown" })
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    await tenant.batch(events(2))
    await eventually("an attempt", async () => {
      const attempts = await forwardAttempts(tenant, forward_id)
      return attempts.length >= 2 ? true : undefined
    })
    for (const { response_excerpt, response_status } of await forwardAttempts(tenant, forward_id)) {
      expect(response_status).toBe(503)
      expect(response_excerpt).toBeNull()
    }
  })

  it("sends an operation that is more calls than a request takes in several requests", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    const related = Array.from({ length: 230 }, (_, n) => ({
      identifiers: { object_type_id: "1", object_id: `o${n}` },
    }))
    const relate = {
      type: "person",
      action: "add_relationships",
      identifiers: { id: "ada" },
      svc_relationships: related,
    }
    expect((await tenant.batch([relate])).status).toBe(200)
    await untilDone(tenant, forward_id)
    expect(receiver.sizes).toEqual([100, 100, 30])
    expect(receiver.taken.size).toBe(230)
    const attempts = await forwardAttempts(tenant, forward_id)
    expect(attempts.map(({ status }) => status)).toEqual(["delivered"])
  })

  it("keeps no identifier for the receiver of an erasure that it does not send on", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    const passage = ["1/1", "2/1", "3/1"].join(",")
    const deleted = { batch: [{ type: "person", action: "delete", identifiers: { id: "ada" } }] }
    await tenant.identify("ada", {})
    const answer = await tenant.track("POST", "/api/v2/batch", deleted, { "inlet-forwarded": passage })
    expect(answer.status).toBe(200)
    await untilDone(tenant, forward_id)
    const Erasures = Schema.Struct({
      items: Schema.Array(Schema.Struct({ untold_forwards: Schema.Array(Schema.String) })),
    })
    const { items } = read(Erasures, await tenant.get("/erasures"))
    expect(items).toEqual([{ untold_forwards: [] }])
  })

  it("sends what is left of an operation of which one person was erased while it waited", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    const firstIds = new Map<string, string>()
    receiver.react = (items) => {
      const related = items.filter(({ type }) => type === "group")
      for (const { messageId, userId = "" } of related) firstIds.set(userId, messageId)
      return { status: related.length > 0 ? 503 : 200 }
    }
    const { forward_id } = await createForward(tenant, settingsFor(receiver))
    await tenant.identify("ada", {})
    await tenant.identify("bob", {})
    const relate = {
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
      svc_relationships: [{ identifiers: { id: "ada" } }, { identifiers: { id: "bob" } }],
    }
    expect((await tenant.batch([relate])).status).toBe(200)
    await eventually("an attempt with both", () => (firstIds.size === 2 ? true : undefined))
    await tenant.batch([{ type: "person", action: "delete", identifiers: { id: "bob" } }])
    receiver.react = () => ({ status: 200 })
    await tenant.call("POST", tenant.pathOf(`/forwards/${forward_id}/recover`), {
      since: "2000-01-01T00:00:00Z",
    })
    await untilDone(tenant, forward_id)
    const taken = [...receiver.taken.values()]
    expect(taken.filter(({ type }) => type === "group").map(({ userId }) => userId)).toEqual(["ada"])
    // A receiver that took both before would leave out a call with the id of bob's.
    const ofAda = taken.find(({ type }) => type === "group")?.messageId
    expect([...firstIds.entries()].filter(([, id]) => id === ofAda).map(([who]) => who)).not.toContain("bob")
    const aboutBob = taken.filter((item) => JSON.stringify(item).includes("bob"))
    expect(aboutBob.map(({ event }) => event)).toEqual(["User Deleted"])
  })

  it("shows no answer about somebody who was erased since as the last error", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    receiver.react = () => ({ status: 400, body: "ada@example.com is no id" })
    const { forward_id } = await createForward(tenant, { ...settingsFor(receiver), filter: "kind:event" })
    await tenant.recordEvent("ada", { name: "counted", data: { n: 1 } })
    await untilDone(tenant, forward_id)
    const lastError = async () => Object(await tenant.get(`/forwards/${forward_id}`)).last_error
    expect(await lastError()).toBe("400 ada@example.com is no id")
    receiver.react = () => "reset"
    await tenant.batch([{ type: "person", action: "delete", identifiers: { id: "ada" } }])
    expect(await lastError()).not.toContain("ada@example.com")
  })

  it("refuses a call that the workspace has sent on itself, and notes it as skipped", async () => {
    const tenant = await Tenant.create({}, server)
    const { forward_id } = await createForward(tenant, {
      name: "myself",
      to: "track-v2",
      url: `${server.url}/api`,
      key: `${tenant.siteId}:${tenant.apiKey}`,
    })
    await tenant.batch(events(3))
    await untilDone(tenant, forward_id)
    const attempts = await forwardAttempts(tenant, forward_id)
    expect(attempts.map(({ response_status, status }) => [status, response_status])).toEqual([
      ["skipped", 508],
      ["skipped", 508],
      ["skipped", 508],
    ])
    expect((await tenant.activity({ filter: "kind:event" })).length).toBe(3)
  })

  it("lets integrations and the filter choose, and says what was not sent", async () => {
    const receiver = await BatchReceiver.start()
    const tenant = await Tenant.create({}, server)
    const { forward_id } = await createForward(tenant, { ...settingsFor(receiver), filter: "kind:event" })
    await tenant.identify("ada", { plan: "pro" })
    await tenant.recordEvent("ada", { name: "counted", data: { n: 1 } })
    await untilDone(tenant, forward_id)
    expect(receiver.numbers).toEqual([1])
    const [entry] = await tenant.activity({ filter: "kind:identify" })
    expect(await forwardedOf(tenant, entry?.operation_id ?? "")).toMatchObject([{ state: "not_sent" }])
  })
})

const hostile = [
  "http://127.0.0.2",
  "http://127.2",
  "http://127.0.0.2.",
  "http://0177.0.0.2",
  "http://0x7f.0.0.2",
  "http://%31%32%37.0.0.2",
  "http://100.64.0.1",
  "http://168.63.129.16",
  "http://172.16.0.1",
  "http://192.0.0.192",
  "http://198.18.0.1",
  "http://224.0.0.1",
  "http://240.0.0.1",
  "http://255.255.255.255",
  "http://[::]",
  "http://[::ffff:a00:1]",
  "http://[fc00::1]",
  "http://[fd00:ec2::254]",
  "http://[ff02::1]",
  "http://[2001:db8::1]",
  "http://[2002:a00:1::]",
  "http://10.0.0.1",
  "http://[::1]",
  "http://[::ffff:10.0.0.1]",
  "http://169.254.169.254",
  "http://0.0.0.0",
  "http://2130706434",
  "http://0x0a000001",
  "http://192.168.1.1:8080/v1",
  "http://[fe80::1]",
  "http://[64:ff9b::a00:1]",
  "http://localhost.invalid",
]

it.each([
  ...hostile,
  "ftp://example.com",
  "http://a:b@example.com",
  "https://example.com/?token=1",
  "https://example.com/v1",
  "https://example.com/api/v2/",
  "https://example.com/v1/batch",
  "nothing",
])("refuses to forward to %s, as a new forward and as a changed one", async (url) => {
  const tenant = await Tenant.create({}, server)
  const receiver = await BatchReceiver.start()
  const path = tenant.pathOf("/forwards")
  const created = await tenant.call("POST", path, { ...settingsFor(receiver), url })
  expect([400, 422]).toContain(created.status)
  const { forward_id } = await createForward(tenant, settingsFor(receiver))
  const updated = await tenant.call("PATCH", `${path}/${forward_id}`, { url })
  expect([400, 422]).toContain(updated.status)
  expect(await tenant.get(`/forwards/${forward_id}`)).toMatchObject({ url: receiver.url })
})
