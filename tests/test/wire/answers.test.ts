import { deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import {
  base64,
  batch,
  entity,
  event,
  identify,
  pipelines,
  strict,
  track,
  trackBasic,
} from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const person = () => ({ type: "person", identifiers: { id: fresh("p") } })
const eventName = () => ({ name: fresh("e") })

const trackCalls: ReadonlyArray<readonly [string, () => Promise<Answer>]> = [
  ["v1 identify", () => identify(inlet, fresh("p"), { plan: "pro" })],
  ["v1 identify with an empty object", () => identify(inlet, fresh("p"))],
  ["v1 delete", () => track(inlet, "DELETE", `/api/v1/customers/${fresh("p")}`)],
  ["v1 event, POST", () => event(inlet, fresh("p"), eventName())],
  ["v1 event, PUT", () => track(inlet, "PUT", `/api/v1/customers/${fresh("p")}/events`, eventName())],
  [
    "v1 anonymous event",
    () => track(inlet, "POST", "/api/v1/events", { ...eventName(), anonymous_id: fresh("v") }),
  ],
  ["/api/v2/entity", () => entity(inlet, { ...person(), action: "identify" })],
  ["/v2/entity", () => track(inlet, "POST", "/v2/entity", { ...person(), action: "identify" })],
  ["/api/v2/batch", () => batch(inlet, [{ ...person(), action: "event", ...eventName() }])],
  ["/v2/batch", () => track(inlet, "POST", "/v2/batch", { batch: [{ ...person(), action: "delete" }] })],
  ["an empty batch", () => batch(inlet, [])],
]

const expectSuccessHeaders = (answer: Answer): void => {
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8")
  expect(answer.headers["cache-control"]).toBe("no-cache, no-store, must-revalidate, max-age=0")
}

describe("a success", () => {
  it.each(trackCalls)(
    "contract §2 success: a successful call (%s) gets a 200 with an empty object",
    async (_name, call) => {
      const answer = await call()
      expectTrackSuccess(answer)
      expectSuccessHeaders(answer)
    },
  )

  it.each(
    ["identify", "track", "page", "screen", "i", "t", "p", "s"].flatMap((path) => [
      [path, {}] as const,
      [path, strict] as const,
    ]),
  )("/v1/%s answers 200 with success true for the headers %o", async (path, headers) => {
    const call = { userId: fresh("u"), event: fresh("e"), name: fresh("n") }
    const answer = await pipelines(inlet, `/v1/${path}`, call, headers)
    expectPipelinesSuccess(answer)
    expectSuccessHeaders(answer)
  })

  it.each(["batch", "b", "import", "import/"])("/v1/%s accepts a batch", async (path) => {
    const name = fresh("e")
    const call = { batch: [{ type: "track", userId: fresh("u"), event: name }] }
    for (const headers of [{}, strict])
      expectSuccessHeaders(await pipelines(inlet, `/v1/${path}`, call, headers))
    expect(await management.activity({ name })).toHaveLength(2)
  })

  it("/v1/m accepts the metrics that client libraries report about themselves", async () => {
    const series = [{ type: "Counter", metric: "analytics_js.invoke", value: 1, tags: {} }]
    expect((await pipelines(inlet, "/v1/m", { series })).status).toBe(200)
  })

  it("the region lookup returns the region, the workspace and the address", async () => {
    const answer = await track(inlet, "GET", "/api/v1/accounts/region")
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ region: "us", environment_id: 1, url: expect.any(String) })
    expect(answer.text).toContain(new URL(inlet.url).host)
    expectSuccessHeaders(answer)
  })

  it.each(["/auth", "/api/v1/auth"])(
    "contract §2 credential probe: the path %s answers 200 to valid credentials and 401 to wrong credentials",
    async (path) => {
      expect((await track(inlet, "GET", path)).status).toBe(200)
      const wrong = { authorization: `Basic ${base64(`${credentials.siteId}:wrong`)}` }
      expect((await track(inlet, "GET", path, undefined, wrong)).status).toBe(401)
      expect((await send(inlet.url, { method: "GET", path })).status).toBe(401)
    },
  )
})

