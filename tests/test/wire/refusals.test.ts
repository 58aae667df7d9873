import { describe, expect, it } from "vitest"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)

const operationOf = async (answer: Parameters<Tenant["operation"]>[0]) => {
  expect(answer.status).toBe(200)
  return tenant.operation(answer)
}

describe("refused values", () => {
  it("contract §6 taken identifiers: the email of somebody else is kept with its owner, on every protocol", async () => {
    const [ada, email] = [fresh("ada"), freshEmail()]
    await tenant.identify(ada, { email })
    const { svc_id } = await tenant.person({ id: ada })
    const attributes = { email, plan: "pro" }
    const answers = [
      await tenant.identify(fresh("bob"), attributes),
      await tenant.entity({
        type: "person",
        action: "identify",
        identifiers: { id: fresh("bob") },
        attributes,
      }),
      await source.post("identify", { userId: fresh("bob"), traits: attributes }),
    ]
    for (const answer of answers) {
      expect(await operationOf(answer)).toMatchObject({
        outcome: "partial",
        rule: "contract §6 taken identifiers",
        refused: [
          {
            path: "email",
            value: email,
            reason: "email belongs to another person",
            rule: "contract §6 taken identifiers",
            other: { svc_id },
          },
        ],
      })
    }
  })

  it("contract §16 refused values: values that decoding leaves out are kept as sent", async () => {
    const long = "x".repeat(1001)
    const [ada, bob] = [freshEmail(), freshEmail()]
    await tenant.identify(ada)
    const sent = [
      await tenant.identify(fresh("p"), { email: "no email", created_at: "yesterday" }),
      await tenant.entity({
        type: "person",
        action: "identify",
        identifiers: { id: fresh("p"), email: bob },
        attributes: { email: ada },
      }),
      await source.post("identify", { userId: fresh("p"), traits: { plan: "pro", long } }),
      await source.post("track", { userId: fresh("p"), event: "bought", timestamp: "noon" }),
    ]
    const refused = await Promise.all(sent.map(async (answer) => (await operationOf(answer)).refused))
    const { svc_id } = await tenant.person({ email: ada })
    expect(refused).toMatchObject([
      [
        { path: "email", value: "no email", rule: "contract §6 valid email", other: null },
        { path: "created_at", value: "yesterday", rule: "contract §6 unreadable times", other: null },
      ],
      [{ path: "attributes.email", value: ada, rule: "contract §6 path and body", other: { svc_id } }],
      [{ path: "traits.long", value: long, rule: "contract §5 over a limit in Pipelines", other: null }],
      [{ path: "timestamp", value: "noon", rule: "contract §6 unreadable times", other: null }],
    ])
  })

  it("an answer of Track lists faults without the values, and an operation without faults refuses nothing", async () => {
    const answer = await tenant.entity({
      type: "person",
      action: "identify",
      identifiers: { id: fresh("p") },
      attributes: { plan: "x".repeat(1001), email: "no email" },
    })
    expect(answer.status).toBe(400)
    for (const error of (answer.json as { errors: ReadonlyArray<object> }).errors) {
      expect(Object.keys(error).toSorted()).toStrictEqual(["field", "message", "reason"])
    }
    expect(await operationOf(await tenant.identify(fresh("p")))).toMatchObject({ refused: [] })
  })
})

