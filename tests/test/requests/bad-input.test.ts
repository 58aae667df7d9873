import { Schema } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectFaultList,
  expectSingleFault,
  expectStrictFault,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import {
  base64,
  entity,
  event,
  identify,
  pipelines,
  pipelinesBasic,
  strict,
  track,
  trackBasic,
} from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management, read } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const { siteId, apiKey, token, writeKey } = credentials

describe("a Track call with wrong credentials", () => {
  it.each<readonly [string, Record<string, string>]>([
    ["no header", {}],
    ["a wrong key", { authorization: `Basic ${base64(`${siteId}:wrong`)}` }],
    ["a wrong site", { authorization: `Basic ${base64(`wrong:${apiKey}`)}` }],
    ["a site without a key", { authorization: `Basic ${base64(siteId)}` }],
    ["an empty key", { authorization: `Basic ${base64(`${siteId}:`)}` }],
    ["a key without a site", { authorization: `Basic ${base64(`:${apiKey}`)}` }],
    ["a key with an extra character", { authorization: `Basic ${base64(`${siteId}:${apiKey}x`)}` }],
    ["a truncated key", { authorization: `Basic ${base64(`${siteId}:${apiKey.slice(0, -1)}`)}` }],
    ["site and key swapped", { authorization: `Basic ${base64(`${apiKey}:${siteId}`)}` }],
    ["text that is not base64", { authorization: "Basic ÿÿÿ" }],
    ["Basic without a value", { authorization: "Basic" }],
    ["an empty header", { authorization: "" }],
    ["a bearer token", { authorization: `Bearer ${token}` }],
    ["a write key", { authorization: pipelinesBasic }],
    ["16 KB of base64", { authorization: `Basic ${"QUFB".repeat(2000)}` }],
  ])(
    "contract §3 unauthorized: answers %s with 401 in the error format of each API version",
    async (_name, headers) => {
      const id = fresh("p")
      const body = JSON.stringify({ plan: "pro" })
      const v1 = await send(inlet.url, { method: "PUT", path: `/api/v1/customers/${id}`, headers, body })
      expect(v1.status).toBe(401)
      expectSingleFault(v1, "Unauthorized request")
      const item = { type: "person", identifiers: { id }, action: "identify" }
      for (const [path, payload] of [
        ["/api/v2/entity", item] as const,
        ["/v2/batch", { batch: [item] }] as const,
      ]) {
        const v2 = await send(inlet.url, { method: "POST", path, headers, body: JSON.stringify(payload) })
        expect(v2.status).toBe(401)
        expect(v2.json).toEqual({
          meta: { error: "Unauthorized request" },
          errors: [expect.objectContaining({ reason: "unauthorized" })],
        })
      }
      expect(await management.people({ id })).toEqual([])
    },
  )

  it("wrong Track credentials are answered with 401 even if the body is malformed or too large", async () => {
    const headers = { authorization: "Basic d3Jvbmc6d3Jvbmc=" }
    for (const body of ["{", "x".repeat(600_000)]) {
      expect((await entity(inlet, body, headers)).status).toBe(401)
    }
  })
})

describe("secrets", () => {
  it("contract §3 secrets: no answer contains an API key, a write key or a token", async () => {
    const answers = [
      await identify(inlet, fresh("p"), { plan: "x".repeat(1001) }),
      await track(inlet, "GET", "/api/v1/accounts/region"),
      await entity(inlet, "{"),
      await pipelines(inlet, "/v1/track", "{", strict),
      await send(inlet.url, { method: "GET", path: "/metrics" }),
      await management.call("GET", "/workspaces/1/keys"),
    ]
    for (const { text } of answers) {
      for (const secret of [apiKey, writeKey, token]) expect(text).not.toContain(secret)
    }
  })
})

describe("an unknown encoding", () => {
  it.each(["br", "zstd", "compress", "utf-8", "nonsense", "gzip, br"])(
    "contract §4 unknown encoding: answers 415 to Content-Encoding %s",
    async (encoding) => {
      const headers = { "content-encoding": encoding }
      const id = fresh("p")
      const v1 = await track(inlet, "PUT", `/api/v1/customers/${id}`, { plan: "pro" }, headers)
      expect(v1.status).toBe(415)
      expectFaultList(v1)
      const v2 = await entity(inlet, { type: "person", identifiers: { id }, action: "identify" }, headers)
      expect(v2.status).toBe(415)
      expectEntityFaults(v2, {})
      expect(await management.people({ id })).toEqual([])
      const refused = await pipelines(inlet, "/v1/identify", { userId: id }, { ...headers, ...strict })
      expect(refused.status).toBe(415)
      expectStrictFault(refused)
      expectPipelinesSuccess(await pipelines(inlet, "/v1/identify", { userId: id }, headers))
      expect(await management.people({ id })).toEqual([])
    },
  )
})