describe("operation ids", () => {
  it("contract §4 Inlet-Operation-Id: each answer has an operation id that finds the log entry of the call", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    const first = await identify(inlet, id, { plan: "pro" })
    const second = await identify(inlet, id, { plan: "free" })
    expect(first.operationId).not.toBe(second.operationId)
    expect(await management.operation(first)).toMatchObject({
      operation_id: first.operationId,
      source: "track-v1",
      kind: "identify",
      outcome: "created",
      rule: expect.stringContaining("2.1"),
      subject: { id },
      data: { plan: "pro" },
    })
    const updated = await management.operation(second)
    expect(updated).toMatchObject({ outcome: "applied", rule: expect.stringContaining("2.1") })
    expect(updated.changes).toContainEqual(expect.objectContaining({ from: "pro", to: "free" }))
    const tracked = await entity(inlet, { type: "person", identifiers: { id }, action: "event", name })
    expect(await management.operation(tracked)).toMatchObject({ source: "track-v2", kind: "event", name })
    const piped = await pipelines(inlet, "/v1/page", { userId: id, name })
    expect(await management.operation(piped)).toMatchObject({ source: "pipelines", kind: "page", name })
  })

  it("the operation id of a batch, together with an item's index, finds the log entry of that item", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    const items = [
      { type: "person", identifiers: { id }, action: "identify" },
      { type: "person", identifiers: { id }, action: "event", name: " " },
      { type: "person", identifiers: { id }, action: "event", name },
    ]
    const answer = await batch(inlet, items)
    expect(answer.status).toBe(207)
    expect(await management.operation(answer, 0)).toMatchObject({ kind: "identify", outcome: "created" })
    expect(await management.operation(answer, 1)).toMatchObject({
      outcome: "rejected",
      reason: expect.any(String),
    })
    expect(await management.operation(answer, 2)).toMatchObject({ kind: "event", name, outcome: "applied" })
    expect((await management.operation(answer, 2)).operation_id).toBe(`${answer.operationId}-2`)
    const piped = await pipelines(inlet, "/v1/batch", { batch: [{ type: "track", userId: id, event: name }] })
    expect(await management.operation(piped, 0)).toMatchObject({ source: "pipelines", name })
  })

  it.each<readonly [string, number, () => Promise<Answer>]>([
    ["a v1 fault", 400, () => event(inlet, fresh("p"), { name: "" })],
    ["a v1 body that is not JSON", 400, () => identify(inlet, fresh("p"), Buffer.from("{"))],
    ["a v2 fault", 400, () => entity(inlet, { ...person(), action: "event" })],
    ["a v2 body that is not JSON", 400, () => entity(inlet, "{")],
    ["a strict fault", 400, () => pipelines(inlet, "/v1/track", { userId: "u" }, strict)],
    ["a strict body that is not JSON", 400, () => pipelines(inlet, "/v1/track", "{", strict)],
    ["a default-mode fault", 200, () => pipelines(inlet, "/v1/track", { userId: "u" })],
    ["a default-mode body that is not JSON", 200, () => pipelines(inlet, "/v1/track", "{")],
  ])("the operation id of %s finds a rejected entry", async (_name, status, call) => {
    const answer = await call()
    expect(answer.status).toBe(status)
    expect(await management.operation(answer)).toMatchObject({
      outcome: "rejected",
      reason: expect.any(String),
    })
  })

  it.each<readonly [string, () => Promise<Answer>]>([
    ["an oversize call", () => identify(inlet, fresh("p"), { plan: "x".repeat(40_000) })],
    [
      "an oversize batch",
      () => batch(inlet, [{ ...person(), action: "identify", attributes: "x".repeat(600_000) }]),
    ],
    ["an unknown encoding", () => entity(inlet, "{}", { "content-encoding": "zstd" })],
    [
      "a corrupt encoding",
      () => pipelines(inlet, "/v1/track", "{}", { "content-encoding": "gzip", ...strict }),
    ],
  ])("the answer to %s has an operation id", async (_name, call) => {
    expect((await call()).operationId).not.toBe("")
  })
})

const encodings: ReadonlyArray<readonly [string, Record<string, string>, (text: string) => Uint8Array]> = [
  ["gzip", { "content-encoding": "gzip" }, gzipSync],
  ["deflate in zlib format", { "content-encoding": "deflate" }, deflateSync],
  ["raw deflate", { "content-encoding": "deflate" }, deflateRawSync],
  ["no encoding", {}, Buffer.from],
]

