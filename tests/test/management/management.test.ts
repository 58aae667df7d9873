import { gzipSync } from "node:zlib"
import { Schema } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess, expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { eventually } from "../../src/eventually.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import {
  base64,
  batch,
  event,
  identify,
  pipelines,
  pipelinesBasic,
  strict,
  track,
  trackBasic,
} from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management, PipelinesKey, read, TrackKey, Workspace } from "../../src/Management.ts"
import { openStream } from "../../src/eventStream.ts"

const OpenApiDocument = Schema.Struct({
  openapi: Schema.String,
  servers: Schema.Array(Schema.Struct({ url: Schema.String })),
  components: Schema.Struct({ securitySchemes: Schema.Record(Schema.String, Schema.Unknown) }),
  paths: Schema.Record(
    Schema.String,
    Schema.Record(Schema.String, Schema.Struct({ security: Schema.Unknown })),
  ),
})

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const createWorkspace = async (): Promise<Management> =>
  new Management(inlet, await management.createWorkspace())

const trackKey = async (owner: Management, settings: object = {}) => {
  const answer = await owner.call("POST", owner.pathOf("/keys"), {
    kind: "track",
    name: "server",
    ...settings,
  })
  expect(answer.status).toBe(201)
  const key = read(TrackKey, answer.json)
  return { key, headers: { authorization: `Basic ${base64(`${key.site_id}:${key.api_key}`)}` } }
}

const expectProblem = (answer: Answer, status: number): void => {
  expect(answer.status).toBe(status)
  expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/)
  expect(answer.json).toMatchObject({ status, title: expect.any(String) })
}

describe("workspaces", () => {
  it("contract §5 defaults: the first workspace has the limits that the reference documents", async () => {
    const { items } = read(
      Schema.Struct({ items: Schema.Array(Workspace), next: Schema.NullOr(Schema.String) }),
      (await management.call("GET", "/workspaces")).json,
    )
    const first = items.find((workspace) => workspace.environment_id === 1)
    expect(first).toMatchObject({
      name: "default",
      region: "us",
      retention_days: null,
      records_max: null,
      kafka: null,
    })
    expect(first?.identifiers.toSorted()).toEqual(["email", "id"])
    expect(first?.limits).toMatchObject({
      request_bytes: 32_768,
      batch_bytes: 512_000,
      batch_item_bytes: 32_768,
      person_id_bytes: 150,
      attribute_name_bytes: 150,
      attribute_value_bytes: 1000,
      attributes_per_person: 300,
      event_name_bytes: 100,
      event_data_bytes: 100_000,
      rate_requests: 3000,
      rate_window_seconds: 3,
    })
    expect((await management.call("GET", "/workspaces/1")).json).toEqual(first)
  })

  it("a call with the key of one workspace does not change any other workspace", async () => {
    const other = await createWorkspace()
    const { headers } = await trackKey(other)
    const id = fresh("p")
    expectTrackSuccess(await track(inlet, "PUT", `/api/v1/customers/${id}`, { plan: "other" }, headers))
    expect(await management.people({ id })).toEqual([])
    expect((await other.person({ id })).attributes).toEqual({ plan: "other" })
    const region = await track(inlet, "GET", "/api/v1/accounts/region", undefined, headers)
    expect(region.json).toMatchObject({ environment_id: other.workspace })
  })

  it("people, operations and deduplication keys of one workspace are unknown in another workspace", async () => {
    const other = await createWorkspace()
    const { headers } = await trackKey(other)
    const [id, name] = [fresh("p"), fresh("e")]
    const mine = await identify(inlet, id, { plan: "mine" })
    const { svc_id } = await management.person({ id })
    const path = `/api/v1/customers/svc_${svc_id}`
    const answer = await track(inlet, "PUT", path, { plan: "theirs" }, headers)
    expectTrackSuccess(answer)
    expect(await other.operation(answer)).toMatchObject({ outcome: "dropped" })
    expectTrackSuccess(await track(inlet, "DELETE", path, undefined, headers))
    expect((await management.personBySvcId(svc_id)).attributes).toEqual({ plan: "mine" })
    for (const hidden of [
      `/people/${svc_id}`,
      `/people/${svc_id}/activity`,
      `/operations/${mine.operationId}`,
    ]) {
      expectProblem(await other.call("GET", other.pathOf(hidden)), 404)
    }
    const events = "/api/v1/customers/p/events"
    expectTrackSuccess(await track(inlet, "POST", events, { name, id: name }))
    expectTrackSuccess(await track(inlet, "POST", events, { name, id: name }, headers))
    expect((await management.event(name)).id).toBe(name)
    expect((await other.event(name)).id).toBe(name)
  })

  it("the setting email_update_by_id decides whether an identify by id can change the email", async () => {
    for (const email_update_by_id of [true, false]) {
      const workspace = await createWorkspace()
      const patched = await workspace.call("PATCH", workspace.pathOf(""), { email_update_by_id })
      expect(read(Workspace, patched.json).email_update_by_id).toBe(email_update_by_id)
      const { headers } = await trackKey(workspace)
      const [id, before, after] = [fresh("p"), freshEmail(), freshEmail()]
      await track(inlet, "PUT", `/api/v1/customers/${id}`, { email: before }, headers)
      const answer = await track(
        inlet,
        "PUT",
        `/api/v1/customers/${id}`,
        { email: after, plan: "pro" },
        headers,
      )
      expectTrackSuccess(answer)
      const person = await workspace.person({ id })
      expect(person).toMatchObject({
        email: email_update_by_id ? after : before,
        attributes: { plan: "pro" },
      })
      const outcome = email_update_by_id ? "applied" : "partial"
      expect(await workspace.operation(answer)).toMatchObject({ outcome })
    }
  })
})

