import { FilterOperator, IdentifierType } from "customerio-node"
import { beforeAll, describe, expect, it } from "vitest"
import { AppClient } from "../../src/AppClient.ts"
import { eventually } from "../../src/eventually.ts"
import { Tenant } from "../../src/Tenant.ts"

const time = expect.any(Number)
const cioId = expect.stringMatching(/^p[0-9a-z]+$/)
const one = { cio_id: cioId, email: "test@example.com", id: "1" }
const two = { cio_id: cioId, email: null, id: "2" }
const onlyEmail = { cio_id: cioId, email: "only@example.com", id: null }

let tenant: Tenant
let app: AppClient
let api: AppClient["api"]
let manual: number

beforeAll(async () => {
  tenant = await Tenant.create()
  app = await AppClient.create(tenant)
  api = app.api
  await tenant.identify("1", {
    email: "test@example.com",
    title: "tester",
    age: 36,
    beta: true,
    address: { city: "London" },
    created_at: 1489014595,
    cio_subscription_preferences: { topics: { topic_7: false, topic_8: true } },
  })
  await tenant.identify("2", { title: "tester" })
  await tenant.entity({
    type: "person",
    action: "identify",
    identifiers: { email: "only@example.com" },
    attributes: { title: "boss" },
  })
  await tenant.track("PUT", "/api/v1/customers/1/devices", {
    device: { id: "phone", platform: "ios", last_used: 1514764800, attributes: { build: 7 } },
  })
  await tenant.recordEvent("1", { name: "signed up", data: { source: "web" } })
  await tenant.recordEvent("1", { type: "page", name: "https://example.com/a", data: { n: 1 } })
  await tenant.entity({
    type: "object",
    action: "identify",
    identifiers: { object_type_id: "1", object_id: "acme" },
    attributes: { name: "acme corp", seats: 3 },
    cio_relationships: [{ identifiers: { id: "1" }, relationship_attributes: { role: "boss" } }],
  })
  await tenant.call("PUT", tenant.pathOf("/deliveries/d1"), {
    channel: "email",
    person: { id: "1" },
    recipient: "test@example.com",
    subject: "Hello",
    newsletter_id: 3,
    action_id: 215,
  })
  await tenant.track("POST", "/api/v1/metrics", {
    delivery_id: "d1",
    metric: "opened",
    timestamp: 1619137768,
  })
  manual = await tenant.createSegment("Manual")
  await tenant.track("POST", `/api/v1/segments/${manual}/add_customers`, { ids: ["1"] })
})

const customer = {
  customer: {
    id: "1",
    identifiers: one,
    attributes: {
      id: "1",
      email: "test@example.com",
      cio_id: cioId,
      created_at: "1489014595",
      title: "tester",
      age: "36",
      beta: "true",
      address: '{"city":"London"}',
      cio_subscription_preferences: '{"topics":{"topic_7":false,"topic_8":true}}',
    },
    timestamps: {
      id: time,
      email: time,
      cio_id: time,
      created_at: time,
      title: time,
      age: time,
      beta: time,
      address: time,
      cio_subscription_preferences: time,
    },
    unsubscribed: false,
    devices: [{ id: "phone", platform: "ios", last_used: 1514764800, attributes: { build: "7" } }],
  },
}

describe("APIClient reads people", () => {
  it("finds them by email in any case", async () => {
    expect(await api.getCustomersByEmail("TEST@example.com")).toEqual({ results: [one] })
    expect(await api.getCustomersByEmail("nobody@example.com")).toEqual({ results: [] })
  })

  it("shows every attribute as text, with the times of their changes and devices", async () => {
    expect(await api.getAttributes("1")).toEqual(customer)
    expect(await api.getAttributes("test@example.com", IdentifierType.Email)).toEqual(customer)
    const [{ cio_id = "" } = {}] = Object(await api.getCustomersByEmail("test@example.com")).results
    expect(await api.getAttributes(cio_id, IdentifierType.CioId)).toEqual(customer)
    expect(await api.getAttributes(`cio_${cio_id}`, IdentifierType.CioId)).toEqual(customer)
  })

  it("shows several people at once, without those who do not exist", async () => {
    expect(await api.getCustomersAttributes(["1", "nobody"])).toEqual({ customers: [customer] })
    expect((await app.call("POST", "/customers/attributes", { ids: [] })).json).toEqual({ customers: [] })
    const byEmail = await app.call("POST", "/customers/attributes?id_type=email", {
      ids: ["test@example.com"],
    })
    expect(byEmail.json).toEqual({ customers: [customer] })
  })

  it("finds them by a filter of segments and attributes", async () => {
    const tester = { attribute: { field: "title", operator: "eq", value: "tester" } }
    const inManual = { segment: { id: manual } }
    const filters: ReadonlyArray<readonly [object, ReadonlyArray<object>]> = [
      [tester, [one, two]],
      [{ attribute: { field: "title", operator: "exists" } }, [one, two, onlyEmail]],
      [{ not: tester }, [onlyEmail]],
      [inManual, [one]],
      [{ and: [tester, { not: inManual }] }, [two]],
      [{ or: [inManual, { attribute: { field: "id", operator: "eq", value: "2" } }] }, [one, two]],
      [{ attribute: { field: "email", operator: "eq", value: "TEST@example.com" } }, [one]],
      [{ attribute: { field: "beta", operator: "eq", value: true } }, [one]],
      [{ attribute: { field: "beta", operator: "eq", value: "true" } }, [one]],
      [{ attribute: { field: "age", operator: "eq", value: "36" } }, [one]],
    ]
    for (const [filter, people] of filters) {
      const { answer } = { answer: await app.call("POST", "/customers", { filter }) }
      const ids = people.map((person) => Object(person).id ?? "")
      expect([filter, answer.json]).toEqual([filter, { identifiers: people, ids }])
    }
  })

  it("shows their segments, relationships and preferences", async () => {
    expect(await api.getCustomerSegments("1")).toEqual({
      segments: [{ id: manual, name: "Manual", description: "" }],
    })
    expect(await api.getCustomerRelationships("1")).toEqual({
      cio_relationships: [
        {
          object_type_id: 1,
          identifiers: { object_id: "acme", cio_object_id: expect.stringMatching(/^o[0-9a-z]+$/) },
          attributes: { role: "boss" },
          timestamps: { role: time },
        },
      ],
    })
    expect(await api.getCustomerSubscriptionPreferences("1")).toEqual({
      customer: {
        id: "1",
        identifiers: one,
        topics: [
          { id: "7", subscribed: false, name: "topic_7", description: "" },
          { id: "8", subscribed: true, name: "topic_8", description: "" },
        ],
        unsubscribed: false,
        header: { title: "", subtitle: "" },
      },
    })
  })
})

