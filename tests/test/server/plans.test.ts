import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { send } from "../../src/http.ts"
import { batch, entity, identify, pipelines, strict, track } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { summarized } from "../../src/summarized.ts"

const secret = "plannedvalue91ab"

const schema = {
  type: "object",
  required: ["total"],
  properties: {
    total: { type: "number", minimum: 0 },
    currency: { enum: ["EUR", "USD"] },
    items: { type: "array", items: { type: "object", required: ["sku"] } },
  },
}

const plan = (name: string, mode: string) => ({ kind: "event", name, mode, schema })

let inlet: Inlet
let management: Management

type Body = Readonly<Record<string, unknown>>

const save = async (plans: ReadonlyArray<Body>, query = "") => {
  const { json, status } = await management.call("PUT", management.pathOf(`/plan${query}`), { plans })
  return { status, body: json as Body }
}

beforeAll(async () => {
  inlet = await Inlet.start()
  management = new Management(inlet)
  const saved = await save([
    plan("observed", "observe"),
    plan("stripped", "strip"),
    plan("refused", "reject"),
    { kind: "person", name: "attributes", schema: { properties: { age: { type: "integer" } } } },
  ])
  expect(saved.status).toBe(200)
})
afterAll(() => inlet.stop())

const found = async (filter: string): Promise<ReadonlyArray<Body>> => {
  const { json } = await management.call(
    "GET",
    management.pathOf(`/activity?limit=100&order=asc&filter=${encodeURIComponent(filter)}`),
  )
  return (json as { items: ReadonlyArray<Body> }).items
}

const event = (person: string, name: string, data: Body, id?: string) =>
  track(inlet, "POST", `/api/v1/customers/${person}/events`, { name, data, ...(id !== undefined && { id }) })

const set = (unknown_events: string) => management.call("PATCH", management.pathOf(""), { unknown_events })

