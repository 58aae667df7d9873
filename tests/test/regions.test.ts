import { cpSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually, within } from "../src/eventually.ts"
import { expectEmptyObject, expectSingleFault, expectStrictFault, expectSuccess } from "../src/faults.ts"
import { fresh } from "../src/fresh.ts"
import { send, type Answer } from "../src/http.ts"
import {
  base64,
  customer,
  pipelinesBasic,
  strict,
  track,
  trackBasic,
  type Headers,
} from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"
import { freshDirectory } from "../src/leftovers.ts"
import { Management, PipelinesKey, read } from "../src/Management.ts"
import { Tenant } from "../src/Tenant.ts"

/** A node in each region; both know the keys of both, and the US node where to find the other. */
let us: Inlet
let eu: Inlet
let there: Management
let european: Headers
let writeKey = ""

beforeAll(async () => {
  const dataDir = join(freshDirectory(), "us")
  const before = await Inlet.start({ dataDir })
  const tenant = await Tenant.create({ region: "eu" }, before)
  const key = await tenant.call("POST", tenant.at("/keys"), { kind: "pipelines", name: "web" })
  writeKey = read(PipelinesKey, key.json).write_key
  european = tenant.authorization
  await before.stop()
  const copy = join(freshDirectory(), "eu")
  cpSync(dataDir, copy, { recursive: true })
  eu = await Inlet.start({ dataDir: copy, env: { INLET_REGION: "eu" } })
  us = await Inlet.start({ dataDir, env: { INLET_PEER_URL: eu.url } })
  there = new Management(eu, tenant.workspace)
})

afterAll(() => Promise.all([us.stop(), eu.stop()]))

const here = () => new Management(us, there.workspace)
const lookup = (inlet: Inlet, headers: Headers) =>
  track(inlet, "GET", "/api/v1/accounts/region", undefined, headers)
const piped = (inlet: Inlet, body: object, headers: Headers = {}) =>
  send(inlet.url, { method: "POST", path: "/v1/track", headers, body: JSON.stringify(body) })

describe("the region lookup", () => {
  it("track-api §1 rule 4: answers on either address, for keys of both", async () => {
    for (const inlet of [us, eu]) {
      const home = (await lookup(inlet, { authorization: trackBasic })).json
      expect(home).toMatchObject({ region: "us", environment_id: 1 })
      const away = (await lookup(inlet, european)).json
      expect(away).toMatchObject({ region: "eu", environment_id: there.workspace })
    }
    expect((await lookup(us, european)).json).toMatchObject({ url: eu.url })
    expect((await lookup(us, { authorization: "Basic d3Jvbmc6d3Jvbmc=" })).status).toBe(401)
  })
})

const arrives = async (answer: Answer, name: string, kind = "event") => {
  expect(answer.status, answer.text).toBe(200)
  expect(await there.event(name)).toMatchObject({ kind, operation_id: answer.operationId })
  expect(await here().activity({ name })).toEqual([])
}

describe("a node", () => {
  it("track-api §1 region US: serves the workspaces of the US", async () => {
    const id = fresh("p")
    expectEmptyObject(await track(us, "PUT", customer(id), {}))
    expect((await new Management(us).person({ id })).id).toBe(id)
  })

  it("track-api §1 region EU: serves the workspaces of the EU", async () => {
    const id = fresh("p")
    expectEmptyObject(await track(eu, "PUT", customer(id), {}, european))
    expect((await there.person({ id })).id).toBe(id)
  })
})