describe("rejected calls", () => {
  it("contract §16 rejected calls: what was sent is kept with the key and the client, on every protocol", async () => {
    const [v1, v2, piped] = [fresh("p"), fresh("p"), fresh("p")]
    const long = "x".repeat(1001)
    const agent = { "user-agent": `test/${"u".repeat(300)}` }
    const rejected = [
      await tenant.track("PUT", customerPath(v1), { plan: long }, agent),
      await tenant.track(
        "POST",
        "/api/v2/entity",
        { type: "person", action: "event", identifiers: { id: v2 }, name: "bought", attributes: [1] },
        agent,
      ),
      await source.post("track", { userId: piped, event: "x".repeat(101), writeKey: source.writeKey }, agent),
    ]
    const entries = await Promise.all(rejected.map((answer) => tenant.operation(answer)))
    expect(entries).toMatchObject([
      { outcome: "rejected", data: { plan: long }, request: { path: customerPath(v1) } },
      {
        outcome: "rejected",
        name: "bought",
        data: { type: "person", action: "event", identifiers: { id: v2 }, name: "bought", attributes: [1] },
        request: { path: "/api/v2/entity", key_name: "test" },
      },
      {
        outcome: "rejected",
        data: { userId: piped, event: "x".repeat(101) },
        request: { path: "/v1/track" },
      },
    ])
    for (const { data, request } of entries) {
      expect(request).toMatchObject({ user_agent: `test/${"u".repeat(195)}`, address: expect.any(String) })
      expect(JSON.stringify([request, data])).not.toContain(source.writeKey)
    }
    const filter = "outcome:rejected name:bought"
    const found = await tenant.call("GET", tenant.pathOf(`/activity?filter=${encodeURIComponent(filter)}`))
    expect(found.json).toMatchObject({ items: [{ operation_id: entries[1]?.operation_id }] })
    const reasons = await tenant.call("GET", tenant.pathOf("/stats/reasons"))
    expect(reasons.json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          outcome: "rejected",
          key: expect.objectContaining({ name: "test" }),
          client: `test/${"u".repeat(195)}`,
        }),
      ]),
    })
  })

  it("contract §16 rejected calls: a call that is too large keeps only how it arrived, and one that is not JSON its beginning", async () => {
    const path = customerPath(fresh("p"))
    const large = await tenant.operation(await tenant.track("PUT", path, { plan: "x".repeat(40_000) }))
    expect(large).toMatchObject({ outcome: "rejected", data: null, request: { path } })
    const broken = await tenant.operation(await tenant.track("PUT", path, "{"))
    expect(broken).toMatchObject({ outcome: "rejected", data: "{", request: { path, key_name: "test" } })
  })

  it("contract §16 rejected calls: deleting a person erases the calls that name them at once", async () => {
    const id = fresh("person")
    const refused = await tenant.identify(id, { plan: "x".repeat(1001) })
    expect(await tenant.operation(refused)).toMatchObject({ request: { path: customerPath(id) } })
    await tenant.identify(id)
    await tenant.track("DELETE", customerPath(id))
    expect(await tenant.operation(refused)).toMatchObject({ outcome: "rejected", data: null, request: null })
  })

  it("contract §16 rejected calls: a form without a respondent, an unknown segment and a stopped item are kept", async () => {
    const [id, stopped] = [fresh("p"), fresh("p")]
    const answers = [
      await tenant.track("POST", "/api/v1/forms/contact/submit", { data: { note: "hello" } }),
      await tenant.track("POST", "/api/v1/segments/999999/add_customers", { ids: [id] }),
    ]
    expect(answers.map(({ status }) => status)).toStrictEqual([400, 404])
    const track = { type: "track", userId: stopped, event: "bought" }
    const strict = { "x-strict-mode": "1" }
    const batch = await source.post("batch", { batch: [track, { ...track, event: 1 }] }, strict)
    const first = `${batch.headers["inlet-operation-id"]}-0`
    const entries = [
      ...(await Promise.all(answers.map((answer) => tenant.operation(answer)))),
      (await tenant.call("GET", tenant.pathOf(`/operations/${first}`))).json,
    ]
    expect(entries).toMatchObject([
      { outcome: "rejected", name: "contact", data: { data: { note: "hello" } } },
      {
        outcome: "rejected",
        data: { ids: [id] },
        request: { path: "/api/v1/segments/999999/add_customers" },
      },
      { outcome: "rejected", name: "bought", data: track, request: { path: "/v1/batch" } },
    ])
  })

  it("contract §12 segments by rule: nobody can be added to one or removed by hand", async () => {
    const rule = { attribute: { field: "plan", operator: "eq", value: "pro" } }
    const id = await tenant.createSegment("Paying", rule)
    for (const action of ["add", "remove"]) {
      const answer = await tenant.track("POST", `/api/v1/segments/${id}/${action}_customers`, { ids: ["p"] })
      expect([answer.status, answer.json]).toStrictEqual([
        400,
        { meta: { error: "the rule of the segment decides who is in it" } },
      ])
    }
  })

  it("contract §16 rejected calls: a workspace with rejected_days 0 keeps nothing", async () => {
    const other = await Tenant.create({ rejected_days: 0 })
    const answer = await other.identify(fresh("p"), { plan: "x".repeat(1001) })
    expect(await other.operation(answer)).toMatchObject({ outcome: "rejected", data: null, request: null })
  })
})