describe("a corrupt encoding", () => {
  it.each([
    ["gzip", Buffer.from("{}")],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0])],
    ["gzip", Buffer.alloc(0)],
    ["deflate", Buffer.from([0x78, 0x9c, 1, 2, 3])],
    ["deflate", Buffer.from("{}")],
  ])(
    "contract §4 corrupt encoding: answers 400 to a body that is marked %s but contains %o",
    async (encoding, body) => {
      const headers = { "content-encoding": encoding }
      const v1 = await track(inlet, "POST", `/api/v1/customers/${fresh("p")}/events`, body, headers)
      expect(v1.status).toBe(400)
      expectSingleFault(v1)
      const v2 = await entity(inlet, body, headers)
      expect(v2.status).toBe(400)
      expectEntityFaults(v2, {})
    },
  )
})

const v1Shape = (answer: Answer): void => expectSingleFault(answer)

const v2Shape = (answer: Answer) => expectEntityFaults(answer, {})

describe("unknown paths and methods", () => {
  const rows: ReadonlyArray<readonly [string, string, ReadonlyArray<number>, (answer: Answer) => void]> = [
    ["GET", "/api/v1/nothing", [404], v1Shape],
    ["POST", "/api/v1", [404], v1Shape],
    ["PUT", "/api/v1/customers", [404, 405], v1Shape],
    ["PUT", "/api/v1/customers/a/b/c/d", [404], v1Shape],
    ["GET", "/api/v1/customers/a", [405], v1Shape],
    ["PATCH", "/api/v1/customers/a", [405], v1Shape],
    ["DELETE", "/api/v1/customers/a/events", [405], v1Shape],
    ["POST", "/api/v1/accounts/region", [405], v1Shape],
    ["GET", "/api/v2/entity", [405], v2Shape],
    ["PUT", "/v2/batch", [405], v2Shape],
    ["POST", "/v2/nothing", [404], v2Shape],
    ["POST", "/api/v2", [404], v2Shape],
    ["POST", "/v1/nothing", [404], expectStrictFault],
    ["GET", "/v1/track", [405], expectStrictFault],
    ["DELETE", "/v1/batch", [405], expectStrictFault],
  ]
  it.each(rows)(
    "the request %s %s gets the status %j in the error format of its protocol",
    async (method, path, statuses, shape) => {
      const authorization = path.startsWith("/v1") ? pipelinesBasic : trackBasic
      const answer = await send(inlet.url, { method, path, headers: { authorization, ...strict } })
      expect(statuses).toContain(answer.status)
      shape(answer)
    },
  )

  it.each(["/", "/nothing", "/api", "/api/v3/entity", "/%2e%2e/etc/passwd", "//", "/*", "/api/v1%2Fevents"])(
    "the request POST %s gets a 404",
    async (path) => {
      expect((await track(inlet, "POST", path, {})).status).toBe(404)
    },
  )

  it.each(["TRACE", "PROPFIND", "LINK", "M-SEARCH", "QUERY"])(
    "a request with the method %s gets an error status",
    async (method) => {
      const answer = await send(inlet.url, {
        method,
        path: "/api/v1/customers/a",
        headers: { authorization: trackBasic },
      })
      expect([400, 404, 405, 501]).toContain(answer.status)
    },
  )
})

describe("a value of an unexpected type", () => {
  const values: ReadonlyArray<unknown> = [
    null,
    true,
    0,
    -1,
    1e308,
    "",
    " ",
    "\u0000",
    [],
    {},
    [[]],
    { a: { b: {} } },
    "x".repeat(500),
  ]
  const fields = [
    "id",
    "email",
    "anonymous_id",
    "created_at",
    "_timestamp",
    "_update",
    "unsubscribed",
    "svc_subscription_preferences",
    "svc_relationships",
    "cio_id",
  ]
  const eventFields = [
    "name",
    "id",
    "type",
    "timestamp",
    "data",
    "attributes",
    "identifiers",
    "anonymous_id",
    "action",
  ]
  const callFields = [
    "userId",
    "anonymousId",
    "event",
    "properties",
    "traits",
    "context",
    "integrations",
    "messageId",
    "timestamp",
    "sentAt",
    "originalTimestamp",
    "type",
    "writeKey",
    "_metadata",
  ]

  it.each(fields)(
    "an identify with a value of any JSON type in the field %s gets a 200 or a 400",
    async (field) => {
      for (const value of values) {
        const v1 = await identify(inlet, fresh("p"), { [field]: value, plan: "pro" })
        expect([200, 400]).toContain(v1.status)
        const item = {
          type: "person",
          identifiers: { id: fresh("p") },
          action: "identify",
          attributes: { [field]: value },
        }
        expect([200, 400]).toContain((await entity(inlet, item)).status)
      }
    },
  )

  it.each(eventFields)(
    "an event with a value of any JSON type in the field %s gets a 200 or a 400",
    async (field) => {
      for (const value of values) {
        const v1 = await event(inlet, fresh("p"), { name: "e", [field]: value })
        expect([200, 400]).toContain(v1.status)
        const item = {
          type: "person",
          identifiers: { id: fresh("p") },
          action: "event",
          name: "e",
          [field]: value,
        }
        expect([200, 400]).toContain((await entity(inlet, item)).status)
      }
    },
  )

  it.each(callFields)(
    "a Pipelines call with a value of any JSON type in the field %s gets a 200 or a 400",
    async (field) => {
      for (const path of ["identify", "track", "page"]) {
        for (const value of values) {
          const call = { userId: fresh("u"), event: "e", name: "n", [field]: value }
          const answer = await pipelines(inlet, `/v1/${path}`, call, strict)
          expect([200, 400]).toContain(answer.status)
          expectPipelinesSuccess(await pipelines(inlet, `/v1/${path}`, call))
        }
      }
    },
  )
})

