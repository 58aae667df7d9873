import { describe, expect, it } from "vitest"
import { effectIn, effectOf, replay, requests } from "../src/replay.ts"
import { Tenant } from "../src/Tenant.ts"

const atATime = 16

/** Sends every request, each for a workspace of its own, and lists those that did not come to what they should. */
const failures = async (): Promise<ReadonlyArray<unknown>> => {
  const found: Array<unknown> = []
  const rest = requests.values()
  const work = async () => {
    for (const request of rest) {
      const tenant = await Tenant.create()
      const segment = await tenant.newSegment()
      const { status, text } = await replay(tenant, segment, request)
      const effect = effectIn(await tenant.activity({ order: "asc" }))
      const expected = effectOf(request)
      if (status === request.status && JSON.stringify(effect) === JSON.stringify(expected)) continue
      found.push({ n: request.n, source: request.source, status, text, effect, expected })
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return found
}

/** A workspace that one of the requests was sent for. */
const after = async (n: number): Promise<Tenant> => {
  const request = requests.find((one) => one.n === n)
  if (request === undefined) throw new Error(`there is no request ${n}`)
  const tenant = await Tenant.create()
  expect((await replay(tenant, await tenant.newSegment(), request)).status).toBe(request.status)
  return tenant
}

describe("requests of public clients", () => {
  it("are answered and take effect, all 306", async () => {
    expect(requests).toHaveLength(306)
    expect(await failures()).toEqual([])
  })
})

const address = { city: "NY", state: "CA", country: "USA", postalCode: 712_136 }
const sentAt = "2026-11-20T10:21:36.000Z"

describe("the state after a request of a public client", () => {
  it("is a device of a new person, as Segment adds it", async () => {
    const person = await (await after(3)).person({ id: "abc123" })
    expect(person.devices).toEqual([
      { token: "device_123", platform: "ios", last_used: sentAt, attributes: { app_version: "1.23" } },
    ])
  })

  it("is an object and its visitor, as Segment groups them", async () => {
    const tenant = await after(9)
    const object = await tenant.object("1", "grp123")
    expect(object).toMatchObject({ attributes: { name: "Sales", created_at: 1_795_170_096 } })
    expect(await tenant.related("1", "grp123")).toEqual([
      { svc_id: null, id: null, email: null, anonymous_id: "unknown_123", attributes: {} },
    ])
  })

  it("is a person without what was empty, and with keys that hold dots, as Rudder identifies", async () => {
    const tenant = await after(136)
    const person = await tenant.person({ anonymous_id: "123456" })
    expect(person).toMatchObject({ id: "123456", email: "test@gmail.com" })
    expect(person.attributes).toEqual({ ...address, prop1: "val1", prop2: "val2", "dot.name": "Arnab Pal" })
  })

  it("is a device with flat attributes, as Rudder adds it", async () => {
    const [device] = (await (await after(142)).person({ id: "12345" })).devices
    expect(device?.attributes).toEqual({
      review_body: "Some Review Body",
      rating: 2,
      review_id: "some_review_id",
      product_id: "some_product_id_a",
    })
  })

  it("is a person related from the object's side, as Rudder does it", async () => {
    const tenant = await after(171)
    expect(await tenant.person({ id: "user@1" })).toMatchObject({
      relationships: [{ object_type_id: "1", object_id: "group@1", attributes: {} }],
    })
    expect((await tenant.object("1", "group@1"))?.attributes).toEqual({})
  })

  it("is what numbers name, as Rudder sends them", async () => {
    const tenant = await after(194)
    expect(await tenant.person({ id: "432" })).toMatchObject({
      email: "numeric-id@rudderstack.com",
      relationships: [{ object_type_id: "1", object_id: "306" }],
    })
    expect(await tenant.event("Product Viewed")).toMatchObject({ subject: { anonymous_id: "987654" } })
  })

  it("is a person whose id ends in a slash, as Go sends it", async () => {
    expect((await (await after(218)).person({ id: "1/" })).attributes).toEqual({ a: "1" })
  })

  it("is nobody in a segment whose ids match nobody, as Go adds them", async () => {
    const tenant = await after(235)
    const [entry] = await tenant.activity({ kind: "segment_add" })
    expect(entry?.data).toMatchObject({ ids_applied: 0, ids_ignored: 2 })
    expect(await tenant.people({})).toEqual([])
  })

  it("is a visitor's event in its own time, as Python tracks it", async () => {
    expect(await (await after(251)).event("purchase")).toMatchObject({
      outcome: "pending",
      at: "2019-06-22T19:20:34.000Z",
      data: { type: "socks" },
      subject: { anonymous_id: "anon-123" },
    })
  })

  it("is a person with both identifiers, as Ruby identifies", async () => {
    const person = await (await after(271)).person({ anonymous_id: "anon-id" })
    expect(person).toMatchObject({
      id: "5",
      email: "customer@example.com",
      attributes: { first_name: "Bob", plan: "basic" },
      created_at: new Date(1_780_000_000_000).toISOString(),
    })
  })

  it("is an email address that received an id, as Ruby identifies", async () => {
    expect(await (await after(278)).person({ id: "5" })).toMatchObject({ email: "customer@example.com" })
  })

  it("is a delivery with its metric, as Ruby reports a push", async () => {
    const first_at = new Date(1_780_000_000_000).toISOString()
    expect((await (await after(295)).delivery("foo"))?.metrics).toEqual({ opened: { first_at, count: 1 } })
  })

  it("is what each item of a batch says, as Python sends it", async () => {
    const tenant = await after(261)
    expect((await tenant.person({ id: "1" })).attributes).toEqual({ name: "Alice" })
    expect((await tenant.event("purchase")).subject).toMatchObject({ id: "1" })
  })
})
