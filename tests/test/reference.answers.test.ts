import { describe, expect, it } from "vitest"
import { expectEmptyObject, expectEntityFaults, expectFaultList, expectSingleFault } from "../src/faults.ts"
import { fresh, freshEmail } from "../src/fresh.ts"
import { send } from "../src/http.ts"
import { base64, customer } from "../src/ingestion.ts"
import { shared, Tenant } from "../src/Tenant.ts"

const tenant = await Tenant.create()
const segment = await tenant.newSegment()
await tenant.identify("p", { email: "p@example.com" })

const own = { type: "person", identifiers: { id: "p" } }

/** Every operation of v1 but the one that needs no credentials. */
const operations: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/api/v1/accounts/region"],
  ["PUT", customer("p")],
  ["DELETE", customer("p")],
  ["PUT", `${customer("p")}/devices`],
  ["DELETE", `${customer("p")}/devices/t`],
  ["POST", `${customer("p")}/suppress`],
  ["POST", `${customer("p")}/unsuppress`],
  ["POST", `${customer("p")}/events`],
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
  it("track-api §5 rule 1: is HTTP basic, and nothing else", async () => {
    for (const authorization of ["", `Bearer ${tenant.apiKey}`, tenant.apiKey, "Digest x"]) {
      expect((await tenant.track("PUT", customer("p"), {}, { authorization })).status).toBe(401)
    }
  })

  it("track-api §5 rule 2: is site_id:api_key in base64, in either alphabet, padded or not", async () => {
    const basic = base64(`${tenant.siteId}:${tenant.apiKey}`)
    const urlSafe = basic.replaceAll("+", "-").replaceAll("/", "_")
    for (const text of [basic, urlSafe, basic.replace(/=+$/, ""), urlSafe.replace(/=+$/, "")]) {
      expectEmptyObject(await tenant.track("PUT", customer("p"), {}, { authorization: `Basic ${text}` }))
    }
  })

  it("track-api §5 rule 3: has a name and is tied to a workspace", async () => {
    const other = await Tenant.create()
    const id = fresh("p")
    await other.identify(id)
    expect([(await other.people({ id })).length, (await tenant.people({ id })).length]).toEqual([1, 0])
    expect((await other.call("GET", other.at("/keys"))).json).toMatchObject({
      items: [{ name: "test", kind: "track" }],
    })
  })

  it("track-api §5 rule 5: the management API has tokens of its own, and takes no ingestion key", async () => {
    const headers = { ...tenant.authorization }
    expect(
      (await send(shared.url, { method: "GET", path: "/management/v1/workspaces", headers })).status,
    ).toBe(401)
  })

  it("track-api §4.1 authorization: every operation but unsubscribing needs it", async () => {
    for (const [method, path] of operations) {
      const answer = await send(shared.url, { method, path, body: "{}" })
      expect(answer.status, `${method} ${path}`).toBe(401)
      expectSingleFault(answer, "Unauthorized request")
    }
    expectEmptyObject(await send(shared.url, { method: "POST", path: "/unsubscribe/d", body: "{}" }))
  })
})

