import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { send } from "../../src/http.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const segment = await tenant.createSegment()
await tenant.identify("p", { email: "p@example.com" })

/** Every v1 operation, with the title of its test, a valid request, and the kind of the resulting log entry. */
const operations: ReadonlyArray<
  readonly [title: string, method: string, path: string, kind: string, body?: object | undefined]
> = [
  [
    "track-api §4.3 identify: PUT /customers/{identifier} identifies a person",
    "PUT",
    customerPath("p"),
    "identify",
    {},
  ],
  [
    "track-api §4.3 add device: PUT /customers/{identifier}/devices adds a device",
    "PUT",
    `${customerPath("p")}/devices`,
    "add_device",
    { device: { id: "t", platform: "ios" } },
  ],
  [
    "track-api §4.3 delete device: DELETE /customers/{identifier}/devices/{device_id} deletes a device",
    "DELETE",
    `${customerPath("p")}/devices/t`,
    "delete_device",
  ],
  [
    "track-api §4.3 events: POST /customers/{identifier}/events records an event",
    "POST",
    `${customerPath("p")}/events`,
    "event",
    { name: "e" },
  ],
  [
    "contract §2 events by PUT: PUT /customers/{identifier}/events records an event",
    "PUT",
    `${customerPath("p")}/events`,
    "event",
    { name: "e" },
  ],
  [
    "track-api §4.3 anonymous event: POST /events records an event of a visitor",
    "POST",
    "/api/v1/events",
    "anonymous_event",
    { name: "e", anonymous_id: "v" },
  ],
  [
    "track-api §4.3 merge: POST /merge_customers merges two people",
    "POST",
    "/api/v1/merge_customers",
    "merge",
    { primary: { id: "p" }, secondary: { id: "x" } },
  ],
  [
    "track-api §4.3 delivery metric: POST /metrics reports on a delivery",
    "POST",
    "/api/v1/metrics",
    "delivery_metric",
    { delivery_id: "d", metric: "opened" },
  ],
  [
    "track-api §4.3 push metric: POST /push/events reports on a push delivery",
    "POST",
    "/api/v1/push/events",
    "delivery_metric",
    { delivery_id: "d", event: "opened" },
  ],
  [
    "track-api §4.3 segment add: POST /segments/{segment_id}/add_customers adds people to a segment",
    "POST",
    `/api/v1/segments/${segment}/add_customers`,
    "segment_add",
    { ids: ["p"] },
  ],
  [
    "track-api §4.3 segment remove: POST /segments/{segment_id}/remove_customers removes people from a segment",
    "POST",
    `/api/v1/segments/${segment}/remove_customers`,
    "segment_remove",
    { ids: ["p"] },
  ],
  [
    "track-api §4.3 unsubscribe by delivery: POST /unsubscribe/{delivery_id} records an unsubscribe",
    "POST",
    "/unsubscribe/d",
    "unsubscribe",
    { unsubscribe: true },
  ],
  [
    "track-api §4.3 unsuppress: POST /customers/{identifier}/unsuppress releases a person's identifiers",
    "POST",
    `${customerPath("q")}/unsuppress`,
    "unsuppress",
  ],
  [
    "track-api §4.3 suppress: POST /customers/{identifier}/suppress suppresses a person",
    "POST",
    `${customerPath("q")}/suppress`,
    "suppress",
  ],
  [
    "track-api §4.3 delete person: DELETE /customers/{identifier} deletes a person",
    "DELETE",
    customerPath("gone"),
    "delete",
  ],
]