const uses = (headers: Record<string, string>) =>
  track(inlet, "GET", "/api/v1/accounts/region", undefined, headers)

describe("keys", () => {
  it("contract §3 keys: keys are listed without secrets, and a revoked key stops working while other keys still work", async () => {
    const workspace = await createWorkspace()
    const [first, second] = [await trackKey(workspace), await trackKey(workspace)]
    const list = await workspace.call("GET", workspace.pathOf("/keys"))
    expect(list.text).toContain(String(first.key.key_id))
    for (const secret of [first.key.api_key, second.key.api_key]) expect(list.text).not.toContain(secret)
    for (const { headers } of [first, second]) expect((await uses(headers)).status).toBe(200)
    const revoked = await workspace.call("DELETE", workspace.pathOf(`/keys/${first.key.key_id}`))
    expect([revoked.status, revoked.text]).toEqual([204, ""])
    expect((await uses(first.headers)).status).toBe(401)
    expect((await uses(second.headers)).status).toBe(200)
  })

  it("contract §3 keys: an expired key is refused as a revoked one is", async () => {
    const workspace = await createWorkspace()
    const revoked = await trackKey(workspace)
    await workspace.call("DELETE", workspace.pathOf(`/keys/${revoked.key.key_id}`))
    const expected = await uses(revoked.headers)
    const { headers } = await trackKey(workspace, { expires_at: new Date(Date.now() + 1000).toISOString() })
    const refused = await eventually("the key has expired", async () => {
      const answer = await uses(headers)
      return answer.status === 200 ? undefined : answer
    })
    expect([refused.status, refused.text]).toEqual([expected.status, expected.text])
  })

  it("a new Pipelines key accepts calls until it is revoked", async () => {
    const workspace = await createWorkspace()
    const answer = await workspace.call("POST", workspace.pathOf("/keys"), { kind: "pipelines", name: "web" })
    expect(answer.status).toBe(201)
    const { write_key, key_id } = read(PipelinesKey, answer.json)
    expect(Buffer.byteLength(write_key)).toBeGreaterThanOrEqual(20)
    const headers = { authorization: `Basic ${base64(`${write_key}:`)}`, ...strict }
    const name = fresh("e")
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId: "u", event: name }, headers))
    expect(await workspace.activity({ name })).toHaveLength(1)
    await workspace.call("DELETE", workspace.pathOf(`/keys/${key_id}`))
    const refused = await pipelines(inlet, "/v1/track", { userId: "u", event: fresh("e") }, headers)
    expect(refused.status).toBe(401)
    expectStrictFault(refused)
  })
})

