import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectSingleFault } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { send } from "../../src/http.ts"
import { pipelines } from "../../src/ingestion.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"
import { PipelinesKey, read } from "../../src/Management.ts"

const tenant = await Tenant.create()
const anonymous = (anonymous_id: string | null, payload: object) =>
  tenant.track("POST", "/api/v1/events", { anonymous_id, ...payload })
const item = (action: string, more: object, id = "p") =>
  tenant.entity({ type: "person", identifiers: { id }, action, ...more })
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const [hour, day] = [3600, 86_400]
await tenant.identify("p")

describe("the fields of an event", () => {
  it("track-api §2.5 name: an event must have a name, which is trimmed", async () => {
    const name = fresh("e")
    expectTrackSuccess(await tenant.recordEvent("p", { name: `  ${name}\t ` }))
    expect((await tenant.event(name)).name).toBe(name)
    expect((await tenant.recordEvent("p", {})).status).toBe(400)
  })

  it("track-api §2.5 id: an event id can be any text, and a second event with the same id is a duplicate", async () => {
    for (const id of ["01HB4HBDKTFWYZCK01DMRSWRFD", `node-next-${fresh("k")}`]) {
      const name = fresh("e")
      await tenant.recordEvent("p", { name, id })
      const again = await tenant.recordEvent("p", { name, id })
      expectTrackSuccess(again)
      expect(await tenant.operation(again)).toMatchObject({ outcome: "duplicate" })
      expect((await tenant.event(name)).id).toBe(id)
    }
  })

  it.each(["event", "page", "screen"])(
    "track-api §2.5 type: stores an event of type %s as an operation of the kind %s",
    async (type) => {
      const [v1, visitor, v2] = [fresh("e"), fresh("e"), fresh("e")]
      await tenant.recordEvent("p", { name: v1, type })
      await anonymous(fresh("v"), { name: visitor, type })
      await item(type, { name: v2 })
      expect((await tenant.event(v1)).kind).toBe(type)
      expect((await tenant.event(visitor)).kind).toBe(type === "event" ? "anonymous_event" : type)
      expect((await tenant.event(v2)).kind).toBe(type)
    },
  )

  it("track-api §2.5 timestamp: an event without a timestamp has the receipt time", async () => {
    const [timed, untimed] = [fresh("e"), fresh("e")]
    await tenant.recordEvent("p", { name: timed, timestamp: 1_700_000_000 })
    await tenant.recordEvent("p", { name: untimed })
    expect((await tenant.event(timed)).at).toBe("2023-11-14T22:13:20.000Z")
    const entry = await tenant.event(untimed)
    expect(entry.at).toBe(entry.received_at)
  })

  it("track-api §2.5 data: an event can have data of any structure, and its log entry also shows reserved keys such as recipient as message_overrides", async () => {
    const overrides = { recipient: "a@x.io", from_address: "b@x.io", reply_to: "c@x.io" }
    const data = { ...overrides, deep: [{ a: [null, 1.5] }] }
    const [v1, v2] = [fresh("e"), fresh("e")]
    await tenant.recordEvent("p", { name: v1, data })
    await item("event", { name: v2, attributes: data })
    for (const name of [v1, v2]) {
      expect(await tenant.event(name)).toMatchObject({ data, message_overrides: overrides })
    }
  })

  it("track-api §2.5 anonymous_id: an event with an anonymous_id belongs to the visitor with that id", async () => {
    const [anonymous_id, v1, v2] = [fresh("v"), fresh("e"), fresh("e")]
    await anonymous(anonymous_id, { name: v1 })
    await tenant.entity({ type: "person", identifiers: { anonymous_id }, action: "event", name: v2 })
    for (const name of [v1, v2]) {
      expect((await tenant.event(name)).subject).toMatchObject({ svc_id: null, anonymous_id })
    }
  })

  it("track-api §2.5 v2 page attributes: the attributes of a v2 page view are stored as its data", async () => {
    const [name, keywords] = [fresh("e"), ["a", "b"]]
    const attributes = { path: "/p", referrer: "r", search: "?s", title: "t", url: "u", keywords }
    await item("page", { name, attributes })
    expect(await tenant.event(name)).toMatchObject({ kind: "page", data: attributes })
  })
})