describe("operations of v1", () => {
  it.each(operations.map(([title, ...call]) => [title, call] as const))("%s", async (_title, call) => {
    const [method, path, kind, body] = call
    const answer = await tenant.track(method, path, body)
    expectTrackSuccess(answer)
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8")
    expect(await tenant.operation(answer)).toMatchObject({ kind, source: "track-v1" })
  })

  it("track-api §4.3 form submission: POST /forms/{form_id}/submit answers 204 without a body", async () => {
    const answer = await tenant.track("POST", "/api/v1/forms/f/submit", { data: { id: "p" } })
    expect([answer.status, answer.text]).toEqual([204, ""])
  })

  it("track-api §4.3 region: GET /accounts/region returns the region, the workspace and the address", async () => {
    const answer = await tenant.track("GET", "/api/v1/accounts/region")
    const url: unknown = expect.stringContaining(new URL(sharedServer.url).host)
    expect(answer.json).toEqual({ region: "us", environment_id: tenant.workspace, url })
  })

  it("contract §2 Pipelines paths: GET /v1/accounts/region returns the workspace of a write key", async () => {
    const { authorization } = await PipelinesSource.forWorkspace(sharedServer, tenant.workspace)
    const path = "/v1/accounts/region"
    const answer = await send(sharedServer.url, { method: "GET", path, headers: { authorization } })
    expect(answer.json).toMatchObject({ region: "us", environment_id: tenant.workspace })
    for (const headers of [{}, { authorization: "Basic d3Jvbmc6" }]) {
      expect((await send(sharedServer.url, { method: "GET", path, headers })).status).toBe(401)
    }
  })

  it("track-api §4.4 methods and paths: a method that a path does not support gets a 405 that lists the supported methods", async () => {
    for (const [path, allow] of [
      [customerPath("p"), "PUT, DELETE"],
      [`${customerPath("p")}/devices`, "PUT"],
      ["/api/v1/merge_customers", "POST"],
      ["/unsubscribe/d", "POST"],
    ] as const) {
      const answer = await tenant.track("PATCH", path, {})
      expect([answer.status, answer.headers["allow"]]).toEqual([405, allow])
    }
  })

  it("track-api §4.4 success bodies: a success is an empty JSON object that must not be cached", async () => {
    const answer = await tenant.identify("p")
    expectTrackSuccess(answer)
    expect(answer.headers["cache-control"]).toBe("no-cache, no-store, must-revalidate, max-age=0")
  })

  it("track-api §4.4 metric values: the metric call accepts the metrics opened and spammed", async () => {
    for (const metric of ["opened", "spammed"]) {
      expectTrackSuccess(await tenant.track("POST", "/api/v1/metrics", { delivery_id: "d", metric }))
    }
  })

  it("track-api §4.1 JSON bodies: v1 reads a body as JSON whatever its content type", async () => {
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
      const name = fresh("e")
      await tenant.track("POST", `${customerPath("p")}/events`, JSON.stringify({ name }), {
        "content-type": type,
      })
      expect((await tenant.event(name)).name).toBe(name)
    }
  })

  it("track-api §4.1 placeholders: the identifier in a path can be an id, an email or a prefixed svc_id", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.identify(id, { email })
    const { svc_id } = await tenant.person({ id })
    for (const name of [id, email, `svc_${svc_id}`, `cio_${svc_id}`])
      await tenant.identify(name, { [`by_${name}`]: 1 })
    expect(Object.keys((await tenant.person({ id })).attributes)).toHaveLength(4)
  })

  it("track-api §1 write-only: no v1 path returns stored data", async () => {
    const secret = fresh("secret")
    await tenant.identify("p", { secret })
    for (const [, , path] of operations) {
      const answer = await tenant.track("GET", path)
      expect([404, 405]).toContain(answer.status)
      expect(answer.text).not.toContain(secret)
    }
  })

  it("track-api §1 rule 1: v1 is served under /api/v1 and v2 under /v2, and v1 paths elsewhere get a 404", async () => {
    const item = { type: "person", identifiers: { id: "p" }, action: "identify" }
    expectTrackSuccess(await tenant.track("POST", "/v2/entity", item))
    expectTrackSuccess(await tenant.track("POST", "/v2/batch", { batch: [item] }))
    for (const path of ["/v1/customers/p", "/customers/p", "/v2/customers/p"]) {
      expect((await tenant.track("PUT", path, {})).status).toBe(404)
    }
  })
})

