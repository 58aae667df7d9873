import { describe, expect, it } from "vitest"
import { recordedOutcomes, expectedOutcomes, replay, requests } from "../../src/trackReplay.ts"
import { Tenant } from "../../src/Tenant.ts"

const atATime = 16

/**
 * Replays every request in a separate workspace. Returns the requests that got an unexpected status or unexpected
 * outcomes.
 */
const failures = async (): Promise<ReadonlyArray<unknown>> => {
  const found: Array<unknown> = []
  const rest = requests.values()
  const work = async () => {
    for (const request of rest) {
      const tenant = await Tenant.create()
      const segment = await tenant.createSegment()
      const { status, text } = await replay(tenant, segment, request)
      const recorded = recordedOutcomes(await tenant.activity({ order: "asc" }))
      const expected = expectedOutcomes(request)
      if (status === request.status && JSON.stringify(recorded) === JSON.stringify(expected)) continue
      found.push({ n: request.n, source: request.source, status, text, recorded, expected })
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return found
}

/** Creates a workspace and sends one of the recorded requests to it. */
const workspaceAfter = async (n: number): Promise<Tenant> => {
  const request = requests.find((one) => one.n === n)
  if (request === undefined) throw new Error(`request ${n} is missing from the file`)
  const tenant = await Tenant.create()
  expect((await replay(tenant, await tenant.createSegment(), request)).status).toBe(request.status)
  return tenant
}

describe("recorded requests of public Track clients", () => {
  it("all 306 recorded requests get the expected status and outcomes", async () => {
    expect(requests).toHaveLength(306)
    expect(await failures()).toEqual([])
  })
})

const address = { city: "NY", state: "CA", country: "USA", postalCode: 712_136 }
const sentAt = "2026-11-20T10:21:36.000Z"

describe("the state after a recorded request", () => {
  it("a device added by Segment belongs to a new person", async () => {
    const person = await (await workspaceAfter(3)).person({ id: "abc123" })
    expect(person.devices).toEqual([
      { token: "device_123", platform: "ios", last_used: sentAt, attributes: { app_version: "1.23" } },
    ])
  })

  it("a group call from Segment creates an object related to a visitor", async () => {
    const tenant = await workspaceAfter(9)
    const object = await tenant.object("1", "grp123")
    expect(object).toMatchObject({ attributes: { name: "Sales", created_at: 1_795_170_096 } })
    expect(await tenant.peopleOfObject("1", "grp123")).toEqual([
      { svc_id: null, id: null, email: null, anonymous_id: "unknown_123", attributes: {} },
    ])
  })

  it("an identify from RudderStack leaves out empty attributes and keeps dots in names", async () => {
    const tenant = await workspaceAfter(136)
    const person = await tenant.person({ anonymous_id: "123456" })
    expect(person).toMatchObject({ id: "123456", email: "test@gmail.com" })
    expect(person.attributes).toEqual({ ...address, prop1: "val1", prop2: "val2", "dot.name": "Arnab Pal" })
  })

  it("the flat device keys that RudderStack sends become attributes of the device", async () => {
    const [device] = (await (await workspaceAfter(142)).person({ id: "12345" })).devices
    expect(device?.attributes).toEqual({
      review_body: "Some Review Body",
      rating: 2,
      review_id: "some_review_id",
      product_id: "some_product_id_a",
    })
  })

  it("a RudderStack call that identifies an object relates the object to a person", async () => {
    const tenant = await workspaceAfter(171)
    expect(await tenant.person({ id: "user@1" })).toMatchObject({
      relationships: [{ object_type_id: "1", object_id: "group@1", attributes: {} }],
    })
    expect((await tenant.object("1", "group@1"))?.attributes).toEqual({})
  })

  it("the numeric identifiers that RudderStack sends become texts", async () => {
    const tenant = await workspaceAfter(194)
    expect(await tenant.person({ id: "432" })).toMatchObject({
      email: "numeric-id@rudderstack.com",
      relationships: [{ object_type_id: "1", object_id: "306" }],
    })
    expect(await tenant.event("Product Viewed")).toMatchObject({ subject: { anonymous_id: "987654" } })
  })

  it("an id that ends in a slash, sent by the Go client, identifies a person", async () => {
    expect((await (await workspaceAfter(218)).person({ id: "1/" })).attributes).toEqual({ a: "1" })
  })

  it("a segment call of the Go client with unknown ids creates no person and counts the ids as ignored", async () => {
    const tenant = await workspaceAfter(235)
    const [entry] = await tenant.activity({ kind: "segment_add" })
    expect(entry?.data).toMatchObject({ ids_applied: 0, ids_ignored: 2 })
    expect(await tenant.people({})).toEqual([])
  })

  it("an anonymous event of the Python client is stored with its own timestamp", async () => {
    expect(await (await workspaceAfter(251)).event("purchase")).toMatchObject({
      outcome: "pending",
      at: "2019-06-22T19:20:34.000Z",
      data: { type: "socks" },
      subject: { anonymous_id: "anon-123" },
    })
  })

  it("an identify of the Ruby client creates a person with id, email and anonymous id", async () => {
    const person = await (await workspaceAfter(271)).person({ anonymous_id: "anon-id" })
    expect(person).toMatchObject({
      id: "5",
      email: "customer@example.com",
      attributes: { first_name: "Bob", plan: "basic" },
      created_at: new Date(1_780_000_000_000).toISOString(),
    })
  })

  it("an identify of the Ruby client by email sets the person's id", async () => {
    expect(await (await workspaceAfter(278)).person({ id: "5" })).toMatchObject({
      email: "customer@example.com",
    })
  })

  it("a push report of the Ruby client adds a metric to the delivery", async () => {
    const first_at = new Date(1_780_000_000_000).toISOString()
    expect((await (await workspaceAfter(295)).delivery("foo"))?.metrics).toEqual({
      opened: { first_at, count: 1 },
    })
  })

  it("each item of a batch of the Python client is applied", async () => {
    const tenant = await workspaceAfter(261)
    expect((await tenant.person({ id: "1" })).attributes).toEqual({ name: "Alice" })
    expect((await tenant.event("purchase")).subject).toMatchObject({ id: "1" })
  })
})
