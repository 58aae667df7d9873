import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { base64, pipelines, pipelinesWithoutAuth, strict, type Payload } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)
const { writeKey } = credentials

const activityCount = async () =>
  (await management.activity({})).filter(({ outcome }) => outcome !== "rejected").length

describe("an invalid call gets a 400 in strict mode and is acknowledged in default mode", () => {
  it.each<readonly [string, string, Payload]>([
    ["rejects identify without a person", "identify", { traits: { plan: "pro" } }],
    ["rejects track without a person", "track", { event: "e" }],
    ["rejects page without a person", "page", { name: "n" }],
    ["rejects screen without a person", "screen", { name: "n" }],
    ["rejects track with empty ids", "track", { userId: "", anonymousId: "", event: "e" }],
    ["rejects track without an event", "track", { userId: "u" }],
    ["rejects track with an empty event", "track", { userId: "u", event: "" }],
    ["rejects malformed JSON", "track", "{"],
    ["rejects an empty body", "track", ""],
    ["rejects a JSON list", "track", "[]"],
    ["rejects a JSON number", "identify", "5"],
    ["rejects a batch that is not a list", "batch", { batch: {} }],
    ["rejects a batch request without a batch", "batch", {}],
  ])("%s", async (_name, path, payload) => {
    const before = await activityCount()
    const refused = await pipelines(inlet, `/v1/${path}`, payload, strict)
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
    expectPipelinesSuccess(await pipelines(inlet, `/v1/${path}`, payload))
    expect(await activityCount()).toBe(before)
  })

  it.each([
    [
      "rejects a body marked gzip that is not compressed",
      { "content-encoding": "gzip" },
      Buffer.from("not gzip"),
    ],
    [
      "rejects a truncated gzip body",
      { "content-encoding": "gzip" },
      gzipSync('{"userId":"u","event":"e"}').subarray(0, 20),
    ],
    ["rejects a corrupt deflate body", { "content-encoding": "deflate" }, Buffer.from([1, 2, 3, 4, 5, 6, 7])],
  ])("%s", async (_name, encoding, body) => {
    const refused = await pipelines(inlet, "/v1/track", body, { ...encoding, ...strict })
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
    const recorded = await pipelines(inlet, "/v1/track", body, encoding)
    expectPipelinesSuccess(recorded)
    expect(await management.operation(recorded)).toMatchObject({ outcome: "rejected" })
  })

  it.each<readonly [string, string, object]>([
    ["traits that are not an object", "identify", { traits: "pro" }],
    ["properties that are not an object", "track", { event: "e", properties: [1] }],
    ["a timestamp that is not a time", "track", { event: "e", timestamp: "soon" }],
    ["an event that is not a string", "track", { event: { a: 1 } }],
    ["a context that is not an object", "track", { event: "e", context: "c" }],
    ["a messageId that is not a string", "track", { event: "e", messageId: { a: 1 } }],
  ])("only strict mode answers 400 to %s", async (_name, path, payload) => {
    const userId = fresh("u")
    const refused = await pipelines(inlet, `/v1/${path}`, { userId, ...payload }, strict)
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
    expectPipelinesSuccess(await pipelines(inlet, `/v1/${path}`, { userId, ...payload }))
  })
})

const mixed = (name: string) =>
  [0, 1, 2, 3, 4].map((n) => ({
    type: "track",
    userId: "u",
    event: n === 3 ? "" : name,
    properties: { n },
  }))

describe("a batch with an invalid call", () => {
  it("strict mode rejects the whole batch and names the invalid call", async () => {
    const name = fresh("e")
    const answer = await pipelines(inlet, "/v1/batch", { batch: mixed(name) }, strict)
    expect(answer.status).toBe(400)
    expectStrictFault(answer)
    expect(answer.text).toMatch(/\b3\b/)
    expect((await management.activity({ name })).filter(({ outcome }) => outcome !== "rejected")).toEqual([])
  })

  it("default mode applies the valid calls of a batch with an invalid call", async () => {
    const name = fresh("e")
    const answer = await pipelines(inlet, "/v1/batch", { batch: [...mixed(name), null, 5, { type: "sing" }] })
    expectPipelinesSuccess(answer)
    expect(await management.activity({ name })).toHaveLength(4)
    expect(await management.operation(answer, 3)).toMatchObject({ outcome: "rejected" })
  })
})