describe("the lifecycle of an anonymous event", () => {
  it("track-api §3 anonymous received: an anonymous event is stored as pending without a processed-at time", async () => {
    const name = fresh("e")
    await anonymous(fresh("v"), { name })
    expect(await tenant.event(name)).toMatchObject({
      outcome: "pending",
      processed_at: null,
      trigger_eligible: false,
    })
  })

  it("track-api §3 anonymous identified: a visitor's event moves to the identified person, and can trigger messages if it is at most 72 hours old", async () => {
    const [id, anonymous_id, recent, old] = [fresh("p"), fresh("v"), fresh("e"), fresh("e")]
    await anonymous(anonymous_id, { name: recent, timestamp: secondsAgo(71 * hour) })
    await anonymous(anonymous_id, { name: old, timestamp: secondsAgo(73 * hour) })
    await tenant.identify(id, { anonymous_id })
    const processed: unknown = expect.any(String)
    const subject = { id, anonymous_id }
    const settled = { outcome: "applied", processed_at: processed, subject }
    expect(await tenant.event(recent)).toMatchObject({ ...settled, trigger_eligible: true })
    expect(await tenant.event(old)).toMatchObject({ ...settled, trigger_eligible: false })
  })

  it("track-api §4.3 rule 4: an anonymous event without anonymous_id is stored as pending, without a visitor", async () => {
    for (const anonymous_id of [undefined, null, ""]) {
      const name = fresh("e")
      const payload = { name, data: { recipient: "friend@example.com" }, anonymous_id }
      expectTrackSuccess(await tenant.track("POST", "/api/v1/events", payload))
      expect(await tenant.event(name)).toMatchObject({ outcome: "pending", subject: { anonymous_id: null } })
    }
  })

  it("contract §7 later events: an event with the anonymous id of an identified visitor belongs to the person at once", async () => {
    const [id, anonymous_id, name] = [fresh("p"), fresh("v"), fresh("e")]
    await tenant.identify(id, { anonymous_id })
    await anonymous(anonymous_id, { name })
    expect(await tenant.event(name)).toMatchObject({ outcome: "applied", subject: { id } })
  })

  it("contract §7 any protocol: an identify on v1, v2 or Pipelines attaches the visitor with its anonymous id to the person", async () => {
    const key = await tenant.call("POST", tenant.pathOf("/keys"), { kind: "pipelines", name: "web" })
    const { write_key } = read(PipelinesKey, key.json)
    const ways: ReadonlyArray<(id: string, anonymous_id: string) => Promise<unknown>> = [
      (id, anonymous_id) => tenant.identify(id, { anonymous_id }),
      (id, anonymous_id) => item("identify", { attributes: { anonymous_id } }, id),
      (userId, anonymousId) =>
        pipelines(
          sharedServer,
          "/v1/identify",
          { userId, anonymousId, writeKey: write_key },
          { authorization: "" },
        ),
    ]
    for (const [n, attach] of ways.entries()) {
      const [id, anonymous_id, name] = [fresh("p"), fresh("v"), fresh("e")]
      await anonymous(anonymous_id, { name })
      await attach(id, anonymous_id)
      expect((await tenant.event(name)).subject.id, `way ${n}`).toBe(id)
    }
  })
})

describe("events", () => {
  it("track-api §6 rule 1: an event can have data of any JSON structure", async () => {
    const [name, data] = [fresh("e"), { a: { b: [{ c: [[], {}, null, "", 0] }] }, "a.b": 1 }]
    await tenant.recordEvent("p", { name, data })
    expect((await tenant.event(name)).data).toEqual(data)
  })

  it("track-api §6 rule 2: events of existing people are imported from CSV, with column names that contain dots", async () => {
    const [id, nobody, name] = [fresh("p"), fresh("p"), fresh("e")]
    await tenant.identify(id)
    const lines = [
      "_svc_name,_svc_customer_id,_svc_timestamp,plan,a.b",
      `${name},${id},1700000000,pro,1`,
      `${name},${nobody},,pro,1`,
    ]
    const answer = await send(sharedServer.url, {
      method: "POST",
      path: `/management/v1${tenant.pathOf("/imports/events")}`,
      headers: { authorization: `Bearer ${tenant.token}`, "content-type": "text/csv" },
      body: lines.join("\n"),
    })
    expect(JSON.parse(answer.text.trim().split("\n").at(-1) ?? "")).toMatchObject({ imported: 1, failed: 1 })
    expect(await tenant.event(name)).toMatchObject({
      source: "csv",
      at: "2023-11-14T22:13:20.000Z",
      subject: { id },
      data: { plan: "pro", "a.b": "1" },
    })
    expect(await tenant.people({ id: nobody })).toEqual([])
  })

  it("track-api §6 rule 3: an event older than 30 days is stored and appears in the person's activity", async () => {
    const name = fresh("e")
    await tenant.recordEvent("p", { name, timestamp: secondsAgo(400 * day) })
    expect((await tenant.event(name)).outcome).toBe("applied")
    const { svc_id } = await tenant.person({ id: "p" })
    expect(await tenant.activity({ name }, svc_id)).toHaveLength(1)
  })

  it("track-api §6 rule 4: event names may contain spaces and the operators of the name search", async () => {
    for (const name of [`${fresh("e")} with spaces`, `${fresh("e")}*+|\\`]) {
      await tenant.recordEvent("p", { name })
      expect((await tenant.event(name)).name).toBe(name)
    }
  })

  it("track-api §8 campaign-trigger window: an event is trigger-eligible if its own time is at most 72 hours ago", async () => {
    const [inside, outside] = [fresh("e"), fresh("e")]
    await tenant.recordEvent("p", { name: inside, timestamp: secondsAgo(71 * hour) })
    await tenant.recordEvent("p", { name: outside, timestamp: secondsAgo(73 * hour) })
    expect((await tenant.event(inside)).trigger_eligible).toBe(true)
    expect((await tenant.event(outside)).trigger_eligible).toBe(false)
  })

  it("contract §8 unknown types: v1 answers 400 to an event of an unknown type", async () => {
    for (const type of ["video", "Event", 1, {}]) {
      const answer = await tenant.recordEvent("p", { name: "e", type })
      expect(answer.status).toBe(400)
      expectSingleFault(answer, "event type must be one of event, page and screen")
    }
  })

  it("contract §8 events of unknown people: an event of an unknown person does not create a person and moves to the person identified later", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await tenant.recordEvent(id, { name })
    expect(await tenant.event(name)).toMatchObject({ outcome: "pending", processed_at: null })
    expect(await tenant.people({ id })).toEqual([])
    await tenant.identify(id)
    expect(await tenant.event(name)).toMatchObject({ outcome: "applied", subject: { id } })
  })

  it("contract §8 deduplication: events with the same key are stored once, even within one batch or across protocols", async () => {
    const [name, id] = [fresh("e"), fresh("k")]
    const one = { type: "person", identifiers: { id: "p" }, action: "event", name, id }
    await Promise.all([tenant.batch([one, one]), tenant.recordEvent("p", { name, id }), tenant.entity(one)])
    expect((await tenant.event(name)).id).toBe(id)
    expect(await tenant.activity({ name, outcome: "duplicate" })).toHaveLength(3)
  })
})
