import { cpSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually, within } from "../../src/eventually.ts"
import {
  expectTrackSuccess,
  expectSingleFault,
  expectStrictFault,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send, type Answer } from "../../src/http.ts"
import {
  base64,
  customerPath,
  pipelinesBasic,
  strict,
  track,
  trackBasic,
  type Headers,
} from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { Management, PipelinesKey, read } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

/** One node in each region. Both nodes have the same workspaces and keys. The US node forwards to the EU node. */
let us: Inlet
let eu: Inlet
/** A client of the EU node for the EU workspace. */
let atEu: Management
/** Credentials of the EU workspace. */
let euAuthorization: Headers
let writeKey = ""

beforeAll(async () => {
  const dataDir = join(freshDirectory(), "us")
  const before = await Inlet.start({ dataDir })
  const tenant = await Tenant.create({ region: "eu" }, before)
  const key = await tenant.call("POST", tenant.pathOf("/keys"), { kind: "pipelines", name: "web" })
  writeKey = read(PipelinesKey, key.json).write_key
  euAuthorization = tenant.authorization
  await before.stop()
  const copy = join(freshDirectory(), "eu")
  cpSync(dataDir, copy, { recursive: true })
  const proxies = { INLET_TRUSTED_PROXIES: "127.0.0.1" }
  eu = await Inlet.start({ dataDir: copy, env: { ...proxies, INLET_REGION: "eu" } })
  us = await Inlet.start({ dataDir, env: { ...proxies, INLET_PEER_URL: eu.url } })
  atEu = new Management(eu, tenant.workspace)
})

afterAll(() => Promise.all([us.stop(), eu.stop()]))

/** Returns a client of the US node for the EU workspace, which must stay empty on the US node. */
const atUs = () => new Management(us, atEu.workspace)
const lookup = (inlet: Inlet, headers: Headers) =>
  track(inlet, "GET", "/api/v1/accounts/region", undefined, headers)
const piped = (inlet: Inlet, body: object, headers: Headers = {}) =>
  send(inlet.url, { method: "POST", path: "/v1/track", headers, body: JSON.stringify(body) })

/** A call as the forward of another workspace sends it. */
const forwardedBatch = (inlet: Inlet, id: string, attributes: object) =>
  track(
    inlet,
    "POST",
    "/api/v2/batch",
    {
      batch: [{ type: "person", action: "identify", identifiers: { id }, attributes, id: `0011:${id}` }],
    },
    { ...euAuthorization, "inlet-forwarded": "0011/7" },
  )

describe("the region lookup", () => {
  it("track-api §1 rule 4: both nodes answer the region lookup for keys of both regions", async () => {
    for (const inlet of [us, eu]) {
      const home = (await lookup(inlet, { authorization: trackBasic })).json
      expect(home).toMatchObject({ region: "us", environment_id: 1 })
      const away = (await lookup(inlet, euAuthorization)).json
      expect(away).toMatchObject({ region: "eu", environment_id: atEu.workspace })
    }
    expect((await lookup(us, euAuthorization)).json).toMatchObject({ url: eu.url })
    expect((await lookup(us, { authorization: "Basic d3Jvbmc6d3Jvbmc=" })).status).toBe(401)
  })
})

describe("a call of another workspace's forward", () => {
  it("is passed on to the other region, where it takes effect once however often it comes", async () => {
    const id = fresh("p")
    for (const inlet of [us, eu, us]) {
      const { status, text } = await forwardedBatch(inlet, id, { plan: "pro" })
      expect(status, text).toBe(200)
    }
    const outcomes = (await atEu.activity({ filter: `person:${id}` })).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(["created", "duplicate", "duplicate"])
  })
})

const arrives = async (answer: Answer, name: string, kind = "event") => {
  expect(answer.status, answer.text).toBe(200)
  expect(await atEu.event(name)).toMatchObject({ kind, operation_id: answer.operationId })
  expect(await atUs().activity({ name })).toEqual([])
}

describe("a node", () => {
  it("track-api §1 region US: the US node serves US workspaces", async () => {
    const id = fresh("p")
    expectTrackSuccess(await track(us, "PUT", customerPath(id), {}))
    expect((await new Management(us).person({ id })).id).toBe(id)
  })

  it("track-api §1 region EU: the EU node serves EU workspaces", async () => {
    const id = fresh("p")
    expectTrackSuccess(await track(eu, "PUT", customerPath(id), {}, euAuthorization))
    expect((await atEu.person({ id })).id).toBe(id)
  })
})