const delay = async (name: string) => {
  const entry = await management.event(name)
  return Date.parse(entry.received_at) - Date.parse(entry.at)
}

describe("defaults of a batch", () => {
  it("each top-level key of a batch's context applies to the calls that lack this key in their context", async () => {
    const [first, second, third] = [fresh("p"), fresh("p"), fresh("p")]
    const item = { type: "identify" }
    const answer = await pipelines(inlet, "/v1/batch", {
      context: { traits: { plan: "batch", city: "Bonn" }, locale: "de" },
      batch: [
        { ...item, userId: first },
        { ...item, userId: second, context: { locale: "en" } },
        { ...item, userId: third, context: { traits: { plan: "item" } } },
      ],
    })
    expectPipelinesSuccess(answer)
    expect((await management.person({ id: first })).attributes).toEqual({ plan: "batch", city: "Bonn" })
    expect((await management.person({ id: second })).attributes).toEqual({ plan: "batch", city: "Bonn" })
    expect((await management.person({ id: third })).attributes).toEqual({ plan: "item" })
  })

  it("the sentAt of a batch applies to calls without their own sentAt", async () => {
    const [first, second] = [fresh("e"), fresh("e")]
    const ahead = Date.now() + 3_600_000
    const sentAt = new Date(ahead).toISOString()
    const timestamp = new Date(ahead - 10_000).toISOString()
    const item = { type: "track", userId: "u", timestamp }
    await pipelines(inlet, "/v1/batch", {
      sentAt,
      batch: [
        { ...item, event: first },
        { ...item, event: second, sentAt: new Date(ahead + 5000).toISOString() },
      ],
    })
    expect(await delay(first)).toBe(10_000)
    expect(await delay(second)).toBe(15_000)
  })
})