describe("a workspace of the EU at the US node", () => {
  it("track-api §1 rule 2: has its v1 calls answered by the EU, with method, body and credentials", async () => {
    const [id, name, token] = [fresh("a/b c+é"), fresh("e"), fresh("t")]
    expectEmptyObject(await track(us, "PUT", customer(id), { plan: "pro" }, european))
    const device = { device: { id: token, platform: "ios" } }
    expectEmptyObject(await track(us, "PUT", `${customer(id)}/devices`, device, european))
    await arrives(await track(us, "POST", `${customer(id)}/events`, { name }, european), name)
    expect(await there.person({ id })).toMatchObject({ attributes: { plan: "pro" }, devices: [{ token }] })
    expectEmptyObject(await track(us, "DELETE", customer(id), undefined, european))
    expect(await there.people({ id })).toEqual([])
    for (const inlet of [us, eu]) expectEmptyObject(await track(inlet, "GET", "/auth", undefined, european))
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
  ])("contract §14 paths: the segment %s arrives as it was sent", async (segment) => {
    const [name, path] = [fresh("e"), `/api/v1/customers/${segment}/events?id_type=a%2Fb`]
    const [away, home] = [
      await track(us, "POST", path, { name }, european),
      await track(eu, "POST", path, { name }, european),
    ]
    expect(away.status, away.text).toBe(home.status)
    if (home.status !== 200) return
    const [first, second] = await there.activity({ name })
    expect(first?.subject).toEqual(second?.subject)
    expect(away.headers["ratelimit-limit"]).toBe(home.headers["ratelimit-limit"])
  })

  it("contract §14 forwarding: keeps v2, compressed bodies and errors", async () => {
    const name = fresh("e")
    const item = { type: "person", identifiers: { id: "p" }, action: "event", name }
    const body = gzipSync(JSON.stringify({ batch: [{ ...item, name: "" }, item] }))
    const answer = await track(us, "POST", "/v2/batch", body, { ...european, "content-encoding": "gzip" })
    expect(answer.status).toBe(207)
    expect(answer.json).toMatchObject({ errors: [{ batch_index: 0, reason: "required", field: "name" }] })
    expect((await there.event(name)).kind).toBe("event")
    const bad = await track(us, "POST", "/api/v2/entity", "{", european)
    expect(bad.status).toBe(400)
    expect(bad.json).toMatchObject({ errors: [{ reason: "malformed" }] })
    const large = await track(us, "POST", "/api/v2/entity", "x".repeat(40_000), european)
    expect(large.status).toBe(413)
  })

  it("contract §14 Pipelines: is forwarded by header, and by write key in the body", async () => {
    const [first, second, third] = [fresh("e"), fresh("e"), fresh("e")]
    const authorization = `Basic ${base64(`${writeKey}:`)}`
    expectSuccess(await piped(us, { userId: "u", event: first }, { authorization, ...strict }))
    expectSuccess(await piped(us, { userId: "u", event: second, writeKey }))
    const batch = { batch: [{ type: "track", userId: "u", event: third }], writeKey }
    expectSuccess(await send(us.url, { method: "POST", path: "/v1/b", body: JSON.stringify(batch) }))
    for (const name of [first, second, third]) {
      expect((await there.event(name)).source).toBe("pipelines")
      expect(await here().activity({ name })).toEqual([])
    }
  })

  it("has bodies that cannot be taken refused as its own node would", async () => {
    const authorization = `Basic ${base64(`${writeKey}:`)}`
    const post = (headers: Headers, body: string) =>
      send(us.url, { method: "POST", path: "/v1/track", headers: { authorization, ...headers }, body })
    const large = JSON.stringify({ userId: "u", event: "e", properties: { text: "x".repeat(100_000) } })
    const answers = [
      await post(strict, large),
      await post({ ...strict, "content-encoding": "compress" }, "{}"),
      await post({ ...strict, "content-encoding": "gzip" }, "no gzip"),
      await track(us, "PUT", customer("p"), { text: "x".repeat(100_000) }, european),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 400, 413])
    for (const { operationId } of answers) expect(operationId).toMatch(/^ox/)
  })

  it("has a body that names its write key passed on as it came", async () => {
    const name = fresh("e")
    const text = `{"writeKey":"${writeKey}", "userId":"u","event":"${name}","properties":{"many":[${"1e20,".repeat(6000)}1]}}`
    expectSuccess(await send(us.url, { method: "POST", path: "/v1/track", headers: strict, body: text }))
    expect((await there.event(name)).kind).toBe("event")
  })

  it("keeps what its own calls say apart from those of the US in one body", async () => {
    const [home, away] = [fresh("e"), fresh("e")]
    const own = pipelinesBasic.slice("Basic ".length)
    const key = Buffer.from(own, "base64").toString().slice(0, -1)
    const batch = [
      { type: "track", userId: "u", event: home, writeKey: key },
      { type: "track", userId: "u", event: away, writeKey },
    ]
    const answer = await send(us.url, { method: "POST", path: "/v1/b", body: JSON.stringify({ batch }) })
    expectSuccess(answer)
    expect(await here().activity({ name: home })).toEqual([])
    expect(await new Management(us).activity({ name: home })).toHaveLength(1)
    expect(await new Management(us).activity({ name: away })).toEqual([])
  })

  it("unsubscribes there", async () => {
    const [id, delivery] = [fresh("p"), fresh("d")]
    await track(us, "PUT", customer(id), {}, european)
    await there.register(delivery, { channel: "email", person: { id } })
    expectEmptyObject(await track(us, "POST", `/unsubscribe/${delivery}`, {}, european))
    expect((await there.person({ id })).unsubscribed).toBe(true)
  })

  it("unsubscribes nobody here without credentials, and nothing tells", async () => {
    const delivery = fresh("d")
    await here().register(delivery, { channel: "email" })
    expectEmptyObject(await track(us, "POST", `/unsubscribe/${delivery}`, {}, { authorization: "" }))
    expect(await here().activity({ kind: "unsubscribe" })).toEqual([])
  })

  it("contract §14 a peer that is down: is 503 with Retry-After, and served again once it is back", async () => {
    const { dataDir, port } = eu
    await eu.stop()
    const [id, authorization] = [fresh("p"), `Basic ${base64(`${writeKey}:`)}`]
    const answers = [
      await track(us, "PUT", customer(id), { plan: "pro" }, european),
      await track(us, "POST", "/v2/batch", { batch: [] }, european),
      await piped(us, { userId: "u", event: "e" }, { authorization }),
      await piped(us, { userId: "u", event: "e", writeKey }),
    ]
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(503)
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
    }
    expectEmptyObject(await track(us, "PUT", customer(id), {}))
    eu = await Inlet.start({ dataDir, env: { INLET_REGION: "eu", INLET_PORT: String(port) } })
    there = new Management(eu, there.workspace)
    const back = await eventually("served again", async () => {
      const answer = await track(us, "PUT", customer(id), { plan: "pro" }, european)
      return answer.status === 200 ? answer : undefined
    })
    expect((await there.operation(back)).outcome).toBe("created")
  })
})

describe("a node whose peer is of its own region", () => {
  it("does not pass a call on for ever", async () => {
    const { dataDir } = us
    await us.stop()
    const first = await Inlet.start({ dataDir, env: { INLET_PEER_URL: eu.url } })
    await first.stop()
    us = await Inlet.start({
      dataDir,
      env: { INLET_PEER_URL: first.url, INLET_PORT: String(first.port) },
    })
    const answer = await within("an answer", track(us, "PUT", customer("p"), {}, european))
    expect(answer.status).toBe(503)
  })
})

describe("a workspace of the US at the EU node", () => {
  it("track-api §1 rule 3: is refused", async () => {
    const id = fresh("p")
    const v1 = await track(eu, "PUT", customer(id), {})
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
    expectSuccess(await piped(eu, { userId: "u", event: "e" }, { authorization }))
    expect(await new Management(eu).activity({})).toEqual([])
  })
})
