import { describe, expect, it } from "vitest"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const item = (id: string, action: string, more: object = {}) => ({
  type: "person",
  identifiers: { id },
  action,
  ...more,
})

describe("the fields of a person", () => {
  it("track-api §2.1 id: an identify sets the id of a person who is addressed by email", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.identify(email)
    await tenant.identify(email, { id })
    expect(await tenant.person({ id })).toMatchObject({ id, email })
  })

  it("track-api §2.1 email: an email finds a person regardless of case", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.identify(id, { email })
    await tenant.identify(email.toUpperCase(), { plan: "pro" })
    expect(await tenant.person({ id })).toMatchObject({ email, attributes: { plan: "pro" } })
  })

  it("track-api §2.1 anonymous_id: an identify with an anonymous_id moves the visitor's events to the person, and no later identify moves the anonymous_id", async () => {
    const [id, other, anonymous_id, name] = [fresh("p"), fresh("p"), fresh("v"), fresh("e")]
    await tenant.track("POST", "/api/v1/events", { name, anonymous_id })
    await tenant.identify(id, { anonymous_id })
    expect((await tenant.event(name)).subject).toMatchObject({ id, anonymous_id })
    const answer = await tenant.identify(other, { anonymous_id })
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial" })
    expect((await tenant.person({ anonymous_id })).id).toBe(id)
  })

  it("track-api §2.1 created_at: an identify sets the creation time of the person from Unix seconds", async () => {
    const id = fresh("p")
    await tenant.identify(id, { created_at: 1_700_000_000 })
    expect(await tenant.person({ id })).toMatchObject({
      created_at: "2023-11-14T22:13:20.000Z",
      attributes: {},
    })
  })

  it("track-api §2.1 _timestamp: an update with an older _timestamp does not overwrite newer values", async () => {
    const id = fresh("p")
    await tenant.identify(id, { plan: "new", _timestamp: 2000 })
    await tenant.identify(id, { plan: "old", city: "Bonn", _timestamp: 1000 })
    expect((await tenant.person({ id })).attributes).toEqual({ plan: "new", city: "Bonn" })
  })

  it("track-api §2.1 _update: an identify with _update changes an existing person, and is dropped for an unknown person", async () => {
    const [id, known] = [fresh("p"), fresh("p")]
    const answer = await tenant.identify(id, { _update: true, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "identify", outcome: "dropped" })
    expect(await tenant.people({ id })).toEqual([])
    await tenant.identify(known)
    await tenant.identify(known, { _update: true, plan: "pro" })
    expect((await tenant.person({ id: known })).attributes).toEqual({ plan: "pro" })
  })

  it("track-api §2.1 svc_relationships: an identify relates the person to objects", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    const relationships = [{ identifiers: { object_type_id: "1", object_id } }]
    await tenant.identify(id, { svc_relationships: { action: "add_relationships", relationships } })
    expect((await tenant.person({ id })).relationships).toMatchObject([{ object_id }])
  })

  it("track-api §2.1 unsubscribed: the value true unsubscribes a person, and the value false subscribes the person again", async () => {
    const id = fresh("p")
    await tenant.identify(id)
    expect((await tenant.person({ id })).unsubscribed).toBe(false)
    for (const unsubscribed of [true, false]) {
      await tenant.identify(id, { unsubscribed })
      expect((await tenant.person({ id })).unsubscribed).toBe(unsubscribed)
    }
  })

  it("track-api §2.1 svc_subscription_preferences: a key with dots changes one topic, and an object as value replaces all topics", async () => {
    const id = fresh("p")
    await tenant.identify(id, { svc_subscription_preferences: { topics: { a: true, b: true } } })
    await tenant.identify(id, { "svc_subscription_preferences.topics.b": false })
    await tenant.identify(id, { "cio_subscription_preferences.topics.c": true })
    expect((await tenant.person({ id })).subscription_preferences).toEqual({
      topics: { a: true, b: false, c: true },
    })
    await tenant.identify(id, { svc_subscription_preferences: { topics: { d: true } } })
    expect((await tenant.person({ id })).subscription_preferences).toEqual({ topics: { d: true } })
  })

  it("track-api §2.1 any other key: if a key of an identify has no reserved name, Inlet stores the key as an attribute, with a value of any JSON type", async () => {
    const [id, attributes] = [fresh("p"), { text: "é", n: 1, yes: true, list: [1, { a: null }], _own: 1 }]
    await tenant.identify(id, attributes)
    expect((await tenant.person({ id })).attributes).toEqual(attributes)
  })
})

describe("the svc_id of a person", () => {
  it("contract §6 svc_id: the svc_id of a person in another workspace is unknown", async () => {
    const other = await Tenant.create()
    const id = fresh("p")
    for (const own of [tenant, other]) await own.identify(id)
    const { svc_id } = await other.person({ id })
    const dropped = await tenant.identify(`svc_${svc_id}`, { plan: "pro" })
    expect(await tenant.operation(dropped)).toMatchObject({ outcome: "dropped", subject: { svc_id: null } })
    await other.identify(`svc_${svc_id}`, { plan: "free" })
    expect(await tenant.person({ id })).toMatchObject({ attributes: {} })
    expect(await other.person({ id })).toMatchObject({ attributes: { plan: "free" } })
  })
})

