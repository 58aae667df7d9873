import { describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectFaultList,
  expectSingleFault,
} from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { base64, customerPath } from "../../src/ingestion.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const segment = await tenant.createSegment()
await tenant.identify("p", { email: "p@example.com" })

const own = { type: "person", identifiers: { id: "p" } }

/** Every v1 operation that needs credentials. */
const operations: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/api/v1/accounts/region"],
  ["PUT", customerPath("p")],
  ["DELETE", customerPath("p")],
  ["PUT", `${customerPath("p")}/devices`],
  ["DELETE", `${customerPath("p")}/devices/t`],
  ["POST", `${customerPath("p")}/suppress`],
  ["POST", `${customerPath("p")}/unsuppress`],
  ["POST", `${customerPath("p")}/events`],
  ["POST", "/api/v1/events"],
  ["POST", "/api/v1/merge_customers"],
  ["POST", "/api/v1/metrics"],
  ["POST", "/api/v1/push/events"],
  ["POST", "/push/events"],
  ["POST", "/api/v1/forms/f/submit"],
  ["POST", `/api/v1/segments/${segment}/add_customers`],
  ["POST", `/api/v1/segments/${segment}/remove_customers`],
]

describe("authorization", () => {
  it("track-api §5 rule 1: any authorization scheme other than HTTP Basic gets a 401", async () => {
    for (const authorization of ["", `Bearer ${tenant.apiKey}`, tenant.apiKey, "Digest x"]) {
      expect((await tenant.track("PUT", customerPath("p"), {}, { authorization })).status).toBe(401)
    }
  })

  it("track-api §5 rule 2: the credentials site_id:api_key are accepted in both base64 alphabets, with and without padding", async () => {
    const basic = base64(`${tenant.siteId}:${tenant.apiKey}`)
    const urlSafe = basic.replaceAll("+", "-").replaceAll("/", "_")
    for (const text of [basic, urlSafe, basic.replace(/=+$/, ""), urlSafe.replace(/=+$/, "")]) {
      expectTrackSuccess(await tenant.track("PUT", customerPath("p"), {}, { authorization: `Basic ${text}` }))
    }
  })

  it("track-api §5 rule 3: a key has a name and gives access to one workspace", async () => {
    const other = await Tenant.create()
    const id = fresh("p")
    await other.identify(id)
    expect([(await other.people({ id })).length, (await tenant.people({ id })).length]).toEqual([1, 0])
    expect((await other.call("GET", other.pathOf("/keys"))).json).toMatchObject({
      items: [{ name: "test", kind: "track" }],
    })
  })

  it("track-api §5 rule 5: the management API answers 401 to a key for ingestion", async () => {
    const headers = { ...tenant.authorization }
    expect(
      (await send(sharedServer.url, { method: "GET", path: "/management/v1/workspaces", headers })).status,
    ).toBe(401)
  })

  it("track-api §4.1 authorization: every operation except unsubscribe answers 401 without credentials", async () => {
    for (const [method, path] of operations) {
      const answer = await send(sharedServer.url, { method, path, body: "{}" })
      expect(answer.status, `${method} ${path}`).toBe(401)
      expectSingleFault(answer, "Unauthorized request")
    }
    expectTrackSuccess(await send(sharedServer.url, { method: "POST", path: "/unsubscribe/d", body: "{}" }))
  })
})

describe("errors", () => {
  it("track-api §7 rule 1: a v2 error is a list of faults with reason, field and message", async () => {
    expectEntityFaults(await tenant.entity({ ...own }), { reason: "required", field: "action" })
    const batch = await tenant.batch([{ ...own }, 5])
    expectEntityFaults(batch, { batch_index: 0, reason: "required" }, { batch_index: 1, reason: "invalid" })
  })

  it("track-api §7 rule 2: a v1 error is in meta.errors for identify, devices and forms, and in meta.error otherwise", async () => {
    const lists = [
      await tenant.identify("p", { id: {} }),
      await tenant.track("PUT", `${customerPath("p")}/devices`, {}),
      await tenant.track("POST", "/api/v1/forms/f/submit", {}),
    ]
    for (const answer of lists) expectFaultList(answer)
    const single = [
      await tenant.merge({}, {}),
      await tenant.recordEvent("p", {}),
      await tenant.track("POST", "/api/v1/metrics", {}),
      await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, {}),
      await tenant.track("POST", "/unsubscribe", {}),
    ]
    for (const answer of single) expectSingleFault(answer)
    for (const { status } of [...lists, ...single]) expect(status).toBe(400)
  })

  it("track-api §7 rule 3: an identify with the email of another person is answered with 200 and recorded as partial", async () => {
    const [a, b] = [fresh("p"), freshEmail()]
    await tenant.identify(a)
    await tenant.identify(b)
    const answer = await tenant.identify(a, { email: b, plan: "pro" })
    expectTrackSuccess(answer)
    const reason: unknown = expect.stringContaining("email")
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial", reason })
    expect(await tenant.person({ id: a })).toMatchObject({ email: null, attributes: { plan: "pro" } })
  })

  it("track-api §7 rule 4: an identify with an unknown svc_id is answered with 200 and dropped", async () => {
    for (const answer of [
      await tenant.identify("svc_p99999999", { plan: "pro" }),
      await tenant.entity({ type: "person", identifiers: { svc_id: "p99999999" }, action: "identify" }),
    ]) {
      expectTrackSuccess(answer)
      expect(await tenant.operation(answer)).toMatchObject({ outcome: "dropped" })
    }
  })
})

