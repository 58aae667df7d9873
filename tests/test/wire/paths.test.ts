import { describe, expect, it } from "vitest"
import { Schema } from "effect"
import { gzipSync } from "node:zlib"
import { fresh } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import { read } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)

const MetaError = Schema.Struct({ meta: Schema.Struct({ error: Schema.String }) })

const errorOf = (answer: Answer): string => read(MetaError, answer.json).meta.error

describe("slashes in paths", () => {
  it.each(["/api/v1//customers/", "//api//v1/customers/", "/api/v1/customers//"])(
    "contract §1 slashes: the path %s counts as /api/v1/customers/",
    async (start) => {
      const id = fresh("p")
      expect((await tenant.track("PUT", `${start}${id}/?a=//`, {})).status).toBe(200)
      expect((await tenant.person({ id })).id).toBe(id)
    },
  )

  it.each(["track/", "/track", "batch/", "import/"])("contract §1 slashes: accepts /v1/%s", async (path) => {
    const call = { type: "track", userId: fresh("p"), event: "e" }
    const answer = await source.post(path, { ...call, batch: [call] })
    expect(answer.status).toBe(200)
    expect(answer.operationId).not.toBe("")
  })

  it("contract §1 slashes: an encoded slash stays a part of the identifier", async () => {
    const id = `${fresh("p")}/`
    expect((await tenant.track("PUT", `/api/v1/customers/${encodeURIComponent(id)}`, {})).status).toBe(200)
    expect((await tenant.person({ id })).id).toBe(id)
  })
})