describe("access", () => {
  it.each<readonly [string, Record<string, string>]>([
    ["no header", {}],
    ["a wrong token", { authorization: "Bearer wrong" }],
    ["a Track key", { authorization: trackBasic }],
    ["a Pipelines key", { authorization: pipelinesBasic }],
    ["an API key as bearer token", { authorization: `Bearer ${credentials.apiKey}` }],
  ])("the management API answers 401 to a request with %s", async (_name, headers) => {
    for (const path of [
      "/workspaces",
      "/workspaces/1/people",
      "/workspaces/1/activity",
      "/workspaces/99/people",
    ]) {
      expectProblem(await send(inlet.url, { method: "GET", path: `/management/v1${path}`, headers }), 401)
    }
  })

  it.each([
    "/workspaces/99",
    "/workspaces/99/people",
    "/workspaces/1/people/nobody",
    "/workspaces/1/people/nobody/activity",
    "/workspaces/1/operations/none",
    "/nothing",
  ])("GET %s answers 404", async (path) => {
    expectProblem(await management.call("GET", path), 404)
  })

  it("the management API serves its OpenAPI description without a token, and every operation in it needs one", async () => {
    const answer = await send(inlet.url, { method: "GET", path: "/management/v1/openapi.json" })
    expect(answer.status).toBe(200)
    const described = read(OpenApiDocument, answer.json)
    expect(described.openapi).toMatch(/^3\./)
    expect(described.servers.map(({ url }) => new URL(url, inlet.url).href)).toEqual([`${inlet.url}/`])
    expect(described.components.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "Bearer", description: expect.any(String) },
    })
    for (const [path, operations] of Object.entries(described.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        expect([method, path, security]).toEqual([method, path, [{ bearer: [] }]])
      }
      const open = path.replace(/\{(\w+)\}/g, "1")
      const [method = ""] = Object.keys(operations)
      const refused = await send(inlet.url, { method: method.toUpperCase(), path: open })
      expect([open, refused.status]).toEqual([open, 401])
    }
  })

  it("the management API answers a problem document to an invalid body", async () => {
    expectProblem(await management.call("POST", "/workspaces/1/keys", { kind: "sesame" }), 400)
  })
})

describe("people", () => {
  it("people are found by each identifier and by the beginning of an id or email", async () => {
    const workspace = await createWorkspace()
    const { headers } = await trackKey(workspace)
    const [mark, anonymous_id] = [fresh("q"), fresh("v")]
    const email = `${mark}@example.com`
    await track(inlet, "PUT", `/api/v1/customers/${mark}-1`, { email, anonymous_id }, headers)
    await track(inlet, "PUT", `/api/v1/customers/${mark}-2`, {}, headers)
    await track(inlet, "PUT", `/api/v1/customers/${fresh("else")}`, {}, headers)
    const { svc_id } = await workspace.person({ id: `${mark}-1` })
    for (const query of [{ email }, { email: email.toUpperCase() }, { svc_id }, { anonymous_id }]) {
      expect((await workspace.person(query)).svc_id).toBe(svc_id)
    }
    expect(await workspace.people({ q: mark })).toHaveLength(2)
    expect((await workspace.people({})).map(({ id }) => id?.slice(-2))).toHaveLength(3)
    expect((await workspace.people({ id: "nobody" })).length).toBe(0)
  })

  it("special characters in the prefix of a search match literally", async () => {
    const mark = fresh("q")
    for (const end of ["%", "_", "*", "'", "x"]) await identify(inlet, `${mark}${end}1`, {})
    for (const end of ["%", "_", "*", "'"]) {
      expect((await management.people({ q: `${mark}${end}` })).map(({ id }) => id)).toEqual([
        `${mark}${end}1`,
      ])
    }
  })

  it("the pages of a list contain each person once, newest first", async () => {
    const workspace = await createWorkspace()
    const { headers } = await trackKey(workspace)
    const ids = Array.from({ length: 7 }, (_, n) => `p${n}`)
    for (const id of ids) await track(inlet, "PUT", `/api/v1/customers/${id}`, {}, headers)
    const found: Array<string | null> = []
    let path = workspace.pathOf("/people", { limit: "3" })
    const Page = Schema.Struct({
      items: Schema.Array(Schema.Struct({ id: Schema.NullOr(Schema.String) })),
      next: Schema.NullOr(Schema.String),
    })
    for (;;) {
      const { items, next } = read(Page, (await workspace.call("GET", path)).json)
      expect(items.length).toBeLessThanOrEqual(3)
      found.push(...items.map(({ id }) => id))
      if (next === null) break
      path = workspace.pathOf("/people", { limit: "3", after: next })
    }
    expect(found).toEqual(ids.toReversed())
  })
})