describe("errors", () => {
  it("track-api §7 rule 1: of v2 are a list of reason, field and message", async () => {
    expectEntityFaults(await tenant.entity({ ...own }), { reason: "required", field: "action" })
    const batch = await tenant.batch([{ ...own }, 5])
    expectEntityFaults(batch, { batch_index: 0, reason: "required" }, { batch_index: 1, reason: "invalid" })
  })

  it("track-api §7 rule 2: of v1 are meta.errors for identify, devices and forms, and meta.error elsewhere", async () => {
    const lists = [
      await tenant.identify("p", { id: {} }),
      await tenant.track("PUT", `${customer("p")}/devices`, {}),
      await tenant.track("POST", "/api/v1/forms/f/submit", {}),
    ]
    for (const answer of lists) expectFaultList(answer)
    const single = [
      await tenant.merge({}, {}),
      await tenant.does("p", {}),
      await tenant.track("POST", "/api/v1/metrics", {}),
      await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, {}),
      await tenant.track("POST", "/unsubscribe", {}),
    ]
    for (const answer of single) expectSingleFault(answer)
    for (const { status } of [...lists, ...single]) expect(status).toBe(400)
  })

  it("track-api §7 rule 3: an identify whose identifiers disagree is answered 200, and its failure recorded", async () => {
    const [a, b] = [fresh("p"), freshEmail()]
    await tenant.identify(a)
    await tenant.identify(b)
    const answer = await tenant.identify(a, { email: b, plan: "pro" })
    expectEmptyObject(answer)
    const reason: unknown = expect.stringContaining("email")
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial", reason })
    expect(await tenant.person({ id: a })).toMatchObject({ email: null, attributes: { plan: "pro" } })
  })

  it("track-api §7 rule 4: an identify with a svc_id that nobody has is dropped", async () => {
    for (const answer of [
      await tenant.identify("svc_p99999999", { plan: "pro" }),
      await tenant.entity({ type: "person", identifiers: { svc_id: "p99999999" }, action: "identify" }),
    ]) {
      expectEmptyObject(answer)
      expect(await tenant.operation(answer)).toMatchObject({ outcome: "dropped" })
    }
  })
})

describe("what the contract says of errors", () => {
  it("contract §4 oversize: is a 413 in the operation's own shape", async () => {
    const large = "x".repeat(32 * 1024)
    const list = await tenant.identify("p", { large })
    const single = await tenant.does("p", { name: "e", data: { large } })
    const item = await tenant.entity({ ...own, action: "event", name: "e", attributes: { large } })
    expect([list.status, single.status, item.status]).toEqual([413, 413, 413])
    expectFaultList(list)
    expectSingleFault(single)
    expectEntityFaults(item, { reason: "too_large" })
  })

  it("contract §4 recorded refusals: carry an operation id, and the log says why", async () => {
    for (const [answer, kind] of [
      [await tenant.identify("p", { a: "x".repeat(1001) }), "identify"],
      [await tenant.does("p", {}), "event"],
      [await tenant.merge({}, {}), "merge"],
      [await tenant.track("POST", "/api/v1/metrics", "{"), "delivery_metric"],
      [await tenant.track("POST", "/v2/entity", "{"), null],
    ] as const) {
      const reason: unknown = expect.stringMatching(/\S/)
      expect(await tenant.operation(answer)).toMatchObject({ kind, outcome: "rejected", reason, data: null })
    }
  })

  it("contract §4 reasons: are a closed set", async () => {
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
  it("track-api §9 rule 1: v1 and v2 are served side by side", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await tenant.identify(id)
    await tenant.entity({ type: "person", identifiers: { id }, action: "event", name })
    expect((await tenant.event(name)).subject.id).toBe(id)
  })

  it("track-api §9 rule 3: no header negotiates a version", async () => {
    const headers = { accept: "application/vnd.v2+json", "accept-version": "2" }
    const answer = await tenant.track("PUT", customer("p"), { attributes: { a: 1 } }, headers)
    expect(await tenant.operation(answer)).toMatchObject({ source: "track-v1" })
  })
})

describe("the brand", () => {
  it("contract §1 brands: svc and cio are understood alike, and svc is written", async () => {
    const id = fresh("p")
    await tenant.identify(id, { cio_subscription_preferences: { topics: { a: true } } })
    const { svc_id } = await tenant.person({ id })
    for (const name of ["svc_id", "cio_id"]) {
      expectEmptyObject(
        await tenant.entity({ type: "person", identifiers: { [name]: svc_id }, action: "identify" }),
      )
    }
    const shown = await tenant.call("GET", tenant.at("/people", { id }))
    expect(shown.text).not.toContain("cio_")
  })
})
