import { afterAll, describe, expect, it } from "vitest"
import { expectStrictFault, expectSuccess } from "../src/faults.ts"
import { fresh, freshEmail } from "../src/fresh.ts"
import { identify, pipelines, strict } from "../src/ingestion.ts"
import { Inlet } from "../src/Inlet.ts"
import { Management } from "../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const at = (millis: number) => new Date(millis).toISOString()

const track = async (fields: object, headers = {}) => {
  const event = fresh("e")
  expectSuccess(await pipelines(inlet, "/v1/track", { userId: "u", event, ...fields }, headers))
  return management.event(event)
}

describe("the clock", () => {
  const now = Date.now()

  it.each([
    [-7_200_000, 60_000],
    [7_200_000, 1234],
    [0, 0],
    [86_400_000, 30_000],
  ])("of a client that is %d ms off is corrected by sentAt", async (off, ago) => {
    const sentAt = at(now + off)
    const entry = await track({ timestamp: at(now + off - ago), sentAt })
    expect(Date.parse(entry.received_at) - Date.parse(entry.at)).toBe(ago)
    expect(entry.original_timestamp).toBe(at(now + off - ago))
  })

  it("never makes an event later than its receipt", async () => {
    const entry = await track({ timestamp: at(now + 90_000), sentAt: at(now) })
    expect(entry.at).toBe(entry.received_at)
  })

  it("prefers originalTimestamp", async () => {
    const entry = await track({
      originalTimestamp: at(now - 5000),
      timestamp: at(now - 99_000),
      sentAt: at(now),
    })
    expect(Date.parse(entry.received_at) - Date.parse(entry.at)).toBe(5000)
    expect(entry.original_timestamp).toBe(at(now - 5000))
  })

  it("is believed without a valid sentAt", async () => {
    const timestamp = "2022-03-04T05:06:07.089Z"
    for (const sentAt of [undefined, "soon"]) {
      const entry = await track({ timestamp, ...(sentAt === undefined ? {} : { sentAt }) })
      expect(entry).toMatchObject({ at: timestamp, original_timestamp: timestamp })
    }
  })

  it.each([
    ["2022-03-04T05:06:07Z", 1_646_370_367_000],
    ["2022-03-04T05:06:07.089Z", 1_646_370_367_089],
    ["2022-03-04T06:06:07.089+01:00", 1_646_370_367_089],
    ["2022-03-04T05:06:07.089123456+00:00", 1_646_370_367_089],
  ])("may be written %s in both modes", async (timestamp, millis) => {
    for (const headers of [{}, strict])
      expect(Date.parse((await track({ timestamp }, headers)).at)).toBe(millis)
  })

  it.each([
    [1_646_370_367, 1_646_370_367_000],
    [1_646_370_367_089, 1_646_370_367_089],
  ])("may be the number %d in default mode", async (timestamp, millis) => {
    expect(Date.parse((await track({ timestamp })).at)).toBe(millis)
  })

  it("is the receipt's where the client's is none", async () => {
    const entry = await track({ timestamp: "soon" })
    expect(entry.at).toBe(entry.received_at)
  })
})