describe("activity", () => {
  it("the management API filters, orders and pages activity", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await identify(inlet, id, {})
    for (let n = 0; n < 7; n++) await event(inlet, id, { name, data: { n } })
    await event(inlet, id, { name, type: "page", data: { n: 7 } })
    const numbers = async (query: Record<string, string>) =>
      (await management.activity({ name, ...query })).map(
        ({ data }) => read(Schema.Struct({ n: Schema.Finite }), data).n,
      )
    const all = [0, 1, 2, 3, 4, 5, 6, 7]
    expect(await numbers({ order: "asc", limit: "3" })).toEqual(all)
    expect(await numbers({ order: "desc", limit: "3" })).toEqual(all.toReversed())
    expect(await numbers({})).toEqual(all.toReversed())
    expect(await numbers({ kind: "page" })).toEqual([7])
    expect(await numbers({ kind: "event", order: "asc" })).toEqual(all.slice(0, 7))
    expect(await numbers({ outcome: "applied", order: "asc" })).toEqual(all)
    expect(await numbers({ outcome: "pending" })).toEqual([])
    const { svc_id } = await management.person({ id })
    const own = await management.activity({}, svc_id)
    expect(own.map(({ kind }) => kind)).toEqual([
      "page",
      ...Array.from({ length: 7 }, () => "event"),
      "identify",
    ])
    const sequences = own.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a))
    expect((await management.activityPage({})).items.length).toBeLessThanOrEqual(50)
  })

  it("the activity stream sends new entries and resumes after Last-Event-ID", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    const open = (lastEventId?: string) =>
      openStream(inlet.url, `/management/v1${management.pathOf("/activity/stream")}`, {
        authorization: `Bearer ${credentials.token}`,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      })
    const numberOf = Schema.Struct({ name: Schema.Literal(name), data: Schema.Struct({ n: Schema.Finite }) })
    const numbered = (data: string) => {
      const parsed: unknown = JSON.parse(data)
      return Schema.is(numberOf)(parsed) ? parsed.data.n : undefined
    }
    const live = await open()
    expect(live.contentType).toMatch(/^text\/event-stream/)
    await event(inlet, id, { name, data: { n: 0 } })
    const first = await live.next((message) => numbered(message.data) === 0)
    expect(first.id).not.toBe("")
    live.close()
    const items = [1, 2, 3].map((n) => ({
      type: "person",
      identifiers: { id },
      action: "event",
      name,
      attributes: { n },
    }))
    await batch(inlet, items)
    const resumed = await open(first.id)
    await event(inlet, id, { name, data: { n: 4 } })
    await resumed.next((message) => numbered(message.data) === 4)
    const seen = resumed.messages.map(({ data }) => numbered(data)).filter((n) => n !== undefined)
    expect(seen).toEqual([1, 2, 3, 4])
    resumed.close()
  })
})

describe("requests that the management API does not support", () => {
  it.each([
    ["GET", "/workspaces/%zz", 404],
    ["GET", "/workspaces/1/people/%ff", 404],
    ["POST", "/workspaces/1/keys/%", 404],
    ["TRACE", "/workspaces/%zz", 404],
    ["PROPFIND", "/nowhere", 404],
    ["TRACE", "/workspaces", 405],
    ["PROPFIND", "/workspaces?limit=1", 405],
  ])("the request %s %s gets a problem document with status %i", async (method, path, status) => {
    const answer = await send(inlet.url, { method, path: `/management/v1${path}` })
    expectProblem(answer, status)
    expect(answer.headers.allow).toBe(status === 405 ? "GET, POST" : undefined)
  })

  it("the management API answers 415 to a compressed body", async () => {
    for (const [path, type, text] of [
      ["/workspaces", "application/json", '{"name":"compressed"}'],
      ["/workspaces/1/imports/people", "text/csv", "id\nada\n"],
    ] as const) {
      const answer = await send(inlet.url, {
        method: "POST",
        path: `/management/v1${path}`,
        headers: {
          authorization: `Bearer ${credentials.token}`,
          "content-type": type,
          "content-encoding": "gzip",
        },
        body: gzipSync(text),
      })
      expectProblem(answer, 415)
      expect(answer.json).toMatchObject({
        detail: "the management API does not accept compressed bodies",
      })
    }
  })
})

describe("health and metrics", () => {
  it.each(["/health/live", "/health/ready"])("GET %s answers 200", async (path) => {
    expect((await send(inlet.url, { method: "GET", path })).status).toBe(200)
  })

  it("/metrics is valid Prometheus text", async () => {
    await identify(inlet, fresh("p"), {})
    const answer = await send(inlet.url, { method: "GET", path: "/metrics" })
    expect(answer.status).toBe(200)
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/)
    const value = String.raw`(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)`
    const labels = String.raw`(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})?`
    const sample = new RegExp(String.raw`^[a-zA-Z_:][\w:]*${labels} ${value}(?: -?\d+)?$`)
    const comment = /^# (?:HELP|TYPE) [a-zA-Z_:][\w:]* .*$/
    const lines = answer.text.split("\n").filter((line) => line !== "")
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !sample.test(line) && !comment.test(line))).toEqual([])
    const types = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2])
    expect(new Set(types).size).toBe(types.length)
  })
})
