import { deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { textOfBytes } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import { base64, strict, type Headers, type Payload } from "../../src/ingestion.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

/**
 * Sends a call in both modes. Strict mode must answer 400 and default mode 200. Both modes must record the call as
 * rejected and must not apply it.
 */
const expectRefused = async (path: string, payload: Payload, reason: RegExp, headers: Headers = {}) => {
  const source = await PipelinesSource.create()
  const refused = await source.post(path, payload, { ...headers, ...strict })
  expect(refused.status).toBe(400)
  expectStrictFault(refused)
  expect(refused.text).toMatch(reason)
  const recorded = await source.post(path, payload, headers)
  expectPipelinesSuccess(recorded)
  const log = await source.log()
  expect(log.map(({ outcome }) => outcome)).toEqual(["rejected", "rejected"])
  for (const entry of log) expect(entry.reason).toMatch(reason)
  expect(await source.operation(recorded)).toEqual(log[1])
  expect(await source.people({})).toEqual([])
  expect(await source.objects()).toEqual([])
}

describe("pipelines-api §7 missing required fields: a call that lacks a required field gets a 400 in strict mode, and a 200 with a rejected entry in default mode", () => {
  it.concurrent.each<readonly [string, string, object]>([
    [
      "pipelines-api §7 rule 1: rejects an identify call without userId and anonymousId",
      "identify",
      { traits: { plan: "pro" } },
    ],
    ["rejects a track call without userId and anonymousId", "track", { event: "e" }],
    ["rejects a page call without userId and anonymousId", "page", { name: "n" }],
    ["rejects a screen call without userId and anonymousId", "screen", { name: "n" }],
    ["rejects an alias call without userId and anonymousId", "alias", { previousId: "p" }],
    [
      "rejects a track call with an empty userId and anonymousId",
      "track",
      { userId: "", anonymousId: "", event: "e" },
    ],
  ])("%s", (_name, path, payload) => expectRefused(path, payload, /userId or anonymousId is required/))

  it.concurrent.each<readonly [string, string, object, RegExp]>([
    ["pipelines-api §7 rule 2: rejects a track call without event", "track", { userId: "u" }, /event/],
    ["rejects a track call with an empty event", "track", { userId: "u", event: "" }, /event/],
    [
      "pipelines-api §7 rule 3: rejects a group call without groupId",
      "group",
      { userId: "u", traits: { a: 1 } },
      /groupId/,
    ],
    ["rejects a group call with an empty groupId", "group", { userId: "u", groupId: "" }, /groupId/],
    [
      "pipelines-api §7 rule 4: rejects an alias call without previousId",
      "alias",
      { userId: "u" },
      /previousId/,
    ],
    [
      "rejects an alias call with an empty previousId",
      "alias",
      { userId: "u", previousId: "" },
      /previousId/,
    ],
  ])("%s", (_name, path, payload, reason) => expectRefused(path, payload, reason))
})

describe("pipelines-api §7 JSON validation failures: a body that is not a JSON object gets a 400 in strict mode, and a 200 with a rejected entry in default mode", () => {
  it.concurrent.each<readonly [string, Payload, RegExp]>([
    ["rejects a body that is not JSON", "{", /not valid JSON/],
    ["rejects an empty body", "", /not valid JSON/],
    ["rejects a JSON body that is not an object", "[]", /must be a JSON object/],
    ["rejects a body that is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), /not valid JSON/],
  ])("%s", (_name, payload, reason) => expectRefused("track", payload, reason))
})

describe("pipelines-api §7 content encoding errors: a body that cannot be inflated gets a 400 in strict mode, and a 200 with a rejected entry in default mode", () => {
  const call = JSON.stringify({ userId: "u", event: "e" })
  it.concurrent.each<readonly [string, string, Uint8Array]>([
    ["rejects a body marked gzip that is not compressed", "gzip", Buffer.from(call)],
    ["rejects a truncated gzip body", "gzip", gzipSync(call).subarray(0, 20)],
    [
      "rejects a gzip body with a wrong checksum",
      "gzip",
      gzipSync(call).map((byte, n, all) => (n === all.length - 6 ? byte ^ 1 : byte)),
    ],
    ["rejects a body marked deflate that is not compressed", "deflate", Buffer.from([1, 2, 3, 4, 5, 6, 7])],
    ["rejects a truncated deflate body", "deflate", deflateSync(call).subarray(0, 10)],
  ])("%s", (_name, encoding, body) =>
    expectRefused("track", body, /compressed|Content-Encoding/i, { "content-encoding": encoding }),
  )
})

/** Returns a track call as JSON of this many bytes. */
const padded = (bytes: number) => {
  const call = { userId: "u", event: "e", properties: { text: "" } }
  call.properties.text = textOfBytes(bytes - JSON.stringify(call).length)
  return JSON.stringify(call)
}

/** Returns a padded track call with a `type`, which every item of a batch needs. */
const itemOf = (bytes: number): string => padded(bytes).replace("{", `{"type":"track",`)

const parsed = (bytes: number): unknown => JSON.parse(itemOf(bytes))

const batchOf = (bytes: number, itemBytes: number) => {
  const item = itemOf(itemBytes)
  const count = Math.floor((bytes - 20) / (item.length + 1))
  const body = `{"batch":[${Array.from({ length: count }, () => item).join(",")}]`
  return `${body}${" ".repeat(bytes - body.length - 1)}}`
}

describe("pipelines-api §7 request size violations: a request that is too large gets a 400 in strict mode, and in default mode a 200 without being applied", () => {
  const KB = 1024
  it.concurrent.each<readonly [string, string, (bytes: number) => string, number, number]>([
    [
      "pipelines-api §8 single request: accepts a call of up to 32 KB in strict mode and 64 KB in default mode",
      "track",
      padded,
      32 * KB,
      64 * KB,
    ],
    [
      "pipelines-api §8 batch request: accepts a batch of up to 500 KB in strict mode and 1 MB in default mode",
      "batch",
      (bytes) => batchOf(bytes, 20_000),
      500 * KB,
      1024 * KB,
    ],
  ])("%s", async (_name, path, make, strictMax, defaultMax) => {
    const source = await PipelinesSource.create()
    expectPipelinesSuccess(await source.post(path, make(strictMax), strict))
    for (const bytes of [strictMax + 1, defaultMax + 1]) {
      const refused = await source.post(path, make(bytes), strict)
      expect(refused.status).toBe(400)
      expectStrictFault(refused)
      expect(refused.text).toContain(`larger than ${strictMax} bytes`)
    }
    const before = (await source.activity({ kind: "event", outcome: "pending" })).length
    expectPipelinesSuccess(await source.post(path, make(defaultMax)))
    const after = (await source.activity({ kind: "event", outcome: "pending" })).length
    expect(after).toBeGreaterThan(before)
    const dropped = await source.post(path, make(defaultMax + 1))
    expectPipelinesSuccess(dropped)
    const { outcome, reason } = await source.operation(dropped)
    expect([outcome, reason]).toEqual(["rejected", `the request cannot be larger than ${defaultMax} bytes`])
    expect(await source.activity({ kind: "event", outcome: "pending" })).toHaveLength(after)
  })

  it("pipelines-api §8 call in a batch: each call of a batch can have up to 32 KB in strict mode and up to 64 KB in default mode", async () => {
    const source = await PipelinesSource.create()
    const refused = await source.post("batch", { batch: [100, 33 * KB].map(parsed) }, strict)
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
    expect(refused.text).toContain("batch[1]")
    const taken = await source.post("batch", { batch: [100, 33 * KB, 65 * KB, 100].map(parsed) })
    expectPipelinesSuccess(taken)
    const log = (await source.log()).slice(2)
    expect(log.map(({ outcome }) => outcome)).toEqual(["pending", "pending", "rejected", "pending"])
    expect((await source.operation(taken, 2)).reason).toContain(String(64 * KB))
  })
})

const expectUnauthorized = (answer: Answer): void => {
  expect(answer.status).toBe(401)
  expectStrictFault(answer)
}

describe("pipelines-api §7 authentication errors: a call without a known key gets a 401 in strict mode, and a 200 without being stored in default mode", () => {
  it.concurrent.each<readonly [string, Headers, object]>([
    ["refuses a call without a key", {}, {}],
    ["refuses a wrong key in the header", { authorization: `Basic ${base64("wrong:")}` }, {}],
    ["refuses an unknown authorization scheme", { authorization: "Digest abc" }, {}],
    ["refuses an authorization header of only Basic", { authorization: "Basic" }, {}],
    ["refuses a wrong key in the body", {}, { writeKey: "wrong" }],
  ])("%s", async (_name, headers, more) => {
    const source = await PipelinesSource.create()
    const { inlet, writeKey } = source
    const bodies = [more, ...("authorization" in headers ? [{ writeKey }] : [])]
    for (const path of ["/v1/identify", "/v1/group", "/v1/alias", "/v1/batch"]) {
      for (const extra of bodies) {
        const call = { userId: "u", groupId: "g", previousId: "p", ...extra }
        const body = JSON.stringify(
          path.endsWith("batch") ? { batch: [{ ...call, type: "identify" }], ...extra } : call,
        )
        expectUnauthorized(
          await send(inlet.url, { method: "POST", path, headers: { ...headers, ...strict }, body }),
        )
        expectPipelinesSuccess(await send(inlet.url, { method: "POST", path, headers, body }))
      }
    }
    expect(await source.log()).toEqual([])
  })

  it("contract §3 unauthorized calls: in a batch, a call with an unknown key is recorded as rejected under its index", async () => {
    const source = await PipelinesSource.create()
    const call = { type: "track", userId: "u", event: "e" }
    const answer = await source.postAsBrowser("b", {
      batch: [call, { ...call, writeKey: "wrong" }, { ...call, event: "last" }],
    })
    expectPipelinesSuccess(answer)
    expect(await source.operation(answer, 0)).toMatchObject({ name: "e", outcome: "pending" })
    expect(await source.operation(answer, 1)).toMatchObject({ outcome: "rejected", name: null, data: null })
    expect(await source.operation(answer, 2)).toMatchObject({ name: "last", outcome: "pending" })
    expect((await source.log()).map(({ operation_id }) => operation_id)).toEqual(
      [0, 1, 2].map((index) => `${answer.operationId}-${index}`),
    )
  })
})

describe("a batch with one bad call", () => {
  const batch = [
    { type: "identify", userId: "ada", messageId: "m0", traits: { plan: "pro" } },
    { type: "group", userId: "ada", messageId: "m1", traits: { name: "no groupId" } },
    { type: "group", userId: "ada", groupId: "acme", messageId: "m2" },
  ]

  it("contract §13 strict batch: strict mode rejects the whole batch if one call is invalid, and records each call as rejected", async () => {
    const source = await PipelinesSource.create()
    const refused = await source.post("batch", { batch }, strict)
    expect(refused.status).toBe(400)
    expectStrictFault(refused)
    expect(refused.text).toContain("batch[1]")
    expect((await source.log()).map(({ id, kind, outcome }) => [id, kind, outcome])).toEqual([
      ["m0", "identify", "rejected"],
      ["m1", "object_identify", "rejected"],
      ["m2", "object_identify", "rejected"],
    ])
    expect(await source.people({})).toEqual([])
    // A rejected call does not use up its messageId, so the corrected batch can use the same ids.
    expectPipelinesSuccess(await source.post("batch", { batch: [batch[0], batch[2]] }, strict))
    expect(await source.person({ id: "ada" })).toMatchObject({ relationships: [{ object_id: "acme" }] })
  })

  it("contract §13 default batch: default mode applies the valid calls of a batch and rejects only the invalid calls", async () => {
    const source = await PipelinesSource.create()
    const answer = await source.post("batch", { batch: [...batch, 5, { type: "sing" }] })
    expectPipelinesSuccess(answer)
    expect((await source.log()).map(({ outcome }) => outcome)).toEqual([
      "created",
      "rejected",
      "created",
      "rejected",
      "rejected",
    ])
    expect((await source.operation(answer, 1)).reason).toContain("groupId")
    expect(await source.person({ id: "ada" })).toMatchObject({ relationships: [{ object_id: "acme" }] })
  })
})

const tooLong = textOfBytes(1001, "", "é")

describe("contract §5 over a limit in Pipelines: an attribute that is too long is left out and named in the activity entry, and a call with an id that is too long is rejected", () => {
  it.concurrent.each<readonly [string, Headers]>([
    ["default", {}],
    ["strict", strict],
  ])("leaves out attributes and rejects ids that are too long in %s mode", async (_mode, headers) => {
    const source = await PipelinesSource.create()
    const identified = await source.post(
      "identify",
      { userId: "ada", traits: { long: tooLong, fits: 1 } },
      headers,
    )
    expectPipelinesSuccess(identified)
    expect(await source.operation(identified)).toMatchObject({
      outcome: "partial",
      reason: expect.stringContaining("traits.long"),
    })
    expect((await source.person({ id: "ada" })).attributes).toEqual({ fits: 1 })
    const grouped = await source.post(
      "group",
      {
        userId: "ada",
        groupId: "acme",
        traits: { long: tooLong, fits: 1, relationship_traits: { long: tooLong, role: "ceo" } },
      },
      headers,
    )
    expectPipelinesSuccess(grouped)
    expect(await source.operation(grouped)).toMatchObject({ outcome: "partial" })
    expect((await source.object("1", "acme"))?.attributes).toEqual({ fits: 1 })
    expect((await source.person({ id: "ada" })).relationships[0]?.attributes).toEqual({ role: "ceo" })
    const rejected: ReadonlyArray<readonly [string, object]> = [
      ["identify", { userId: textOfBytes(151) }],
      ["track", { userId: "ada", event: textOfBytes(101) }],
      ["group", { userId: "ada", groupId: textOfBytes(151) }],
      ["group", { userId: "ada", groupId: "g", traits: { object_type_id: textOfBytes(151) } }],
      ["alias", { userId: "ada", previousId: textOfBytes(151) }],
    ]
    for (const [path, payload] of rejected) {
      const answer = await source.post(path, payload, headers)
      expectPipelinesSuccess(answer)
      expect(await source.operation(answer)).toMatchObject({
        outcome: "rejected",
        reason: expect.stringMatching(/cannot be longer than 1[05]0 bytes/),
      })
    }
    expect(await source.people({})).toHaveLength(1)
    expect(await source.objects()).toHaveLength(1)
  })
})