describe("a name of a JavaScript object member", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]
  const AnyPerson = Schema.Struct({ items: Schema.Array(Schema.Struct({ attributes: Schema.Unknown })) })

  it.each(keys)("the attribute name %s is stored as an ordinary attribute", async (key) => {
    const id = fresh("p")
    const body = `{${JSON.stringify(key)}:{"polluted":"yes"},"plan":"pro"}`
    expectTrackSuccess(await track(inlet, "PUT", `/api/v1/customers/${id}`, body))
    const answer = await management.call("GET", management.pathOf("/people", { id }))
    expect(JSON.stringify(read(AnyPerson, answer.json).items[0]?.attributes)).toContain(
      `"${key}":{"polluted":"yes"}`,
    )
    const untouched = fresh("p")
    await identify(inlet, untouched, { plan: "pro" })
    expect((await management.person({ id: untouched })).attributes).toEqual({ plan: "pro" })
  })

  it.each(keys)(
    "the name %s works as a person id, an event name, an event id and a key of event data",
    async (key) => {
      expectTrackSuccess(await identify(inlet, key, { plan: key }))
      expect((await management.person({ id: key })).attributes).toEqual({ plan: key })
      const name = fresh("e")
      const text = `{"name":"${name}","id":"${key}","data":{"${key}":{"a":1}}}`
      expectTrackSuccess(await event(inlet, key, text))
      const shown = await management.call("GET", management.pathOf("/activity", { name }))
      expect(shown.text.replaceAll(/\s/g, "")).toContain(`"${key}":{"a":1}`)
      expectTrackSuccess(await event(inlet, fresh("p"), { name: key }))
    },
  )
})

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

describe("deep nesting", () => {
  const calls: ReadonlyArray<readonly [string, () => Promise<Answer>]> = [
    [
      "v1 attributes nested 490 levels deep",
      () => track(inlet, "PUT", `/api/v1/customers/${fresh("p")}`, `{"a":${nested(490)}}`),
    ],
    [
      "v1 event data nested as deep as its size limit allows",
      () => event(inlet, fresh("p"), `{"name":"deep","data":{"a":${nested(16_000)}}}`),
    ],
    ["a v1 event of 100000 nested arrays", () => event(inlet, fresh("p"), nested(100_000))],
    ["a v2 entity of 32000 open brackets", () => entity(inlet, "[".repeat(32_000))],
    ["a v2 entity of 6000 open braces", () => entity(inlet, '{"a":'.repeat(6000))],
    [
      "a v2 batch of 100000 nested arrays",
      () => track(inlet, "POST", "/v2/batch", `{"batch":${nested(100_000)}}`),
    ],
    [
      "a v2 batch item of 16000 nested arrays",
      () => track(inlet, "POST", "/v2/batch", `{"batch":[${nested(16_000)}]}`),
    ],
    [
      "a Pipelines batch with properties nested 100000 levels deep",
      () =>
        pipelines(
          inlet,
          "/v1/batch",
          `{"batch":[{"type":"track","userId":"u","event":"e","properties":{"a":${nested(100_000)}}}]}`,
        ),
    ],
    [
      "a Pipelines batch with properties nested 30000 levels deep",
      () =>
        pipelines(
          inlet,
          "/v1/batch",
          `{"batch":[{"type":"track","userId":"u","event":"e","properties":{"a":${nested(30_000)}}}]}`,
        ),
    ],
    ["a Pipelines batch of 100000 open brackets", () => pipelines(inlet, "/v1/batch", "[".repeat(100_000))],
  ]
  it.each(calls)(
    "a deeply nested request (%s) causes no server error, and activity and people can still be read",
    async (_name, call) => {
      const answer = await call()
      expect(answer.status).toBeGreaterThanOrEqual(200)
      expect(answer.status).toBeLessThan(500)
      expect((await management.call("GET", management.pathOf("/activity", { limit: "1000" }))).status).toBe(
        200,
      )
      expect((await management.call("GET", management.pathOf("/people", { limit: "1000" }))).status).toBe(200)
    },
  )
})

describe("the server after all malformed requests", () => {
  it("after all malformed requests, the server is ready, accepts new requests and uses less than 512 MiB of memory", async () => {
    expect(await inlet.readiness()).toBe(200)
    expect((await management.activity({})).length).toBeGreaterThan(0)
    expect((await management.people({ limit: "1000" })).length).toBeGreaterThan(0)
    expect(inlet.process.exited).toBeUndefined()
    expect(inlet.process.memory().now).toBeLessThan(512 * 1024 * 1024)
    const id = fresh("p")
    expectTrackSuccess(await identify(inlet, id, { plan: "pro" }))
    expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
  })
})
