import { afterAll, describe, expect, it } from "vitest"
import { expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { identify, pipelines, strict } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const at = (millis: number) => new Date(millis).toISOString()

const track = async (fields: object, headers = {}) => {
  const event = fresh("e")
  expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId: "u", event, ...fields }, headers))
  return management.event(event)
}

describe("the time of a Pipelines call", () => {
  const now = Date.now()

  it.each([
    [-7_200_000, 60_000],
    [7_200_000, 1234],
    [0, 0],
    [86_400_000, 30_000],
  ])(
    "if a client clock is %d ms off and a call is sent %d ms after it was made, sentAt corrects the time",
    async (off, ago) => {
      const sentAt = at(now + off)
      const entry = await track({ timestamp: at(now + off - ago), sentAt })
      expect(Date.parse(entry.received_at) - Date.parse(entry.at)).toBe(ago)
      expect(entry.original_timestamp).toBe(at(now + off - ago))
    },
  )

  it("the time of a stored event is never later than its receipt", async () => {
    const entry = await track({ timestamp: at(now + 90_000), sentAt: at(now) })
    expect(entry.at).toBe(entry.received_at)
  })

  it("the field originalTimestamp overrides the field timestamp", async () => {
    const entry = await track({
      originalTimestamp: at(now - 5000),
      timestamp: at(now - 99_000),
      sentAt: at(now),
    })
    expect(Date.parse(entry.received_at) - Date.parse(entry.at)).toBe(5000)
    expect(entry.original_timestamp).toBe(at(now - 5000))
  })

  it("a Pipelines timestamp is not corrected if the call has no valid sentAt", async () => {
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
  ])("both modes accept the timestamp %s", async (timestamp, millis) => {
    for (const headers of [{}, strict])
      expect(Date.parse((await track({ timestamp }, headers)).at)).toBe(millis)
  })

  it.each([
    [1_646_370_367, 1_646_370_367_000],
    [1_646_370_367_089, 1_646_370_367_089],
  ])("default mode accepts the number %d as a timestamp", async (timestamp, millis) => {
    expect(Date.parse((await track({ timestamp })).at)).toBe(millis)
  })

  it("an event with an invalid timestamp has the receipt time", async () => {
    const entry = await track({ timestamp: "soon" })
    expect(entry.at).toBe(entry.received_at)
  })
})