describe("errors that the contract defines", () => {
  it("contract §4 oversize: a body that is too large gets a 413 in the error format of the operation", async () => {
    const large = "x".repeat(32 * 1024)
    const list = await tenant.identify("p", { large })
    const single = await tenant.recordEvent("p", { name: "e", data: { large } })
    const item = await tenant.entity({ ...own, action: "event", name: "e", attributes: { large } })
    expect([list.status, single.status, item.status]).toEqual([413, 413, 413])
    expectFaultList(list)
    expectSingleFault(single)
    expectEntityFaults(item, { reason: "too_large" })
  })

  it("contract §4 recorded refusals: an answer with 400 has an operation id, and the log entry with this id states the reason", async () => {
    const tooLong = { a: "x".repeat(1001) }
    for (const [answer, kind, data] of [
      [await tenant.identify("p", tooLong), "identify", tooLong],
      [await tenant.recordEvent("p", {}), "event", {}],
      [await tenant.merge({}, {}), "merge", { primary: {}, secondary: {} }],
      [await tenant.track("POST", "/api/v1/metrics", "{"), "delivery_metric", "{"],
      [await tenant.track("POST", "/v2/entity", "{"), null, "{"],
    ] as const) {
      const reason: unknown = expect.stringMatching(/\S/)
      expect(await tenant.operation(answer)).toMatchObject({ kind, outcome: "rejected", reason, data })
    }
  })

  it("contract §4 reasons: each kind of v2 fault has its documented reason", async () => {
    const faults: ReadonlyArray<readonly [string, object | string]> = [
      ["required", { ...own, action: "event" }],
      ["invalid", { ...own, action: "identify", attributes: 5 }],
      ["too_long", { ...own, action: "identify", attributes: { a: "x".repeat(1001) } }],
      [
        "too_many",
        {
          ...own,
          action: "identify",
          attributes: Object.fromEntries(Array.from({ length: 301 }, (_, n) => [n, 1])),
        },
      ],
      ["unknown_type", { type: "pet", action: "identify" }],
      ["unknown_action", { type: "person", action: "hug" }],
      ["malformed", "{"],
    ]
    for (const [reason, payload] of faults) expectEntityFaults(await tenant.entity(payload), { reason })
  })
})

describe("versions", () => {
  it("track-api §9 rule 1: v1 and v2 calls reach the same people", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await tenant.identify(id)
    await tenant.entity({ type: "person", identifiers: { id }, action: "event", name })
    expect((await tenant.event(name)).subject.id).toBe(id)
  })

  it("track-api §9 rule 3: the path decides the API version, and the accept headers are ignored", async () => {
    const headers = { accept: "application/vnd.v2+json", "accept-version": "2" }
    const answer = await tenant.track("PUT", customerPath("p"), { attributes: { a: 1 } }, headers)
    expect(await tenant.operation(answer)).toMatchObject({ source: "track-v1" })
  })
})

describe("the brand", () => {
  it("contract §1 brands: requests may use the prefix svc_ or cio_, and answers contain only svc_", async () => {
    const id = fresh("p")
    await tenant.identify(id, { cio_subscription_preferences: { topics: { a: true } } })
    const { svc_id } = await tenant.person({ id })
    for (const name of ["svc_id", "cio_id"]) {
      expectTrackSuccess(
        await tenant.entity({ type: "person", identifiers: { [name]: svc_id }, action: "identify" }),
      )
    }
    const shown = await tenant.call("GET", tenant.pathOf("/people", { id }))
    expect(shown.text).not.toContain("cio_")
  })
})