const message = {
  id: "d1",
  deduplicate_id: expect.stringMatching(/^d1:\d+$/),
  msg_template_id: null,
  action_id: 215,
  parent_action_id: null,
  customer_id: "1",
  customer_identifiers: one,
  recipient: "test@example.com",
  subject: "Hello",
  metrics: { opened: 1619137768 },
  created: time,
  failure_message: null,
  newsletter_id: 3,
  content_id: null,
  campaign_id: null,
  broadcast_id: null,
  trigger_event_id: null,
  type: "email",
  forgotten: false,
}

describe("APIClient reads messages", () => {
  it("lists those of a person and of the workspace, and shows one", async () => {
    expect(await api.getCustomerMessages("1")).toEqual({ messages: [message] })
    expect(await api.getMessages()).toEqual({ messages: [message] })
    expect(await api.getMessage("d1")).toEqual({ message })
    expect(await api.getCustomerMessages("2")).toEqual({ messages: [] })
  })

  it("filters them by type, metric, source and time", async () => {
    const now = Math.floor(Date.now() / 1000)
    const found = ["type=email", "metric=opened", "newsletter_id=3", "action_id=215", `end_ts=${now + 60}`]
    const none = [
      "type=push",
      "metric=clicked",
      "newsletter_id=4",
      `start_ts=${now + 3600}`,
      "end_ts=1619137768",
    ]
    for (const query of found)
      expect([query, await app.get(`/messages?${query}`)]).toEqual([query, { messages: [message] }])
    for (const query of none)
      expect([query, await app.get(`/messages?${query}`)]).toEqual([query, { messages: [] }])
  })
})

describe("APIClient reads activities", () => {
  const about = { customer_id: "1", customer_identifiers: one, id: expect.any(String), timestamp: time }
  const event = { ...about, type: "event", name: "signed up", data: { source: "web" } }

  it("lists what happened to a person, newest first", async () => {
    const { activities } = Object(await api.getCustomerActivities("1", { limit: 20 }))
    expect(activities).toEqual([
      {
        ...about,
        type: "opened_email",
        timestamp: 1619137768,
        delivery_id: "d1",
        delivery_type: "email",
        data: { delivery_id: "d1", opened: true, delivered: null },
      },
      expect.objectContaining({ ...about, type: "add_relationship" }),
      { ...about, type: "page", name: "https://example.com/a", url: "https://example.com/a", data: { n: 1 } },
      event,
      expect.objectContaining({ ...about, type: "device_change" }),
      {
        ...about,
        type: "profile_create",
        data: expect.objectContaining({
          title: { from: "", to: "tester" },
          age: { from: "", to: "36" },
          email: { from: "", to: "test@example.com" },
        }),
      },
    ])
  })

  it("finds them by type and name, of one person or of all", async () => {
    const wanted = { type: "event", name: "signed up" } as const
    expect(await api.listActivities(wanted)).toEqual({ activities: [event] })
    expect(await api.listActivities({ ...wanted, customerId: "2" })).toEqual({ activities: [] })
    expect(await api.getCustomerActivities("1", wanted)).toEqual({ activities: [event] })
    const created = Object(await api.listActivities({ type: "profile_create", name: "title" }))
    expect(created.activities).toHaveLength(3)
    expect(Object(await api.listActivities({ type: "_o:1:create" })).activities).toEqual([
      expect.objectContaining({ type: "_o:1:create", customer_id: null, customer_identifiers: null }),
    ])
  })

  it("lists those of deleted people only if it is asked for them, also when housekeeping has erased the people", async () => {
    const other = await Tenant.create()
    const reader = await AppClient.create(other)
    await other.identify("ada", { plan: "pro" })
    await other.track("DELETE", "/api/v1/customers/ada")
    const expectDeleted = async () => {
      expect(await reader.api.listActivities()).toEqual({ activities: [] })
      const { activities } = Object(await reader.api.listActivities({ deleted: true }))
      expect(activities[0]).toEqual({
        id: expect.any(String),
        type: "profile_delete",
        timestamp: time,
        customer_id: null,
        customer_identifiers: { cio_id: cioId, email: null, id: null },
        data: {},
      })
      expect(JSON.stringify(activities)).not.toContain("ada")
    }
    await expectDeleted()
    await eventually("housekeeping has erased the person", async () => {
      const [erasure] = Object(await other.get("/erasures")).items
      return erasure.state === "sealed" ? true : undefined
    })
    await expectDeleted()
  })
})