describe("write keys", () => {
  it("a write key in the body, as browsers send it, is accepted", async () => {
    const [single, whole, each] = [fresh("e"), fresh("e"), fresh("e")]
    const plain = { "content-type": "text/plain" }
    const call = { type: "track", userId: "u" }
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(inlet, "/v1/t", { ...call, event: single, writeKey }, plain),
    )
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(inlet, "/v1/b", { batch: [{ ...call, event: whole }], writeKey }, plain),
    )
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(inlet, "/v1/b", { batch: [{ ...call, event: each, writeKey }] }, plain),
    )
    for (const name of [single, whole, each]) expect((await management.event(name)).source).toBe("pipelines")
  })

  it("a write key in the body is used if the Authorization header has an unknown bearer token", async () => {
    const event = fresh("e")
    const bearer = { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." }
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(
        inlet,
        "/v1/batch",
        { batch: [{ type: "track", userId: "u", event }], writeKey },
        bearer,
      ),
    )
    expect((await management.event(event)).source).toBe("pipelines")
  })

  it("contract §3 Bearer write keys: a write key is accepted as a Bearer token, and overrides a key in the body", async () => {
    const bearer = { authorization: `Bearer ${writeKey}` }
    const [batched, single, beside] = [fresh("e"), fresh("e"), fresh("e")]
    const call = { type: "track", userId: "u" }
    const batch = { batch: [{ ...call, event: batched }] }
    expectPipelinesSuccess(await pipelinesWithoutAuth(inlet, "/v1/batch", batch, { ...bearer, ...strict }))
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(
        inlet,
        "/v1/track",
        { ...call, event: single },
        { authorization: `bearer  ${writeKey} ` },
      ),
    )
    const wrongKey = { ...call, event: beside, writeKey: "unknown" }
    expectPipelinesSuccess(await pipelinesWithoutAuth(inlet, "/v1/track", wrongKey, bearer))
    for (const name of [batched, single, beside]) {
      expect((await management.event(name)).source).toBe("pipelines")
    }
  })

  it.each(["Bearer", "Bearer unknown", "Bearer eyJhbGciOiJub25lIn0.e30."])(
    "contract §3 other Bearer values: ignores the Authorization header %s",
    async (authorization) => {
      const [keyed, unkeyed] = [fresh("e"), fresh("e")]
      const call = { userId: "u", event: keyed, writeKey }
      expectPipelinesSuccess(
        await pipelinesWithoutAuth(inlet, "/v1/track", call, { authorization, ...strict }),
      )
      expect((await management.event(keyed)).source).toBe("pipelines")
      const without = await pipelinesWithoutAuth(
        inlet,
        "/v1/track",
        { userId: "u", event: unkeyed },
        { authorization },
      )
      expectPipelinesSuccess(without)
      expect(await management.activity({ name: unkeyed })).toEqual([])
    },
  )

  it("the write key of each call in a batch selects the call's workspace, unless the Authorization header has a write key", async () => {
    const other = await PipelinesSource.create({}, inlet)
    const [mine, theirs, default_, header] = [fresh("e"), fresh("e"), fresh("e"), fresh("e")]
    const call = { type: "track", userId: "u" }
    const batch = [
      { ...call, event: mine, writeKey },
      { ...call, event: theirs, writeKey: other.writeKey },
      { ...call, event: default_ },
    ]
    expectPipelinesSuccess(
      await pipelinesWithoutAuth(inlet, "/v1/batch", { batch, writeKey: other.writeKey }),
    )
    expect(await management.activity({ name: mine })).toHaveLength(1)
    expect(await other.activity({ name: mine })).toEqual([])
    for (const name of [theirs, default_]) {
      expect(await other.activity({ name })).toHaveLength(1)
      expect(await management.activity({ name })).toEqual([])
    }
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/track", { ...call, event: header, writeKey: other.writeKey }),
    )
    expect(await management.activity({ name: header })).toHaveLength(1)
    expect(await other.activity({ name: header })).toEqual([])
  })

  it.each<readonly [string, Record<string, string>, object]>([
    ["no key", {}, {}],
    ["a wrong key in the body", {}, { writeKey: "wrong" }],
    ["a wrong key in the header", { authorization: `Basic ${base64("wrong:")}` }, {}],
    [
      "a wrong key in the header and a valid one in the body",
      { authorization: `Basic ${base64("wrong:")}` },
      { writeKey },
    ],
    ["a header that is not base64", { authorization: "Basic %%%" }, {}],
    [
      "Track credentials",
      { authorization: `Basic ${base64(`${credentials.siteId}:${credentials.apiKey}`)}` },
      {},
    ],
  ])(
    "a call with %s gets a 401 in strict mode, is acknowledged in default mode and never stored",
    async (_name, headers, more) => {
      const event = fresh("e")
      expectPipelinesSuccess(
        await pipelinesWithoutAuth(inlet, "/v1/track", { userId: "u", event, ...more }, headers),
      )
      const refused = await pipelinesWithoutAuth(
        inlet,
        "/v1/track",
        { userId: "u", event, ...more },
        { ...headers, ...strict },
      )
      expect(refused.status).toBe(401)
      expectStrictFault(refused)
      expect(await management.activity({ name: event })).toEqual([])
    },
  )
})

describe("browsers", () => {
  it.each(["/v1/track", "/v1/t", "/v1/b", "/v1/batch", "/v1/import", "/v1/identify", "/v1/m"])(
    "answers a browser's preflight request for %s",
    async (path) => {
      const asked = ["authorization", "content-encoding", "content-type", "x-retry-count", "x-strict-mode"]
      const headers = {
        origin: "https://shop.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": asked.join(","),
      }
      const answer = await send(inlet.url, { method: "OPTIONS", path, headers })
      expect([200, 204]).toContain(answer.status)
      expect(answer.headers["access-control-allow-origin"]).toBe("*")
      expect(answer.headers["access-control-allow-methods"]).toContain("POST")
      const allowed = (answer.headers["access-control-allow-headers"] ?? "").toLowerCase().split(/\s*,\s*/)
      expect(allowed).toEqual(expect.arrayContaining(asked))
    },
  )

  it("a page of another origin can read the Retry-After header of Pipelines", async () => {
    const answer = await pipelines(
      inlet,
      "/v1/track",
      { userId: "u", event: fresh("e") },
      { origin: "https://x.example" },
    )
    expect(answer.headers["access-control-allow-origin"]).toBe("*")
    expect((answer.headers["access-control-expose-headers"] ?? "").toLowerCase()).toContain("retry-after")
  })
})