const framings: ReadonlyArray<
  readonly [string, (bytes: Uint8Array) => Uint8Array | ReadonlyArray<Uint8Array>]
> = [
  ["with a length", (bytes) => bytes],
  ["chunked", (bytes) => [bytes.subarray(0, 7), bytes.subarray(7, 8), bytes.subarray(8)]],
]

const types: ReadonlyArray<Record<string, string>> = [
  { "content-type": "application/json" },
  { "content-type": "application/json; charset=utf-8" },
  { "content-type": "text/plain" },
  {},
]

type Call = (id: string, name: string) => readonly [string, string, object]

const protocols: ReadonlyArray<readonly [string, Call]> = [
  ["v1", (id, name) => ["POST", `/api/v1/customers/${id}/events`, { name, data: { é: "💥" } }]],
  [
    "v2",
    (id, name) => [
      "POST",
      "/v2/entity",
      { type: "person", identifiers: { id }, action: "event", name, attributes: { é: "💥" } },
    ],
  ],
  ["pipelines", (id, name) => ["POST", "/v1/track", { userId: id, event: name, properties: { é: "💥" } }]],
]

describe.each(protocols)("%s bodies", (protocol, call) => {
  const authorization = protocol === "pipelines" ? `Basic ${base64(`${credentials.writeKey}:`)}` : trackBasic
  it.each(encodings)(
    "contract §4 compression: accepts a body with %s, chunked or not, under any content type",
    async (_name, encoding, encode) => {
      for (const [, frame] of framings) {
        for (const type of types) {
          const name = fresh("e")
          const [method, path, payload] = call(fresh("p"), name)
          const body = frame(encode(JSON.stringify(payload)))
          const headers = { authorization, ...encoding, ...type }
          expect((await send(inlet.url, { method, path, headers, body })).status).toBe(200)
          expect((await management.event(name)).data).toEqual({ é: "💥" })
        }
      }
    },
  )
})

describe("calls without a body", () => {
  it("contract §4 bodyless calls: a delete may have neither a body nor a content type", async () => {
    const id = fresh("p")
    await identify(inlet, id)
    const headers = { authorization: trackBasic }
    const answer = await send(inlet.url, { method: "DELETE", path: `/api/v1/customers/${id}`, headers })
    expectTrackSuccess(answer)
    expect(await management.people({ id })).toEqual([])
  })
  it("a delete is accepted with an empty object, and with a content type but no body", async () => {
    const id = fresh("p")
    expectTrackSuccess(await track(inlet, "DELETE", `/api/v1/customers/${id}`, {}))
    const typed = { "content-type": "application/json" }
    expectTrackSuccess(await track(inlet, "DELETE", `/api/v1/customers/${id}`, undefined, typed))
  })
})

describe("credentials", () => {
  const key = `${credentials.siteId}:${credentials.apiKey}`
  const plain = base64(key)
  const urlSafe = Buffer.from(key).toString("base64url")

  it("contract §3 alphabets: the test credentials contain characters that differ between the two base64 alphabets", () => {
    expect(plain.replace(/=+$/, "")).not.toBe(urlSafe)
  })

  it.each([
    ["the usual alphabet", plain],
    ["the URL-safe alphabet", urlSafe],
    ["the usual alphabet without padding", plain.replace(/=+$/, "")],
    ["the URL-safe alphabet with padding", urlSafe.padEnd(plain.length, "=")],
  ])("accepts Track credentials in %s", async (_name, encoded) => {
    const authorization = `Basic ${encoded}`
    expect((await track(inlet, "GET", "/api/v1/accounts/region", undefined, { authorization })).status).toBe(
      200,
    )
    expectTrackSuccess(await entity(inlet, { ...person(), action: "identify" }, { authorization }))
  })

  it.each(
    [`${credentials.writeKey}:`, credentials.writeKey].flatMap((text) => [
      base64(text),
      base64(text).replace(/=+$/, ""),
      Buffer.from(text).toString("base64url"),
    ]),
  )("accepts the Pipelines credentials %s", async (encoded) => {
    const name = fresh("e")
    const headers = { authorization: `Basic ${encoded}`, ...strict }
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId: fresh("u"), event: name }, headers))
    expect((await management.event(name)).source).toBe("pipelines")
  })
})