describe("APIClient reads objects", () => {
  const identifiers = { object_id: "acme", cio_object_id: expect.stringMatching(/^o[0-9a-z]+$/) }

  it("lists the types, and finds objects by a filter", async () => {
    const { types } = Object(await api.listObjectTypes())
    expect(types).toEqual([expect.objectContaining({ id: "1", enabled: true, name: expect.any(String) })])
    const name = { field: "name", type_id: 1 }
    const has = { object_attribute: { ...name, operator: FilterOperator.Exists } }
    const isAcme = { object_attribute: { ...name, operator: FilterOperator.Eq, value: "acme corp" } }
    expect(await api.findObjects("1", { and: [has, isAcme] })).toEqual({
      identifiers: [identifiers],
      ids: ["acme"],
    })
    expect(await api.findObjects("1", { and: [has, { not: isAcme }] })).toEqual({ identifiers: [], ids: [] })
    expect((await app.call("POST", "/objects", { object_type_id: "2", filter: has })).status).toBe(400)
  })

  it("shows the attributes of an object and who is related to it", async () => {
    const object = {
      object: {
        attributes: { name: "acme corp", seats: 3 },
        timestamps: { name: time, seats: time },
        identifiers,
        object_type_id: "1",
      },
    }
    expect(await api.getObjectAttributes("1", "acme")).toEqual(object)
    const { cio_object_id } = Object(await api.getObjectAttributes("1", "acme")).object.identifiers
    expect(await app.get(`/objects/1/${cio_object_id}/attributes?id_type=cio_object_id`)).toEqual(object)
    expect(await api.getObjectRelationships("1", "acme")).toEqual({
      cio_relationships: [
        {
          identifiers: one,
          object_type_id: "1",
          object_type_disabled: false,
          attributes: { role: "boss" },
          timestamps: { role: time },
        },
      ],
    })
  })
})

const shown = (id: number, name: string, description: string, type: string) => ({
  id,
  deduplicate_id: expect.stringMatching(new RegExp(`^${id}:\\d+$`)),
  name,
  description,
  state: "finished",
  progress: null,
  type,
  tags: null,
  created_at: time,
  updated_at: time,
})

describe("APIClient manages segments", () => {
  it("creates, shows and deletes manual ones", async () => {
    const created = await app.call("POST", "/segments", {
      segment: { name: "Manual Segment 1", description: "My first manual segment" },
    })
    const { id } = Object(created.json).segment
    const segment = shown(id, "Manual Segment 1", "My first manual segment", "manual")
    expect([created.status, created.json]).toEqual([200, { segment }])
    expect(await api.getSegment(id)).toEqual({ segment })
    expect(Object(await api.listSegments()).segments).toContainEqual(segment)
    expect(await api.getSegmentUsedBy(id)).toEqual({
      segment_id: id,
      used_by: { campaigns: [], sent_newsletters: [], draft_newsletters: [] },
    })
    const deleted = await app.call("DELETE", `/segments/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ""])
    await expect(api.getSegment(id)).rejects.toMatchObject({ statusCode: 404 })
  })

  it("counts and lists who is in one", async () => {
    expect(await api.getSegmentCustomerCount(manual)).toEqual({ segment_id: manual, count: 1 })
    expect(await api.getSegmentMembership(manual)).toEqual({
      segment_id: manual,
      identifiers: [one],
      ids: ["1"],
    })
  })

  it("shows one with a rule as dynamic, and does not delete it", async () => {
    const rule = { attribute: { field: "title", operator: "eq", value: "boss" } }
    const made = await tenant.call("POST", tenant.pathOf("/segments"), { name: "Bosses", rule })
    const id = Object(made.json).segment_id
    await expect
      .poll(async () => Object(await api.getSegment(id)).segment)
      .toEqual(shown(id, "Bosses", "", "dynamic"))
    expect(Object(await api.getSegmentMembership(id)).identifiers).toEqual([onlyEmail])
    await expect(api.deleteSegment(id)).rejects.toMatchObject({ statusCode: 400 })
  })
})