describe("plans", () => {
  it("contract §8 plans: observes a call that does not fit, and stores it whole", async () => {
    expect((await event("ob", "observed", { total: secret, items: [{ sku: "a" }, {}] })).status).toBe(200)
    const [entry] = await found("plan:violated name:observed")
    expect(entry).toMatchObject({
      data: { total: secret, items: [{ sku: "a" }, {}] },
      refused: [],
      plan: {
        name: "observed",
        version: 1,
        violations: [
          { path: "total", clause: "type", got: "text(16)" },
          { path: "items.1.sku", clause: "required", got: "nothing" },
        ],
      },
    })
    expect((await event("ob", "observed", { total: 1 })).status).toBe(200)
    expect(await found("plan:violated name:observed")).toHaveLength(1)
  })

  it("strips the smallest values that offend, on every API", async () => {
    await management.call("POST", management.pathOf("/operations"), {
      type: "person",
      action: "identify",
      identifiers: { id: "st" },
      attributes: {},
    })
    const data = { total: 5, currency: secret, items: [{ sku: "a" }, {}], free: 1 }
    const left = { total: 5, items: [{ sku: "a" }], free: 1 }
    expect((await event("st", "stripped", data)).status).toBe(200)
    const sent = { type: "person", action: "event", identifiers: { id: "st" }, name: "stripped" }
    expect((await entity(inlet, { ...sent, attributes: data })).status).toBe(200)
    expect((await batch(inlet, [{ ...sent, attributes: data }])).status).toBe(200)
    const call = { userId: "st", event: "stripped", properties: data }
    expect((await pipelines(inlet, "/v1/track", call)).status).toBe(200)
    expect((await pipelines(inlet, "/v1/track", call, strict)).status).toBe(200)
    const entries = await found("plan:violated name:stripped outcome:partial")
    expect(entries).toHaveLength(5)
    const roots = ["data", "attributes", "attributes", "properties", "properties"]
    for (const [i, entry] of entries.entries()) {
      expect(entry).toMatchObject({
        data: left,
        rule: "contract §8 plans",
        refused: [
          { path: `${roots[i]}.currency`, value: secret, code: "plan_value" },
          { path: `${roots[i]}.items.1`, value: {}, code: "plan_value" },
        ].map(({ path, value }) => ({ path, value })),
      })
    }
  })

  it("rejects with the answer of each API, and leaves the deduplication key free", async () => {
    const bad = { total: -1 }
    const v1 = await event("re", "refused", bad, "order-1")
    expect(v1.status).toBe(400)
    expect(v1.json).toEqual({
      meta: { error: "data.total is integer, which minimum of the plan does not allow" },
    })
    const sent = { type: "person", action: "event", identifiers: { id: "re" }, name: "refused" }
    const v2 = await entity(inlet, { ...sent, attributes: bad })
    expect([v2.status, v2.json]).toMatchObject([
      400,
      { errors: [{ reason: "invalid", field: "attributes.total" }] },
    ])
    const mixed = await batch(inlet, [
      { ...sent, attributes: bad },
      { ...sent, attributes: { total: 1 } },
    ])
    expect([mixed.status, mixed.json]).toMatchObject([
      207,
      { errors: [{ batch_index: 0, field: "attributes.total" }] },
    ])
    const call = { userId: "re", event: "refused", properties: {}, messageId: "order-2" }
    expect((await pipelines(inlet, "/v1/track", call, strict)).status).toBe(400)
    expect((await pipelines(inlet, "/v1/track", call)).status).toBe(200)
    expect((await event("re", "refused", { total: 1 }, "order-1")).status).toBe(200)
    expect((await pipelines(inlet, "/v1/track", { ...call, properties: { total: 1 } })).status).toBe(200)
    const rejected = await found("plan:violated outcome:rejected")
    expect(rejected).toHaveLength(5)
    expect(rejected.map(({ rule }) => rule)).toEqual(rejected.map(() => "contract §8 plans"))
    expect(await found("outcome:duplicate")).toEqual([])
    expect(await found("name:refused -outcome:rejected")).toHaveLength(3)
  })

  it("observes attributes of people, and never the required ones", async () => {
    const path = "/api/v1/customers/pe"
    expect((await track(inlet, "PUT", path, { age: "forty" })).status).toBe(200)
    expect((await track(inlet, "PUT", path, { age: null, plan: "pro" })).status).toBe(200)
    const entries = await found("plan:violated kind:identify")
    expect(entries).toMatchObject([
      {
        outcome: "created",
        data: { age: "forty" },
        plan: { name: "attributes", violations: [{ path: "age", clause: "type", got: "text(5)" }] },
      },
    ])
  })

  it("observes and rejects events without a plan", async () => {
    expect((await event("un", "unplanned", {})).status).toBe(200)
    expect(await found("plan:violated name:unplanned")).toEqual([])
    await set("observe")
    expect((await event("un", "unplanned", { a: 1 })).status).toBe(200)
    expect(await found("plan:violated name:unplanned")).toMatchObject([
      { plan: { name: "unplanned", version: null, violations: [{ clause: "unknown_events" }] } },
    ])
    await set("reject")
    const refused = await event("un", secret, {})
    expect([refused.status, refused.json]).toEqual([400, { meta: { error: "the event has no plan" } }])
    expect((await pipelines(inlet, "/v1/page", { userId: "un", name: "any page" })).status).toBe(200)
    await set("allow")
  })

  it("are counted by the name of the event, rejected ones included", async () => {
    const violations = async (name: string): Promise<number> => {
      const { json } = await management.call("GET", management.pathOf(`/event-types/event/${name}`))
      return (json as { violations?: { count: number } }).violations?.count ?? 0
    }
    const names = ["observed", "stripped", "refused", "unplanned"]
    await summarized(management)
    const counts = await Promise.all(names.map(violations))
    // Three rejected ones came before the first that took effect, with which the summary of the name begins.
    expect(counts).toEqual([1, 5, 2, 1])
    await event("ob", "observed", { total: "again" })
    expect((await event("re", "refused", { total: -1 })).status).toBe(400)
    await summarized(management)
    expect(await Promise.all(names.map(violations))).toEqual([2, 5, 3, 1])
  })

  it("keeps nothing of a person in plans and entries once they are deleted", async () => {
    for (const person of ["ob", "st", "re", "pe", "un"]) {
      await track(inlet, "PUT", `/api/v1/customers/${person}`, {})
      await track(inlet, "DELETE", `/api/v1/customers/${person}`, undefined)
    }
    const entries = await found("plan:violated")
    for (const entry of entries) expect(entry["outcome"]).toBe("rejected")
    expect(JSON.stringify(entries.map(({ plan }) => plan))).not.toContain(secret)
  })

  it("answers 400 with the path of what is wrong, and changes nothing in a dry run", async () => {
    const wrong = await save([{ ...plan("e", "observe"), schema: { ...schema, pattern: "x" } }])
    expect(wrong).toMatchObject({ status: 400 })
    expect(String(wrong.body["detail"])).toMatch(/^plans\.0\.schema: plans do not have "pattern"/)
    const alone = management.pathOf("/plan/event/e")
    const inSchema = { schema: { properties: { total: { pattern: "x" } } } }
    expect((await management.call("PUT", alone, inSchema)).json).toMatchObject({
      detail: expect.stringMatching(/^schema\.properties\.total: plans do not have "pattern"/),
    })
    const large = { schema: { enum: ["x".repeat(70_000)] } }
    expect((await management.call("PUT", alone, large)).json).toMatchObject({
      detail: expect.stringMatching(/^schema: a plan has at most/),
    })
    const ofPeople = await management.call("PUT", management.pathOf("/plan/person/other"), { schema: {} })
    expect(ofPeople.json).toMatchObject({ detail: expect.stringMatching(/^name: the plan of people/) })
    const before = (await management.call("GET", management.pathOf("/plan"))).json as Body
    const tried = await save([plan("observed", "reject")], "?dry_run=true")
    expect(tried).toMatchObject({ status: 200, body: { plans: [{ name: "observed", version: 2 }] } })
    expect((await management.call("GET", management.pathOf("/plan"))).json).toEqual(before)
    const one = await management.call("GET", management.pathOf("/plan/event/observed"))
    expect(one.json).toMatchObject({ kind: "event", name: "observed", mode: "observe", version: 1, schema })
  })

  it("keeps a rejected row of a file out, and says why", async () => {
    await identify(inlet, "csv", {})
    const { text: body } = await send(inlet.url, {
      method: "POST",
      path: `/management/v1${management.pathOf("/imports/events")}`,
      headers: { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv" },
      body: "_svc_name,_svc_customer_id,total\nrefused,csv,x\nfree,csv,x\n",
    })
    expect(body).toContain("total is text(1), which type of the plan does not allow")
    expect(body).not.toContain("attributes.total")
    expect(body).toContain(`"imported":1`)
  })

  it("contract §8 plans: finds what is wrong among attributes although much that is required was not sent", async () => {
    const required = Array.from({ length: 25 }, (_, n) => `needed${n}`)
    const people = {
      kind: "person",
      name: "attributes",
      schema: { required, properties: { age: { type: "integer" } } },
    }
    const before = (await management.call("GET", management.pathOf("/plan"))).json as { plans: Body[] }
    expect((await save([...before.plans.filter(({ kind }) => kind !== "person"), people])).status).toBe(200)
    await track(inlet, "PUT", "/api/v1/customers/typed", { age: "forty" })
    const [entry] = await found("plan:violated person:typed")
    expect(entry?.["plan"]).toMatchObject({ violations: [{ path: "age", clause: "type", got: "text(5)" }] })
    expect((await save(before.plans)).status).toBe(200)
  })

  it("contract §8 plans: names no key in a refusal that its plan does not name", async () => {
    const closed = {
      kind: "event",
      name: "closed",
      mode: "reject",
      schema: { properties: { constructor: { type: "string" } }, additionalProperties: false },
    }
    const path = management.pathOf("/plan/event/closed")
    const { mode, schema: first } = closed
    expect((await management.call("PUT", path, { mode, schema: { ...first, properties: {} } })).status).toBe(
      200,
    )
    expect((await management.call("PUT", path, { mode, schema: first })).status).toBe(200)
    expect((await management.call("PUT", path, { mode, schema: {}, version: 1 })).status).toBe(409)
    expect((await event("lovelace", "closed", { "Ada Lovelace": 1 })).status).toBe(400)
    const [rejected] = await found("plan:violated name:closed")
    expect(rejected).toMatchObject({
      reasons: [{ field: "data.*" }],
      plan: { violations: [{ path: "*", clause: "additionalProperties", got: "integer" }] },
    })
  })

  it("contract §8 plans: reads cells of CSV as what they spell", async () => {
    await identify(inlet, "cells", {})
    const csv = "_svc_name,_svc_customer_id,total\nstripped,cells,9.5\nstripped,cells,cheap\n"
    const answer = await send(inlet.url, {
      method: "POST",
      path: `/management/v1${management.pathOf("/imports/events")}`,
      headers: { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv" },
      body: csv,
    })
    expect(answer.status, answer.text).toBe(200)
    const entries = await found("person:cells kind:event")
    expect(entries.map(({ outcome }) => outcome)).toEqual(["applied", "partial"])
  })
})