describe("the lifecycle of a person", () => {
  it("track-api §3 none identify: an identify of an unknown person creates the person", async () => {
    const id = fresh("p")
    const answer = await tenant.identify(id)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "created", subject: { id } })
  })

  it("track-api §3 exists identify: an identify updates an existing person", async () => {
    const id = fresh("p")
    await tenant.identify(id)
    const { svc_id } = await tenant.person({ id })
    const answer = await tenant.identify(id, { plan: "pro" })
    expect(await tenant.operation(answer)).toMatchObject({
      outcome: "applied",
      subject: { svc_id },
      changes: [{ path: "attributes.plan", from: null, to: "pro" }],
    })
  })

  it("track-api §3 exists delete: a delete removes a person with all their data, and a later identify creates a new person", async () => {
    const [id, name, object_id] = [fresh("p"), fresh("e"), fresh("o")]
    const segment = await tenant.createSegment()
    await tenant.batch([
      item(id, "identify", { attributes: { plan: "pro", anonymous_id: fresh("v") } }),
      item(id, "event", { name }),
      item(id, "add_device", { device: { token: fresh("t"), platform: "ios" } }),
      item(id, "add_relationships", { svc_relationships: [{ identifiers: { object_id } }] }),
    ])
    await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids: [id] })
    const before = await tenant.person({ id })
    expectTrackSuccess(await tenant.track("DELETE", customerPath(id)))
    expect(await tenant.activity({ name })).toEqual([])
    await tenant.identify(id)
    const after = await tenant.person({ id })
    expect(after.svc_id).not.toBe(before.svc_id)
    const nothing = { attributes: {}, devices: [], relationships: [], segments: [], anonymous_ids: [] }
    expect(after).toMatchObject(nothing)
    expect(await tenant.peopleOfObject("1", object_id)).toEqual([])
    expect((await tenant.segment(segment)).size).toBe(0)
  })
})

describe("people by the rules of the contract", () => {
  it("contract §6 identifiers both: by default, both id and email identify people", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.entity({ type: "person", identifiers: { id, email }, action: "identify" })
    expect((await tenant.person({ id })).svc_id).toBe((await tenant.person({ email })).svc_id)
  })

  it("contract §6 svc_id: a svc_id is URL-safe and not used again after its person is deleted", async () => {
    const seen = new Set<string>()
    for (let n = 0; n < 3; n++) {
      const id = fresh("p")
      await tenant.identify(id)
      const { svc_id } = await tenant.person({ id })
      expect(encodeURIComponent(svc_id)).toBe(svc_id)
      await tenant.track("DELETE", customerPath(id))
      expect(seen.has(svc_id)).toBe(false)
      seen.add(svc_id)
    }
  })

  it("contract §6 events and deletes by several identifiers: an event or a delete with several identifiers is about the person that the first of svc_id, id and email names", async () => {
    const [id, email, name] = [fresh("p"), freshEmail(), fresh("e")]
    await tenant.identify(id)
    await tenant.identify(email)
    const identifiers = { email, id }
    await tenant.entity({ type: "person", identifiers, action: "event", name })
    expect((await tenant.event(name)).subject).toMatchObject({ id, email: null })
    await tenant.entity({ type: "person", identifiers, action: "delete" })
    expect(await tenant.people({ id })).toEqual([])
    expect(await tenant.people({ email })).toHaveLength(1)
  })

  it.each([true, 1, "1", "true", "TRUE", "True"])(
    "contract §6 unsubscribed: reads %j as true",
    async (unsubscribed) => {
      const id = fresh("p")
      await tenant.identify(id, { unsubscribed })
      expect((await tenant.person({ id })).unsubscribed).toBe(true)
    },
  )

  it.each([false, 0, "0", "yes", "", null, 2, {}])(
    "unsubscribed: reads %j as false",
    async (unsubscribed) => {
      const id = fresh("p")
      await tenant.identify(id, { unsubscribed: true })
      await tenant.identify(id, { unsubscribed })
      expect((await tenant.person({ id })).unsubscribed).toBe(false)
    },
  )

  it("contract §6 names: attribute names are case-sensitive and can contain underscores and dots", async () => {
    const [id, attributes] = [fresh("p"), { plan: 1, Plan: 2, _plan: 3, "plan.a": 4 }]
    await tenant.identify(id, attributes)
    expect((await tenant.person({ id })).attributes).toEqual(attributes)
  })

  it("contract §6 relationships of unknown people: adding a relationship creates an unknown person, and deleting a relationship of an unknown person is dropped", async () => {
    const [id, nobody, object_id] = [fresh("p"), fresh("p"), fresh("o")]
    const svc_relationships = [{ identifiers: { object_id } }]
    await tenant.entity(item(id, "add_relationships", { svc_relationships }))
    expect(await tenant.people({ id })).toHaveLength(1)
    const answer = await tenant.entity(item(nobody, "delete_relationships", { svc_relationships }))
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "dropped" })
    expect(await tenant.people({ id: nobody })).toEqual([])
  })

  it("contract §6 later ignored calls: the log entry of an ignored call contains only the digest of the identifier", async () => {
    const id = fresh("p")
    await tenant.track("POST", `${customerPath(id)}/suppress`)
    const entry = await tenant.operation(await tenant.recordEvent(id, { name: "e", data: { a: id } }))
    expect(JSON.stringify(entry)).not.toContain(id)
    expect(entry).toMatchObject({ outcome: "ignored", data: { identifier_digest: expect.any(String) } })
  })
})