describe.each([
  ["default", {}],
  ["strict", strict],
])("in %s mode", (_mode, headers) => {
  it.each(["page", "screen"])("a %s without a name takes what it has", async (path) => {
    const names = [fresh("e"), fresh("e"), fresh("e"), fresh("e")]
    const [url, pathname, title, category] = names
    const userId = fresh("p")
    await identify(inlet, userId, {})
    const view = (fields: object) => pipelines(inlet, `/v1/${path}`, { userId, ...fields }, headers)
    expectSuccess(await view({ properties: { url, title } }))
    expectSuccess(await view({ properties: { path: pathname, title: "t" } }))
    expectSuccess(await view({ name: "", properties: { title }, category: "c" }))
    expectSuccess(await view({ category }))
    for (const name of names) expect((await management.event(name ?? "")).kind).toBe(path)
    expectSuccess(await view({}))
    const { svc_id } = await management.person({ id: userId })
    expect(await management.activity({ name: path }, svc_id)).toHaveLength(1)
  })

  it("traits of a visitor are theirs once they are known, unless they have them", async () => {
    const [userId, anonymousId] = [fresh("p"), fresh("v")]
    await identify(inlet, userId, { plan: "own" })
    expectSuccess(
      await pipelines(
        inlet,
        "/v1/identify",
        { anonymousId, traits: { plan: "visitor", city: "Bonn" } },
        headers,
      ),
    )
    expect(await management.people({ anonymous_id: anonymousId })).toEqual([])
    expectSuccess(await pipelines(inlet, "/v1/identify", { userId, anonymousId }, headers))
    const person = await management.person({ anonymous_id: anonymousId })
    expect(person).toMatchObject({ id: userId, attributes: { plan: "own", city: "Bonn" } })
  })

  it("a visitor who gives an email address is that person", async () => {
    const [email, anonymousId] = [freshEmail(), fresh("v")]
    expectSuccess(
      await pipelines(inlet, "/v1/identify", { anonymousId, traits: { email, plan: "pro" } }, headers),
    )
    const person = await management.person({ email })
    expect(person).toMatchObject({
      email,
      id: null,
      anonymous_ids: [anonymousId],
      attributes: { plan: "pro" },
    })
  })

  it("traits may name both identifiers, a time and createdAt", async () => {
    const [userId, email] = [fresh("p"), freshEmail()]
    const createdAt = "2020-01-02T03:04:05.000Z"
    expectSuccess(
      await pipelines(inlet, "/v1/identify", { userId, traits: { email, createdAt, a: 1 } }, headers),
    )
    const person = await management.person({ id: userId })
    expect(person).toMatchObject({ email, attributes: { a: 1 } })
    expect(Date.parse(person.created_at)).toBe(Date.parse(createdAt))
    expect(person.attributes).not.toHaveProperty("createdAt")
  })

  it("traits may stand in the context", async () => {
    const userId = fresh("p")
    expectSuccess(
      await pipelines(inlet, "/v1/identify", { userId, context: { traits: { plan: "pro" } } }, headers),
    )
    expect((await management.person({ id: userId })).attributes).toEqual({ plan: "pro" })
  })

  it("a name is trimmed, and blank is empty", async () => {
    const [userId, event] = [fresh("u"), fresh("e")]
    expectSuccess(await pipelines(inlet, "/v1/track", { userId, event: `  ${event}\n` }, headers))
    expect((await management.event(event)).name).toBe(event)
    const blank = await pipelines(inlet, "/v1/track", { userId, event: "  " }, headers)
    if ("x-strict-mode" in headers) {
      expect(blank.status).toBe(400)
      expectStrictFault(blank)
    } else expectSuccess(blank)
    expect(await management.operation(blank)).toMatchObject({ outcome: "rejected" })
  })

  it.each(["", null])("a userId of %j is absent", async (userId) => {
    const [anonymousId, event] = [fresh("v"), fresh("e")]
    expectSuccess(await pipelines(inlet, "/v1/track", { userId, anonymousId, event }, headers))
    const pending = { outcome: "pending", subject: { id: null, anonymous_id: anonymousId } }
    expect(await management.event(event)).toMatchObject(pending)
  })

  it("a single call is what its path says", async () => {
    const [userId, event] = [fresh("p"), fresh("e")]
    expectSuccess(await pipelines(inlet, "/v1/track", { type: "identify", userId, event }, headers))
    expect((await management.event(event)).kind).toBe("event")
    expect(await management.people({ id: userId })).toEqual([])
  })

  it("properties surface their reserved keys", async () => {
    const [userId, event] = [fresh("p"), fresh("e")]
    const overrides = { recipient: "a@example.com", from_address: "b@example.com", reply_to: "c@example.com" }
    expectSuccess(await pipelines(inlet, "/v1/track", { userId, event, properties: overrides }, headers))
    expect((await management.event(event)).message_overrides).toEqual(overrides)
  })

  it("traits remove with null and the empty string, and unsubscribe", async () => {
    const userId = fresh("p")
    await identify(inlet, userId, { a: 1, b: 2, c: 3 })
    const traits = { a: null, b: "", unsubscribed: "True" }
    expectSuccess(await pipelines(inlet, "/v1/identify", { userId, traits }, headers))
    expect(await management.person({ id: userId })).toMatchObject({
      attributes: { c: 3 },
      unsubscribed: true,
    })
    expect((await management.person({ id: userId })).attributes).not.toHaveProperty("a")
  })

  it("a userId that is new goes to the person of traits.email, unless that one has another", async () => {
    const [first, second, email] = [fresh("p"), fresh("p"), freshEmail()]
    await identify(inlet, email, { city: "Bonn" })
    expectSuccess(await pipelines(inlet, "/v1/identify", { userId: first, traits: { email, a: 1 } }, headers))
    expect(await management.person({ email })).toMatchObject({
      id: first,
      attributes: { city: "Bonn", a: 1 },
    })
    const answer = await pipelines(
      inlet,
      "/v1/identify",
      { userId: second, traits: { email, a: 2 } },
      headers,
    )
    expectSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial" })
    expect(await management.person({ id: second })).toMatchObject({ email: null, attributes: { a: 2 } })
    expect(await management.person({ email })).toMatchObject({ id: first, attributes: { a: 1 } })
  })
})