const own = { type: "person", identifiers: { id: "p" } }
const company = { type: "object", identifiers: { object_type_id: "1", object_id: "o" } }
const toCompany = [{ identifiers: company.identifiers }]
const toPerson = [{ identifiers: { id: "p" } }]

/** Every v2 type and action, with the title of its test, the kind of the resulting log entry, and a valid item. */
const actions: ReadonlyArray<readonly [title: string, kind: string, item: object]> = [
  [
    "track-api §4.2 person identify: creates or updates a person",
    "identify",
    { ...own, action: "identify", attributes: { a: 1 } },
  ],
  [
    "track-api §4.2 person event: records an event",
    "event",
    { ...own, action: "event", name: "e", timestamp: 1_700_000_000, id: fresh("k"), attributes: {} },
  ],
  ["track-api §4.2 person page: records a page view", "page", { ...own, action: "page", name: "/prices" }],
  [
    "track-api §4.2 person screen: records a screen view",
    "screen",
    { ...own, action: "screen", name: "Prices" },
  ],
  [
    "track-api §4.2 person add_device: adds or updates a device",
    "add_device",
    { ...own, action: "add_device", device: { token: "t", platform: "ios" } },
  ],
  [
    "track-api §4.2 person delete_device: removes a device",
    "delete_device",
    { ...own, action: "delete_device", device: { token: "t" } },
  ],
  [
    "track-api §4.2 person add_relationships: relates a person to objects",
    "add_relationships",
    { ...own, action: "add_relationships", svc_relationships: toCompany },
  ],
  [
    "track-api §4.2 person delete_relationships: removes relationships of a person",
    "delete_relationships",
    { ...own, action: "delete_relationships", svc_relationships: toCompany },
  ],
  [
    "track-api §4.2 person merge: merges two people",
    "merge",
    { type: "person", action: "merge", primary: { id: "p" }, secondary: { id: "x" } },
  ],
  [
    "track-api §4.2 person suppress: deletes a person and ignores later calls for their identifiers",
    "suppress",
    { type: "person", identifiers: { id: "r" }, action: "suppress" },
  ],
  [
    "track-api §4.2 person unsuppress: accepts the suppressed identifiers again",
    "unsuppress",
    { type: "person", identifiers: { id: "r" }, action: "unsuppress" },
  ],
  [
    "track-api §4.2 person delete: deletes a person",
    "delete",
    { type: "person", identifiers: { id: "r" }, action: "delete" },
  ],
  [
    "track-api §4.2 object identify: creates or updates an object",
    "object_identify",
    { ...company, action: "identify", attributes: { a: 1 }, svc_relationships: toPerson },
  ],
  [
    "track-api §4.2 object identify_anonymous: relates visitors to an object",
    "object_identify",
    { ...company, action: "identify_anonymous", svc_relationships: [{ identifiers: { anonymous_id: "v" } }] },
  ],
  [
    "track-api §4.2 object add_relationships: relates people to an object",
    "add_relationships",
    { ...company, action: "add_relationships", svc_relationships: toPerson },
  ],
  [
    "track-api §4.2 object delete_relationships: removes relationships of an object",
    "delete_relationships",
    { ...company, action: "delete_relationships", svc_relationships: toPerson },
  ],
  ["track-api §4.2 object delete: deletes an object", "object_delete", { ...company, action: "delete" }],
  [
    "track-api §4.2 delivery event: records a report about a delivery",
    "delivery_metric",
    {
      type: "delivery",
      action: "event",
      identifiers: { id: "d" },
      name: "opened",
      attributes: { device_token: "t" },
    },
  ],
]

