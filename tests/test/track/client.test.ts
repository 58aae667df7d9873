import { IdentifierType, TrackClient } from "customerio-node"
import { describe, expect, it } from "vitest"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const client = new TrackClient(tenant.siteId, tenant.apiKey, {
  url: `${sharedServer.url}/api/v1`,
  retry: { maxRetries: 0 },
})
const lastUsed = 1_700_000_000

/** Returns the newest log entry of a kind. */
const latestEntry = async (kind: string) => {
  const [entry] = (await tenant.activityPage({ kind, limit: "1" })).items
  return entry
}

describe("every method of customerio-node's TrackClient", () => {
  it("TrackClient.getAccountRegion returns the region and the workspace", async () => {
    const url: unknown = expect.stringContaining(new URL(sharedServer.url).host)
    expect(await client.getAccountRegion()).toEqual({ region: "us", environment_id: tenant.workspace, url })
  })

  it("the method identify of TrackClient creates a person, and destroy deletes the person", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    expect(await client.identify(id, { email, plan: "pro", created_at: lastUsed })).toEqual({})
    expect(await tenant.person({ id })).toMatchObject({
      email,
      attributes: { plan: "pro" },
      created_at: "2023-11-14T22:13:20.000Z",
    })
    expect(await client.destroy(id)).toEqual({})
    expect(await tenant.people({ id })).toEqual([])
    expect(await latestEntry("delete")).toMatchObject({ outcome: "applied", source: "track-v1" })
  })

  it("suppress makes Inlet ignore later calls for the person, and unsuppress makes Inlet accept them again", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await client.identify(id, { email })
    expect(await client.suppress(id)).toEqual({})
    expect(await tenant.people({ email })).toEqual([])
    expect([await tenant.isSuppressed({ id }), await tenant.isSuppressed({ email })]).toEqual([true, true])
    await client.identify(id, { plan: "again" })
    expect(await tenant.people({ id })).toEqual([])
    expect(await latestEntry("identify")).toMatchObject({ outcome: "ignored" })
    expect(await client.unsuppress(email)).toEqual({})
    expect([await tenant.isSuppressed({ id }), await tenant.isSuppressed({ email })]).toEqual([false, false])
    await client.identify(id, { plan: "new" })
    expect(await tenant.person({ id })).toMatchObject({ email: null, attributes: { plan: "new" } })
  })

  it("the methods track, trackPageView and trackAnonymous of TrackClient store events", async () => {
    const [id, visitor] = [fresh("p"), fresh("v")]
    const [bought, page, looked] = [fresh("bought"), `https://x.example/${fresh("page")}`, fresh("looked")]
    await client.identify(id)
    expect(await client.track(id, { name: bought, data: { total: 1.5 } })).toEqual({})
    expect(await client.trackPageView(id, page)).toEqual({})
    expect(await client.trackAnonymous(visitor, { name: looked })).toEqual({})
    const { svc_id } = await tenant.person({ id })
    expect(await tenant.event(bought)).toMatchObject({ data: { total: 1.5 }, subject: { svc_id } })
    expect(await tenant.event(page)).toMatchObject({ kind: "page", subject: { svc_id } })
    expect(await tenant.event(looked)).toMatchObject({
      outcome: "pending",
      subject: { svc_id: null, anonymous_id: visitor },
    })
  })

  it("the method addDevice of TrackClient adds a device, and deleteDevice deletes the device", async () => {
    const [id, token] = [fresh("p"), fresh("a/b c+")]
    await client.addDevice(id, token, "ios", { last_used: lastUsed, app_version: "1.2" })
    const last_used = "2023-11-14T22:13:20.000Z"
    expect((await tenant.person({ id })).devices).toEqual([
      { token, platform: "ios", last_used, attributes: { app_version: "1.2" } },
    ])
    expect(await client.deleteDevice(id, token)).toEqual({})
    expect((await tenant.person({ id })).devices).toEqual([])
  })

  it("the method mergeCustomers of TrackClient merges two people", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await client.identify(id, { plan: "pro" })
    await client.identify(email, { plan: "free", city: "Bonn" })
    expect(await client.mergeCustomers(IdentifierType.Id, id, IdentifierType.Email, email)).toEqual({})
    const person = await tenant.person({ id })
    expect(person).toMatchObject({ email, attributes: { plan: "pro", city: "Bonn" } })
    expect((await tenant.person({ email })).svc_id).toBe(person.svc_id)
  })

  it("the methods trackPush and reportMetric of TrackClient add metrics to deliveries", async () => {
    const [push, mail] = [fresh("delivery"), `${fresh("delivery")}==`]
    await client.trackPush({ delivery_id: push, device_id: "d", event: "opened", timestamp: lastUsed })
    await client.reportMetric({ delivery_id: mail, metric: "bounced", reason: "full", timestamp: lastUsed })
    const first_at = "2023-11-14T22:13:20.000Z"
    expect((await tenant.delivery(push))?.metrics).toEqual({ opened: { first_at, count: 1 } })
    expect((await tenant.delivery(mail))?.metrics).toEqual({ bounced: { first_at, count: 1 } })
  })

  it("unsubscribe unsubscribes the person of a delivery, and can subscribe the person again", async () => {
    const [id, delivery] = [fresh("p"), `${fresh("delivery")}==`]
    await client.identify(id)
    await tenant.registerDelivery(delivery, { channel: "email", person: { id } })
    expect(await client.unsubscribe(delivery)).toEqual({})
    expect((await tenant.person({ id })).unsubscribed).toBe(true)
    expect(await latestEntry("unsubscribe")).toMatchObject({ name: "Email Unsubscribed", subject: { id } })
    expect(await client.unsubscribe(delivery, false)).toEqual({})
    expect((await tenant.person({ id })).unsubscribed).toBe(false)
  })

  it("the methods addCustomersToSegment and removeCustomersFromSegment of TrackClient accept each kind of identifier", async () => {
    const [id, other, email] = [fresh("p"), fresh("p"), freshEmail()]
    const segment = await tenant.createSegment()
    await client.identify(id)
    await client.identify(other, { email })
    const { svc_id } = await tenant.person({ email })
    expect(await client.addCustomersToSegment(segment, [id])).toEqual({})
    expect(await client.addCustomersToSegment(segment, [email], IdentifierType.Email)).toEqual({})
    expect(await tenant.segmentMembers(segment)).toEqual([id, other].toSorted())
    expect((await tenant.person({ id })).segments).toEqual([segment])
    expect(await client.removeCustomersFromSegment(segment, [svc_id], IdentifierType.CioId)).toEqual({})
    expect(await client.removeCustomersFromSegment(segment, [id], IdentifierType.Id)).toEqual({})
    expect(await tenant.segmentMembers(segment)).toEqual([])
    await expect(client.addCustomersToSegment(segment + 1, [id])).rejects.toThrow("The segment was not found")
  })

  it("submitForm identifies the respondent, and a submission without an identifier is rejected", async () => {
    const [form, email] = [fresh("a form/1"), freshEmail()]
    expect(await client.submitForm(form, { email, city: "Bonn" })).toEqual({})
    expect(await tenant.person({ email })).toMatchObject({ attributes: { city: "Bonn" } })
    expect((await tenant.form(form)).mapping).toEqual({ email: "email", city: "city" })
    await expect(client.submitForm(form, { city: "Bonn" })).rejects.toMatchObject({ statusCode: 400 })
  })

  it("the methods entity and batch of TrackClient apply every type and action", async () => {
    const [id, other, email, token, object_id] = [
      fresh("p"),
      fresh("p"),
      freshEmail(),
      fresh("t"),
      fresh("o"),
    ]
    const [visitor, name, page, screen, delivery] = [
      fresh("v"),
      fresh("e"),
      fresh("page"),
      fresh("screen"),
      fresh("delivery"),
    ]
    const person = { type: "person", identifiers: { id } }
    const object = { type: "object", identifiers: { object_type_id: "1", object_id } }
    const cio_relationships = [{ identifiers: object.identifiers, relationship_attributes: { role: "boss" } }]
    const people = [{ identifiers: { id } }]
    expect(
      await client.batch([
        { ...person, action: "identify", attributes: { email } },
        { ...person, action: "event", name, attributes: { a: 1 } },
        { ...person, action: "page", name: page },
        { ...person, action: "screen", name: screen },
        { ...person, action: "add_device", device: { token, platform: "android", last_used: lastUsed } },
        { ...person, action: "add_relationships", cio_relationships },
        { ...object, action: "identify", attributes: { size: 3 } },
        { ...object, action: "add_relationships", cio_relationships: [{ identifiers: { id: other } }] },
        {
          ...object,
          action: "identify_anonymous",
          cio_relationships: [{ identifiers: { anonymous_id: visitor } }],
        },
        {
          type: "delivery",
          action: "event",
          identifiers: { id: delivery },
          name: "opened",
          attributes: { device_token: token },
        },
      ]),
    ).toEqual({})
    const found = await tenant.person({ id })
    expect(found).toMatchObject({
      email,
      devices: [{ token, platform: "android" }],
      relationships: [{ object_type_id: "1", object_id, attributes: { role: "boss" } }],
    })
    expect((await tenant.object("1", object_id))?.attributes).toEqual({ size: 3 })
    const related = await tenant.peopleOfObject("1", object_id)
    expect(related.map((one) => one.id ?? one.anonymous_id).toSorted()).toEqual(
      [id, other, visitor].toSorted(),
    )
    for (const event of [name, page, screen])
      expect((await tenant.event(event)).subject.svc_id).toBe(found.svc_id)
    expect((await tenant.delivery(delivery))?.metrics["opened"]?.count).toBe(1)

    for (const operation of [
      { ...person, action: "delete_device", device: { token } },
      { ...person, action: "delete_relationships", cio_relationships },
      { ...object, action: "delete_relationships", cio_relationships: people },
      { type: "person", action: "merge", primary: { id }, secondary: { id: other } },
    ])
      expect(await client.entity(operation)).toEqual({})
    expect(await tenant.person({ id })).toMatchObject({
      devices: [],
      relationships: [{ object_type_id: "1", object_id, attributes: {} }],
    })
    expect(await tenant.people({ id: other })).toEqual([])
    expect(await client.entity({ ...object, action: "delete" })).toEqual({})
    expect(await tenant.object("1", object_id)).toBeUndefined()
    expect((await tenant.person({ id })).relationships).toEqual([])
    expect(await client.entity({ ...person, action: "suppress" })).toEqual({})
    expect(await tenant.isSuppressed({ id })).toBe(true)
    expect(await client.entity({ ...person, action: "unsuppress" })).toEqual({})
    expect(await tenant.isSuppressed({ id })).toBe(false)
    await client.entity({ ...person, action: "identify" })
    expect(await client.entity({ ...person, action: "delete" })).toEqual({})
    expect(await tenant.people({ id })).toEqual([])
  })

  it("the tests call every method of TrackClient", () => {
    const methods = Object.getOwnPropertyNames(TrackClient.prototype).filter((name) => name !== "constructor")
    expect(methods.toSorted()).toEqual([
      "addCustomersToSegment",
      "addDevice",
      "batch",
      "deleteDevice",
      "destroy",
      "entity",
      "getAccountRegion",
      "identify",
      "mergeCustomers",
      "removeCustomersFromSegment",
      "reportMetric",
      "submitForm",
      "suppress",
      "track",
      "trackAnonymous",
      "trackPageView",
      "trackPush",
      "unsubscribe",
      "unsuppress",
    ])
  })
})