describe.each([
  ["default", {}],
  ["strict", strict],
])("in %s mode", (_mode, headers) => {
  it.each(["page", "screen"])(
    "a %s call without a name is named after its url, path, title, category or type",
    async (path) => {
      const names = [fresh("e"), fresh("e"), fresh("e"), fresh("e")]
      const [url, pathname, title, category] = names
      const userId = fresh("p")
      await identify(inlet, userId, {})
      const view = (fields: object) => pipelines(inlet, `/v1/${path}`, { userId, ...fields }, headers)
      expectPipelinesSuccess(await view({ properties: { url, title } }))
      expectPipelinesSuccess(await view({ properties: { path: pathname, title: "t" } }))
      expectPipelinesSuccess(await view({ name: "", properties: { title }, category: "c" }))
      expectPipelinesSuccess(await view({ category }))
      for (const name of names) expect((await management.event(name ?? "")).kind).toBe(path)
      expectPipelinesSuccess(await view({}))
      const { svc_id } = await management.person({ id: userId })
      expect(await management.activity({ name: path }, svc_id)).toHaveLength(1)
    },
  )

  it("a visitor's traits move to the identified person, and values that the person already has win", async () => {
    const [userId, anonymousId] = [fresh("p"), fresh("v")]
    await identify(inlet, userId, { plan: "own" })
    expectPipelinesSuccess(
      await pipelines(
        inlet,
        "/v1/identify",
        { anonymousId, traits: { plan: "visitor", city: "Bonn" } },
        headers,
      ),
    )
    expect(await management.people({ anonymous_id: anonymousId })).toEqual([])
    expectPipelinesSuccess(await pipelines(inlet, "/v1/identify", { userId, anonymousId }, headers))
    const person = await management.person({ anonymous_id: anonymousId })
    expect(person).toMatchObject({ id: userId, attributes: { plan: "own", city: "Bonn" } })
  })

  it("an identify of a visitor with traits.email creates a person with that email and attaches the visitor", async () => {
    const [email, anonymousId] = [freshEmail(), fresh("v")]
    expectPipelinesSuccess(
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

  it("a new person gets both userId and traits.email, and createdAt sets the person's creation time", async () => {
    const [userId, email] = [fresh("p"), freshEmail()]
    const createdAt = "2020-01-02T03:04:05.000Z"
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/identify", { userId, traits: { email, createdAt, a: 1 } }, headers),
    )
    const person = await management.person({ id: userId })
    expect(person).toMatchObject({ email, attributes: { a: 1 } })
    expect(Date.parse(person.created_at)).toBe(Date.parse(createdAt))
    expect(person.attributes).not.toHaveProperty("createdAt")
  })

  it("an identify without traits uses context.traits", async () => {
    const userId = fresh("p")
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/identify", { userId, context: { traits: { plan: "pro" } } }, headers),
    )
    expect((await management.person({ id: userId })).attributes).toEqual({ plan: "pro" })
  })

  it("an event name is trimmed, and a blank name is rejected", async () => {
    const [userId, event] = [fresh("u"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId, event: `  ${event}\n` }, headers))
    expect((await management.event(event)).name).toBe(event)
    const blank = await pipelines(inlet, "/v1/track", { userId, event: "  " }, headers)
    if ("x-strict-mode" in headers) {
      expect(blank.status).toBe(400)
      expectStrictFault(blank)
    } else expectPipelinesSuccess(blank)
    expect(await management.operation(blank)).toMatchObject({ outcome: "rejected" })
  })

  it.each(["", null])("a userId of %j counts as absent", async (userId) => {
    const [anonymousId, event] = [fresh("v"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId, anonymousId, event }, headers))
    const pending = { outcome: "pending", subject: { id: null, anonymous_id: anonymousId } }
    expect(await management.event(event)).toMatchObject(pending)
  })

  it("the path of a single call decides its type even if the call has another type field", async () => {
    const [userId, event] = [fresh("p"), fresh("e")]
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { type: "identify", userId, event }, headers))
    expect((await management.event(event)).kind).toBe("event")
    expect(await management.people({ id: userId })).toEqual([])
  })

  it("reserved keys of the properties, such as recipient, are also shown as message_overrides in the log entry", async () => {
    const [userId, event] = [fresh("p"), fresh("e")]
    const overrides = { recipient: "a@example.com", from_address: "b@example.com", reply_to: "c@example.com" }
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/track", { userId, event, properties: overrides }, headers),
    )
    expect((await management.event(event)).message_overrides).toEqual(overrides)
  })

  it("null and empty traits remove attributes, and the trait unsubscribed unsubscribes the person", async () => {
    const userId = fresh("p")
    await identify(inlet, userId, { a: 1, b: 2, c: 3 })
    const traits = { a: null, b: "", unsubscribed: "True" }
    expectPipelinesSuccess(await pipelines(inlet, "/v1/identify", { userId, traits }, headers))
    expect(await management.person({ id: userId })).toMatchObject({
      attributes: { c: 3 },
      unsubscribed: true,
    })
    expect((await management.person({ id: userId })).attributes).not.toHaveProperty("a")
  })

  it("an unknown userId becomes the id of the person with the email in traits.email, unless that person has another id", async () => {
    const [first, second, email] = [fresh("p"), fresh("p"), freshEmail()]
    await identify(inlet, email, { city: "Bonn" })
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/identify", { userId: first, traits: { email, a: 1 } }, headers),
    )
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
    expectPipelinesSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial" })
    expect(await management.person({ id: second })).toMatchObject({ email: null, attributes: { a: 2 } })
    expect(await management.person({ email })).toMatchObject({ id: first, attributes: { a: 1 } })
  })
})
