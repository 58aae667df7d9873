import { afterAll, describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectV1Fault,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh, freshEmail, textOfBytes } from "../../src/fresh.ts"
import { batch, entity, event, identify, pipelines, strict, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

/** Path segments as clients send them, each with the id that the server must decode from the segment. */
const spellings: ReadonlyArray<readonly [string, string]> = [
  ["a%2Fb", "a/b"],
  ["a%2fb", "a/b"],
  ["a%20b", "a b"],
  ["5%20", "5 "],
  ["%205", " 5"],
  ["a+b", "a+b"],
  ["a%2Bb", "a+b"],
  ["a%252Fb", "a%2Fb"],
  ["%25", "%"],
  ["%C3%A9", "é"],
  ["%F0%9F%92%A5", "💥"],
  ["!'()*", "!'()*"],
  ["%21%27%28%29%2A", "!'()*"],
  ["a:b&c=d$e,f;g", "a:b&c=d$e,f;g"],
  ["a%3Fb", "a?b"],
  ["a%23b", "a#b"],
  ["a\\b", "a\\b"],
  ["a%5Cb", "a\\b"],
  ["%2E%2E", ".."],
  ["%2E", "."],
  ["a|b^c`d{e}", "a|b^c`d{e}"],
  ["devices", "devices"],
  ["%2Fevents", "/events"],
  ["1%2Fdevices%2F2", "1/devices/2"],
  ["a'b%22c;--", `a'b"c;--`],
  ["%E2%80%8B", "\u200b"],
  ["e%CC%81", "e\u0301"],
  ["a%00b", "a\u0000b"],
  ["a%0Ab", "a\nb"],
  ["Case", "Case"],
  ["case", "case"],
]

describe("a path identifier", () => {
  it.each(spellings)(
    "contract §1 path segments: reads the path segment %j as the id %j",
    async (segment, id) => {
      const mark = fresh("mark")
      expectTrackSuccess(await track(inlet, "PUT", `/api/v1/customers/${segment}`, { mark }))
      expect((await management.person({ id })).attributes["mark"]).toBe(mark)
      const name = fresh("e")
      expectTrackSuccess(await track(inlet, "POST", `/api/v1/customers/${segment}/events`, { name }))
      expect((await management.event(name)).subject.id).toBe(id)
      expectTrackSuccess(await track(inlet, "DELETE", `/api/v1/customers/${segment}`))
      expect(await management.people({ id })).toEqual([])
    },
  )

  it.each([
    ["150 letters", textOfBytes(150, fresh("p"))],
    ["150 bytes that take 450 bytes when percent-encoded", "あ".repeat(50)],
    ["150 bytes of four-byte characters", textOfBytes(150, "", "💥")],
    ["150 slashes", "/".repeat(150)],
  ])("accepts an id of %s in the path", async (_name, id) => {
    expect(Buffer.byteLength(id)).toBe(150)
    expectTrackSuccess(await identify(inlet, id, {}))
    expect((await management.person({ id })).id).toBe(id)
  })

  it.each(["%", "a%", "%2", "%zz", "%G0", "a%2", "%C3%28", "%FF", "%C3", "%ED%A0%80"])(
    "contract §1 malformed escapes: answers 400 to the path segment %s",
    async (segment) => {
      const answer = await track(inlet, "PUT", `/api/v1/customers/${segment}`, {})
      expect(answer.status).toBe(400)
      expectV1Fault(answer)
      expect((await track(inlet, "POST", `/api/v1/customers/${segment}/events`, { name: "e" })).status).toBe(
        400,
      )
      expect((await track(inlet, "DELETE", `/api/v1/customers/${segment}`)).status).toBe(400)
    },
  )

  it("the query string of a path is not part of the identifier in the path", async () => {
    const id = fresh("p")
    expectTrackSuccess(await track(inlet, "PUT", `/api/v1/customers/${id}?unknown=1%2F2`, {}))
    expect((await management.person({ id })).id).toBe(id)
  })

  it.each(["/api/v1/Customers/x", "/API/v1/customers/x", "/api/V1/customers/x"])(
    "contract §1 case: paths are case-sensitive, so %s answers 404",
    async (path) => {
      expect((await track(inlet, "PUT", path, {})).status).toBe(404)
    },
  )
})

describe("brands", () => {
  it.each(["svc", "cio"])(
    "contract §1 prefixes: the prefix %s addresses a person by svc_id on every protocol",
    async (brand) => {
      const id = fresh("p")
      await identify(inlet, id, {})
      const { svc_id } = await management.person({ id })
      await track(inlet, "PUT", `/api/v1/customers/${brand}_${svc_id}`, { v1: 1 })
      await entity(inlet, {
        type: "person",
        identifiers: { [`${brand}_id`]: svc_id },
        action: "identify",
        attributes: { v2: 1 },
      })
      await pipelines(inlet, "/v1/identify", { userId: `${brand}_${svc_id}`, traits: { pipelines: 1 } })
      const person = await management.personBySvcId(svc_id)
      expect(person.attributes).toMatchObject({ v1: 1, v2: 1, pipelines: 1 })
      expect(person.attributes).not.toHaveProperty([`${brand}_id`])
    },
  )

  it.each(["svc", "cio"])(
    "%s_id in a v1 body is an identifier and not stored as an attribute",
    async (brand) => {
      const id = fresh("p")
      await identify(inlet, id, {})
      const { svc_id } = await management.person({ id })
      const answer = await identify(inlet, `${brand}_${svc_id}`, { [`${brand}_id`]: svc_id, plan: "pro" })
      expectTrackSuccess(answer)
      const person = await management.personBySvcId(svc_id)
      expect(person.attributes).toEqual({ plan: "pro" })
    },
  )

  it.each(["svc", "cio"])(
    "%s_subscription_preferences replaces all preferences, and a key with dots sets one topic",
    async (brand) => {
      const id = fresh("p")
      const key = `${brand}_subscription_preferences`
      await identify(inlet, id, { [key]: { topics: { topic_1: true, topic_2: false } } })
      expect((await management.person({ id })).subscription_preferences).toEqual({
        topics: { topic_1: true, topic_2: false },
      })
      await identify(inlet, id, { [`${key}.topics.topic_2`]: true, [`${key}.topics.topic_3`]: false })
      const person = await management.person({ id })
      expect(person.subscription_preferences).toEqual({
        topics: { topic_1: true, topic_2: true, topic_3: false },
      })
      expect(Object.keys(person.attributes).filter((name) => name.includes("subscription"))).toEqual([])
      await identify(inlet, id, { [key]: { topics: { topic_9: true } } })
      expect((await management.person({ id })).subscription_preferences).toEqual({
        topics: { topic_9: true },
      })
    },
  )
})

describe("identifiers that are numbers", () => {
  it("a numeric id in a v1 body becomes a string", async () => {
    const [email, id] = [freshEmail(), Math.floor(Math.random() * 1e12)]
    await identify(inlet, email, { id })
    expect((await management.person({ email })).id).toBe(String(id))
  })
  it("contract §6 numbers: a numeric id in a v2 item becomes a string", async () => {
    const id = Math.floor(Math.random() * 1e12)
    expectTrackSuccess(await entity(inlet, { type: "person", identifiers: { id }, action: "identify" }))
    expect((await management.person({ id: String(id) })).id).toBe(String(id))
  })
  it.each([{}, strict])("with the headers %o, a numeric userId becomes a string", async (headers) => {
    const id = Math.floor(Math.random() * 1e12)
    expectPipelinesSuccess(await pipelines(inlet, "/v1/identify", { userId: id }, headers))
    expect((await management.person({ id: String(id) })).id).toBe(String(id))
  })
})

describe("a bare identifier", () => {
  it("contract §6 bare identifier: an identifier of unspecified kind that looks like an email address is read as an email", async () => {
    const [v1, piped] = [freshEmail(), freshEmail()]
    await identify(inlet, v1, {})
    await pipelines(inlet, "/v1/identify", { userId: piped })
    expect(await management.person({ email: v1 })).toMatchObject({ email: v1, id: null })
    expect(await management.person({ email: piped })).toMatchObject({ email: piped, id: null })
  })

  it("contract §6 bare identifier: an identifier of unspecified kind that looks like an email is read as an id if a person has this id", async () => {
    const address = freshEmail()
    await entity(inlet, { type: "person", identifiers: { id: address }, action: "identify" })
    await identify(inlet, address, { plan: "pro" })
    expect(await management.person({ id: address })).toMatchObject({
      email: null,
      attributes: { plan: "pro" },
    })
    expect(await management.people({ email: address })).toEqual([])
  })

  it("contract §6 email: emails are compared regardless of case, and each email is stored as it was sent", async () => {
    const address = `Ada.${fresh("X")}@Example.COM`
    await identify(inlet, address, { first: 1 })
    await identify(inlet, address.toLowerCase(), { second: 2 })
    await pipelines(inlet, "/v1/identify", { userId: address.toUpperCase(), traits: { third: 3 } })
    const person = await management.person({ email: address.toLowerCase() })
    expect(person).toMatchObject({ email: address, attributes: { first: 1, second: 2, third: 3 } })
  })
})

describe("several identifiers in a v2 item", () => {
  it("an identify with an id and an email creates one person with both identifiers", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    expectTrackSuccess(
      await entity(inlet, { type: "person", identifiers: { id, email }, action: "identify" }),
    )
    expect(await management.person({ id })).toMatchObject({ id, email })
  })

  it("contract §6 several identifiers: the svc_id decides which person an item is about, without a svc_id the id decides, and without both the email decides", async () => {
    const [first, second, third] = [fresh("p"), fresh("p"), freshEmail()]
    for (const identifier of [first, second, third]) await identify(inlet, identifier, {})
    const { svc_id } = await management.person({ id: first })
    const names = [fresh("e"), fresh("e")]
    const acting = { type: "person", action: "event" }
    await batch(inlet, [
      { ...acting, name: names[0], identifiers: { email: third, id: second, cio_id: svc_id } },
      { ...acting, name: names[1], identifiers: { email: third, id: second } },
    ])
    expect((await management.event(names[0] ?? "")).subject.svc_id).toBe(svc_id)
    expect((await management.event(names[1] ?? "")).subject.id).toBe(second)
    expect(await management.person({ email: third })).toMatchObject({ id: null })
  })

  it("contract §6 phone: a call with phone as the only identifier gets a 400", async () => {
    const answer = await entity(inlet, {
      type: "person",
      identifiers: { phone: "+15551234567" },
      action: "identify",
    })
    expect(answer.status).toBe(400)
    expectEntityFaults(answer, { reason: "invalid", field: expect.stringMatching(/^identifiers/) })
  })

  it("events and identifies accept an anonymous id as the only identifier", async () => {
    const [anonymousId, name, id] = [fresh("v"), fresh("e"), fresh("p")]
    const visitor = { type: "person", identifiers: { anonymous_id: anonymousId } }
    expectTrackSuccess(await entity(inlet, { ...visitor, action: "event", name }))
    expect(await management.event(name)).toMatchObject({ outcome: "pending", processed_at: null })
    await identify(inlet, id, { anonymous_id: anonymousId })
    expect((await management.event(name)).subject.id).toBe(id)
    expectTrackSuccess(await entity(inlet, { ...visitor, action: "identify", attributes: { plan: "pro" } }))
    expect((await management.person({ id })).attributes["plan"]).toBe("pro")
  })
})

describe("events of unknown people", () => {
  it("events of an unknown id or email do not create a person and move to the person identified later", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    const [byId, byEmail, byUser] = [fresh("e"), fresh("e"), fresh("e")]
    expectTrackSuccess(await event(inlet, id, { name: byId }))
    expectTrackSuccess(await event(inlet, email, { name: byEmail }))
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId: id, event: byUser }))
    expect(await management.people({ id })).toEqual([])
    expect(await management.people({ email })).toEqual([])
    await identify(inlet, id, { email })
    const { svc_id } = await management.person({ id })
    for (const name of [byId, byEmail, byUser]) {
      expect((await management.event(name)).subject.svc_id).toBe(svc_id)
      expect(await management.activity({ name }, svc_id)).toHaveLength(1)
    }
  })
})