describe("operations of v2", () => {
  it.each(actions)("%s", async (_title, kind, item) => {
    const answer = await tenant.entity(item)
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind, source: "track-v2" })
    expectTrackSuccess(await tenant.batch([item]))
  })

  it("track-api §4.2 page and screen: page and screen views are recorded as operations of the kinds page and screen", async () => {
    for (const action of ["page", "screen"]) {
      const answer = await tenant.entity({ ...own, action, name: "/prices" })
      expect(await tenant.operation(answer)).toMatchObject({ kind: action, name: "/prices" })
    }
  })

  it("contract §2 v2 aliases: /api/v2 has the same endpoints as /v2", async () => {
    for (const base of ["/v2", "/api/v2"]) {
      const item = { ...own, action: "page", name: fresh("e") }
      expectTrackSuccess(await tenant.track("POST", `${base}/entity`, item))
      expectTrackSuccess(await tenant.track("POST", `${base}/batch`, { batch: [item] }))
      expect(await tenant.activity({ name: item.name })).toHaveLength(2)
    }
  })

  it("track-api §4.2 actions by type: an action that the item's type does not support gets the fault unknown_action", async () => {
    const wrong = [
      { ...own, action: "identify_anonymous" },
      { ...company, action: "event", name: "e" },
      { ...company, action: "merge" },
      { ...company, action: "suppress" },
      { ...own, action: "Identify" },
    ]
    for (const item of wrong) {
      expectEntityFaults(await tenant.entity(item), { reason: "unknown_action", field: "action" })
    }
    const answer = await tenant.batch([own, ...wrong].map((item) => ({ action: "identify", ...item })))
    expect(answer.status).toBe(207)
    expectEntityFaults(answer, ...wrong.map((_, n) => ({ batch_index: n + 1, reason: "unknown_action" })))
  })

  it("track-api §4.2 /v2/entity: a request with one invalid item gets an error that names the missing field", async () => {
    const answer = await tenant.track("POST", "/v2/entity", { ...own, action: "event" })
    expect(answer.status).toBe(400)
    expectEntityFaults(answer, { reason: "required", field: "name" })
  })

  it("track-api §4.2 /v2/batch: a batch may have items of different types, and its errors name invalid items by index", async () => {
    const bad = { ...company, action: "identify", identifiers: {} }
    const answer = await tenant.track("POST", "/v2/batch", {
      batch: [{ ...own, action: "page", name: "/" }, bad],
    })
    expect(answer.status).toBe(207)
    expectEntityFaults(answer, { batch_index: 1, reason: "required", field: "identifiers.object_id" })
  })

  it("contract §2 batch of mixed faults: the answer is a 207 with every fault of every invalid item, and the valid items are applied", async () => {
    const id = fresh("p")
    const answer = await tenant.batch([
      { type: "person", identifiers: { id }, action: "identify", attributes: { plan: "x".repeat(1001) } },
      { type: "person", identifiers: { id }, action: "identify", attributes: { plan: "fits" } },
      { type: "pet", identifiers: { id }, action: "identify" },
      { type: "person", identifiers: {}, action: "add_device" },
      { ...own, action: "merge", primary: { id }, secondary: { id, email: "x@x.io" } },
      { type: "delivery", action: "event", identifiers: { id: "d" }, name: "sent" },
    ])
    expect(answer.status).toBe(207)
    expectEntityFaults(
      answer,
      { batch_index: 0, reason: "too_long", field: "attributes.plan" },
      { batch_index: 2, reason: "unknown_type", field: "type" },
      { batch_index: 3, reason: "required", field: "identifiers" },
      { batch_index: 3, reason: "required", field: "device" },
      { batch_index: 4, reason: "invalid", field: "secondary" },
      { batch_index: 5, reason: "invalid", field: "name" },
    )
    expect((await tenant.person({ id })).attributes).toEqual({ plan: "fits" })
  })

  it("contract §4 operation ids: the operation id of a batch, together with an item's index, finds the log entry of that item", async () => {
    const answer = await tenant.batch([
      { ...own, action: "page", name: "/" },
      { ...own, action: "nothing" },
    ])
    expect(await tenant.operation(answer, 0)).toMatchObject({ kind: "page", outcome: "applied" })
    expect(await tenant.operation(answer, 1)).toMatchObject({ kind: null, outcome: "rejected" })
  })

  it("track-api §9 rule 2: v2 accepts a batch of objects and deliveries", async () => {
    expectTrackSuccess(await tenant.batch(actions.slice(12).map(([, , item]) => item)))
  })
})