describe("a call to the US node for an EU workspace", () => {
  it("the EU node learns the address of the client of a forwarded call", async () => {
    const from = { "x-forwarded-for": "8.8.8.8, 198.51.100.7", ...euAuthorization }
    const answered = await track(us, "POST", "/api/v2/entity", { type: "person" }, from)
    const { request } = await atEu.operation(answered)
    expect(request).toMatchObject({ address: "198.51.100.0" })
  })

  it("track-api §1 rule 2: the US node forwards v1 calls to the EU node with method, body and credentials", async () => {
    const [id, name, token] = [fresh("a/b c+é"), fresh("e"), fresh("t")]
    expectTrackSuccess(await track(us, "PUT", customerPath(id), { plan: "pro" }, euAuthorization))
    const device = { device: { id: token, platform: "ios" } }
    expectTrackSuccess(await track(us, "PUT", `${customerPath(id)}/devices`, device, euAuthorization))
    await arrives(await track(us, "POST", `${customerPath(id)}/events`, { name }, euAuthorization), name)
    expect(await atEu.person({ id })).toMatchObject({ attributes: { plan: "pro" }, devices: [{ token }] })
    expectTrackSuccess(await track(us, "DELETE", customerPath(id), undefined, euAuthorization))
    expect(await atEu.people({ id })).toEqual([])
    for (const inlet of [us, eu])
      expectTrackSuccess(await track(inlet, "GET", "/auth", undefined, euAuthorization))
  })

  it.each([
    "..",
    ".",
    "%2E%2E",
    "a%2Fb",
    "a+b",
    "a%20b",
    "a\\b",
    "é",
    "%C3%A9",
    "a;b=c",
    "~a'b(c)*!",
    "a%5Cb",
    "a//b",
  ])("contract §14 paths: forwards the path segment %s unchanged", async (segment) => {
    const [name, path] = [fresh("e"), `/api/v1/customers/${segment}/events?id_type=a%2Fb`]
    const [away, home] = [
      await track(us, "POST", path, { name }, euAuthorization),
      await track(eu, "POST", path, { name }, euAuthorization),
    ]
    expect(away.status, away.text).toBe(home.status)
    if (home.status !== 200) return
    const [first, second] = await atEu.activity({ name })
    expect(first?.subject).toEqual(second?.subject)
    expect(away.headers["ratelimit-limit"]).toBe(home.headers["ratelimit-limit"])
  })

  it("contract §14 forwarding: a node forwards v2 calls and compressed bodies to its peer, and returns the peer's errors", async () => {
    const name = fresh("e")
    const item = { type: "person", identifiers: { id: "p" }, action: "event", name }
    const body = gzipSync(JSON.stringify({ batch: [{ ...item, name: "" }, item] }))
    const answer = await track(us, "POST", "/v2/batch", body, {
      ...euAuthorization,
      "content-encoding": "gzip",
    })
    expect(answer.status).toBe(207)
    expect(answer.json).toMatchObject({ errors: [{ batch_index: 0, reason: "required", field: "name" }] })
    expect((await atEu.event(name)).kind).toBe("event")
    const bad = await track(us, "POST", "/api/v2/entity", "{", euAuthorization)
    expect(bad.status).toBe(400)
    expect(bad.json).toMatchObject({ errors: [{ reason: "malformed" }] })
    const large = await track(us, "POST", "/api/v2/entity", "x".repeat(40_000), euAuthorization)
    expect(large.status).toBe(413)
  })

  it("contract §14 Pipelines: a node forwards calls with a write key in the header or in the body", async () => {
    const [first, second, third] = [fresh("e"), fresh("e"), fresh("e")]
    const authorization = `Basic ${base64(`${writeKey}:`)}`
    expectPipelinesSuccess(await piped(us, { userId: "u", event: first }, { authorization, ...strict }))
    expectPipelinesSuccess(await piped(us, { userId: "u", event: second, writeKey }))
    const batch = { batch: [{ type: "track", userId: "u", event: third }], writeKey }
    expectPipelinesSuccess(await send(us.url, { method: "POST", path: "/v1/b", body: JSON.stringify(batch) }))
    for (const name of [first, second, third]) {
      expect((await atEu.event(name)).source).toBe("pipelines")
      expect(await atUs().activity({ name })).toEqual([])
    }
  })

  it("the US node itself rejects a body that is too large or badly encoded", async () => {
    const authorization = `Basic ${base64(`${writeKey}:`)}`
    const post = (headers: Headers, body: string) =>
      send(us.url, { method: "POST", path: "/v1/track", headers: { authorization, ...headers }, body })
    const large = JSON.stringify({ userId: "u", event: "e", properties: { text: "x".repeat(100_000) } })
    const answers = [
      await post(strict, large),
      await post({ ...strict, "content-encoding": "compress" }, "{}"),
      await post({ ...strict, "content-encoding": "gzip" }, "no gzip"),
      await track(us, "PUT", customerPath("p"), { text: "x".repeat(100_000) }, euAuthorization),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 400, 413])
    for (const { operationId } of answers) expect(operationId).toBe("")
  })

  it("a forwarded body with a write key reaches the peer byte for byte", async () => {
    const name = fresh("e")
    const text = `{"writeKey":"${writeKey}", "userId":"u","event":"${name}","properties":{"many":[${"1e20,".repeat(6000)}1]}}`
    expectPipelinesSuccess(
      await send(us.url, { method: "POST", path: "/v1/track", headers: strict, body: text }),
    )
    expect((await atEu.event(name)).kind).toBe("event")
  })

  it("a node applies only those calls of a batch that belong to workspaces of its own region", async () => {
    const [home, away] = [fresh("e"), fresh("e")]
    const own = pipelinesBasic.slice("Basic ".length)
    const key = Buffer.from(own, "base64").toString().slice(0, -1)
    const batch = [
      { type: "track", userId: "u", event: home, writeKey: key },
      { type: "track", userId: "u", event: away, writeKey },
    ]
    const answer = await send(us.url, { method: "POST", path: "/v1/b", body: JSON.stringify({ batch }) })
    expectPipelinesSuccess(answer)
    expect(await atUs().activity({ name: home })).toEqual([])
    expect(await new Management(us).activity({ name: home })).toHaveLength(1)
    expect(await new Management(us).activity({ name: away })).toEqual([])
  })

  it("an unsubscribe with EU credentials is applied at the EU node", async () => {
    const [id, delivery] = [fresh("p"), fresh("d")]
    await track(us, "PUT", customerPath(id), {}, euAuthorization)
    await atEu.registerDelivery(delivery, { channel: "email", person: { id } })
    expectTrackSuccess(await track(us, "POST", `/unsubscribe/${delivery}`, {}, euAuthorization))
    expect((await atEu.person({ id })).unsubscribed).toBe(true)
  })

  it("an unsubscribe without credentials is not applied at the US node, and is answered with success like every other call", async () => {
    const delivery = fresh("d")
    await atUs().registerDelivery(delivery, { channel: "email" })
    expectTrackSuccess(await track(us, "POST", `/unsubscribe/${delivery}`, {}, { authorization: "" }))
    expect(await atUs().activity({ kind: "unsubscribe" })).toEqual([])
  })

  it("contract §14 a peer that is down: a node answers 503 with Retry-After while its peer is down, and forwards again afterwards", async () => {
    const { dataDir, port } = eu
    await eu.stop()
    const [id, authorization] = [fresh("p"), `Basic ${base64(`${writeKey}:`)}`]
    const answers = [
      await track(us, "PUT", customerPath(id), { plan: "pro" }, euAuthorization),
      await track(us, "POST", "/v2/batch", { batch: [] }, euAuthorization),
      await piped(us, { userId: "u", event: "e" }, { authorization }),
      await piped(us, { userId: "u", event: "e", writeKey }),
    ]
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(503)
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
    }
    expectTrackSuccess(await track(us, "PUT", customerPath(id), {}))
    eu = await Inlet.start({ dataDir, env: { INLET_REGION: "eu", INLET_PORT: String(port) } })
    atEu = new Management(eu, atEu.workspace)
    const back = await eventually("the EU node answers again", async () => {
      const answer = await track(us, "PUT", customerPath(id), { plan: "pro" }, euAuthorization)
      return answer.status === 200 ? answer : undefined
    })
    expect((await atEu.operation(back)).outcome).toBe("created")
  })
})