describe("calls that no endpoint takes", () => {
  it.each([
    ["PUT", "/api/v1/customers", 404, /\/api\/v1\/customers\/\{identifier\}/],
    ["POST", "/api/v1/customers/org/7/events", 404, /%2F.*\/events/],
    ["POST", "/api/v1/forms/a/b/submit", 404, /%2F/],
    ["POST", "/api/v1/nothing", 404, /^unknown path$/],
    ["POST", "/api/v1/customers/u", 405, /Allow/],
    ["PUT", "/api/v1/customers/%ZZ", 400, /escape/],
  ] as const)(
    "contract §4 Inlet-Operation-Id: %s %s is a rejected call",
    async (method, path, status, message) => {
      const email = `${fresh("p")}@example.com`
      const answer = await tenant.track(method, path, { email })
      expect(answer.status).toBe(status)
      expect(errorOf(answer)).toMatch(message)
      expect(await tenant.operation(answer)).toMatchObject({
        outcome: "rejected",
        kind: null,
        source: "track-v1",
        data: { email },
        request: { path },
      })
    },
  )

  it("contract §1 unescaped identifiers: a slash that is not encoded is named", async () => {
    const answer = await tenant.track("PUT", "/api/v1/customers/a/b", {})
    expect(answer.status).toBe(404)
    expect(errorOf(answer)).toContain("%2F")
  })

  it("contract §4 Inlet-Operation-Id: records unknown paths of v2 and of Pipelines", async () => {
    const v2 = await tenant.track("POST", "/api/v2/nothing", {})
    expect(await tenant.operation(v2)).toMatchObject({ outcome: "rejected", source: "track-v2" })
    const piped = await source.post("nothing", { userId: "5" })
    expect(piped.status).toBe(404)
    expect(await tenant.operation(piped)).toMatchObject({ outcome: "rejected", source: "pipelines" })
  })

  it("contract §4 Inlet-Operation-Id: an answer without an entry has no id", async () => {
    const wrong = { authorization: "Basic d3Jvbmc6d3Jvbmc=" }
    const answers = [
      await tenant.track("PUT", "/api/v1/nothing", {}, wrong),
      await tenant.track("PUT", "/api/v1/customers/u", {}, wrong),
      await tenant.track("GET", "/api/v1/auth"),
      await tenant.batch([]),
      await source.post("batch", { batch: [] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 401, 200, 200, 200])
    for (const { headers } of answers) expect(headers).not.toHaveProperty("inlet-operation-id")
  })
})

const preflight = async (asked: string) => {
  const answer = await send(tenant.inlet.url, {
    method: "OPTIONS",
    path: "/v1/t",
    headers: { origin: "https://shop.example", "access-control-request-headers": asked },
  })
  expect(answer.status).toBe(204)
  return String(answer.headers["access-control-allow-headers"]).split(", ")
}

describe("preflights", () => {
  it("contract §13 CORS: a preflight allows the headers that it asks for", async () =>
    expect(await preflight("baggage,content-type, Sentry-Trace")).toEqual(
      expect.arrayContaining(["baggage", "content-type", "sentry-trace", "x-strict-mode"]),
    ))

  it("contract §13 CORS: a preflight allows at most 32 headers in 1 KB, and only names", async () => {
    const many = Array.from({ length: 100 }, (_, i) => `x-${i}`).join(",")
    expect(await preflight(many)).toHaveLength(32)
    const long = await preflight(`${"x".repeat(2000)},a`)
    expect(long.join(", ").length).toBeLessThan(1200)
    expect(await preflight("a b,x-ok")).not.toContain("a b")
  })
})

const rejectedBy = async (answer: Answer) => {
  const entry = await tenant.operation(answer)
  expect(entry.outcome).toBe("rejected")
  return entry
}

describe("bodies that are no JSON", () => {
  it("contract §4 unreadable JSON: the answer and the entry say where, and the entry keeps what was sent", async () => {
    const body = '{"score": NaN, "id": 12345678901234567890}'
    const answer = await tenant.track("PUT", "/api/v1/customers/u", body)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain("at byte 10 it has NaN")
    expect(await rejectedBy(answer)).toMatchObject({ data: body })
  })

  it("contract §4 unreadable JSON: names the item of a Pipelines batch and keeps no write key", async () => {
    const body = `{"writeKey":"${source.writeKey}","batch":[{"type":"track"},{"type":'track'}]}`
    const entry = await rejectedBy(await source.post("batch", body))
    expect(entry.reason).toContain("in item 1 of the batch")
    expect(JSON.stringify(entry.data)).not.toContain(source.writeKey)
  })

  it("contract §4 unreadable JSON: recognises gzip without its header, a form, and text that is not UTF-8", async () => {
    const gzip = await rejectedBy(await source.post("batch", gzipSync('{"batch":[]}')))
    expect(gzip).toMatchObject({ reason: expect.stringContaining("gzip"), data: '{"batch":[]}' })
    const form = await rejectedBy(await source.post("track", "userId=5&event=e"))
    expect(form).toMatchObject({ reason: expect.stringContaining("form"), data: "userId=5&event=e" })
    const latin = await rejectedBy(
      await source.post("track", Buffer.from('{"userId":"Andr\u00E9"}', "latin1")),
    )
    expect(latin.reason).toContain("byte 15 is 0xE9")
  })

  it("contract §16 rejected calls: deleting a person erases an unreadable body that names them", async () => {
    const id = fresh("p")
    await tenant.identify(id, { email: `${id}@example.com` })
    const bodies = [`{"userId":"${id}", "a": NaN}`, `{"email":"\\u0070x", "mail": '${id}@example.com'}`]
    const answers = [await source.post("track", bodies[0]), await source.post("track", bodies[1])]
    for (const answer of answers) expect((await rejectedBy(answer)).data).not.toBeNull()
    await tenant.track("DELETE", `/api/v1/customers/${id}`)
    for (const answer of answers) expect(JSON.stringify(await tenant.operation(answer))).not.toContain(id)
  })

  it("contract §16 rejected calls: a call of 29 KB keeps what it sent", async () => {
    const data = Object.fromEntries(Array.from({ length: 29 }, (_, i) => [`a${i}`, "x".repeat(1000)]))
    const answer = await tenant.recordEvent("u", { name: " ", data })
    expect(answer.status).toBe(400)
    expect(await rejectedBy(answer)).toMatchObject({ data: { data } })
  })
})

describe("what PHP and unknown ids send", () => {
  it("contract §4 empty arrays: an empty array counts as an empty object", async () => {
    const id = fresh("p")
    const answers = [
      await tenant.track("PUT", `/api/v1/customers/${id}`, []),
      await tenant.recordEvent(id, { name: "e", data: [] }),
      await tenant.track("PUT", `/api/v1/customers/${id}/devices`, {
        device: { id: `${id}-phone`, platform: "ios", attributes: [] },
      }),
      await tenant.entity({ type: "person", action: "identify", identifiers: { id }, attributes: [] }),
      await source.post("identify", { userId: id, traits: [], context: [] }),
      await source.post("track", { userId: id, event: "e", properties: [] }),
      await source.post(
        "track",
        { userId: id, event: "e", properties: [], context: [] },
        { "x-strict-mode": "1" },
      ),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect((await tenant.operation(answer)).outcome).toMatch(/applied|created/)
    }
  })

  it("contract §16 refused values: a relationship to an unknown svc_id is kept as it was sent", async () => {
    const identifiers = { svc_id: "svc_nobody" }
    const relationship_attributes = { role: "admin" }
    const answer = await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: fresh("o") },
      svc_relationships: [{ identifiers, relationship_attributes }],
    })
    expect(await tenant.operation(answer)).toMatchObject({
      outcome: "partial",
      refused: [{ value: { identifiers, relationship_attributes } }],
    })
  })
})