describe("a node with a peer that serves the same region", () => {
  it("a node answers 503 instead of forwarding a call in a loop", async () => {
    const { dataDir } = us
    await us.stop()
    const first = await Inlet.start({ dataDir, env: { INLET_PEER_URL: eu.url } })
    await first.stop()
    us = await Inlet.start({
      dataDir,
      env: { INLET_PEER_URL: first.url, INLET_PORT: String(first.port) },
    })
    const answer = await within(
      "the server answers",
      track(us, "PUT", customerPath("p"), {}, euAuthorization),
    )
    expect(answer.status).toBe(503)
  })
})

describe("a call to the EU node for a US workspace", () => {
  it("track-api §1 rule 3: the EU node answers 401 to the keys of a US workspace", async () => {
    const id = fresh("p")
    const v1 = await track(eu, "PUT", customerPath(id), {})
    expect(v1.status).toBe(401)
    expectSingleFault(v1, "Unauthorized request")
    expect((await track(eu, "POST", "/v2/batch", { batch: [] })).status).toBe(401)
    for (const path of ["/auth", "/api/v1/auth"]) {
      expect((await track(eu, "GET", path)).status).toBe(401)
    }
    const authorization = pipelinesBasic
    const refused = await piped(eu, { userId: "u", event: "e" }, { authorization, ...strict })
    expect(refused.status).toBe(401)
    expectStrictFault(refused)
    expectPipelinesSuccess(await piped(eu, { userId: "u", event: "e" }, { authorization }))
    expect(await new Management(eu).activity({})).toEqual([])
  })
})
