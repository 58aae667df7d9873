import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { customerPath, entity, event, identify, pipelines, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

/** Returns the receipt time of an operation in whole Unix seconds. */
const secondOf = async (answer: Answer) =>
  Math.floor(Date.parse((await management.operation(answer)).received_at) / 1000)

const attributesOf = async (id: string) => (await management.person({ id })).attributes

describe("order in time", () => {
  it("contract §6 comparison: an update with a _timestamp of the current second wins over an update received earlier in that second", async () => {
    const id = fresh("p")
    const before = await identify(inlet, id, {
      plan: "first",
      unsubscribed: true,
      "cio_subscription_preferences.topics.topic_1": false,
    })
    const answer = await identify(inlet, id, {
      plan: "second",
      unsubscribed: false,
      cio_subscription_preferences: { topics: { topic_2: true } },
      _timestamp: await secondOf(before),
    })
    expect(await management.operation(answer)).toMatchObject({ outcome: "applied", reason: null })
    expect(await management.person({ id })).toMatchObject({
      attributes: { plan: "second" },
      unsubscribed: false,
      subscription_preferences: { topics: { topic_2: true } },
    })
  })

  it("contract §6 comparison: an update with a _timestamp of the previous second does not overwrite the stored value", async () => {
    const id = fresh("p")
    const second = await secondOf(await identify(inlet, id, { plan: "first" }))
    await identify(inlet, id, { plan: "second", _timestamp: second - 1 })
    expect(await attributesOf(id)).toEqual({ plan: "first" })
  })

  it.each<readonly [protocol: string, late: (id: string) => Promise<Answer>]>([
    ["v1", (id) => identify(inlet, id, { plan: "late", seats: 2, fresh: 1, _timestamp: 1000 })],
    [
      "v2",
      (id) =>
        entity(inlet, {
          type: "person",
          action: "identify",
          identifiers: { id },
          attributes: { plan: "late", seats: 2, fresh: 1 },
          timestamp: 1000,
        }),
    ],
    [
      "Pipelines",
      (id) =>
        pipelines(inlet, "/v1/identify", {
          userId: id,
          traits: { plan: "late", seats: 2, fresh: 1, _timestamp: 1000 },
        }),
    ],
  ])(
    "contract §6 stale: the entry names the attributes that an older update on %s leaves out",
    async (_, late) => {
      const id = fresh("p")
      await identify(inlet, id, { plan: "new", seats: 1, _timestamp: 2000 })
      const answer = await late(id)
      expect(answer.status).toBe(200)
      expect(await management.operation(answer)).toMatchObject({
        outcome: "partial",
        reason: "stale: attributes.plan, attributes.seats (newer values are stored)",
        changes: [{ path: "attributes.fresh", from: null, to: 1 }],
      })
      expect(await attributesOf(id)).toEqual({ plan: "new", seats: 1, fresh: 1 })
    },
  )

  it("contract §6 stale: the log entry names the stale attributes of objects, relationships and devices", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    const object = { type: "object", action: "identify", identifiers: { object_id, object_type_id: "1" } }
    const related = (role: string) => [{ identifiers: { id }, relationship_attributes: { role } }]
    await entity(inlet, {
      ...object,
      attributes: { name: "new" },
      cio_relationships: related("owner"),
      timestamp: 2000,
    })
    const late = await entity(inlet, {
      ...object,
      attributes: { name: "old" },
      cio_relationships: related("guest"),
      timestamp: 1000,
    })
    expect(await management.operation(late)).toMatchObject({
      outcome: "partial",
      reason: `stale: attributes.name, relationships.1.${object_id}.role (newer values are stored)`,
    })
    const device = (last_used: number, version: string) =>
      track(inlet, "PUT", `${customerPath(id)}/devices`, {
        device: { id: `${id}-phone`, platform: "ios", last_used, attributes: { version } },
      })
    await device(2000, "2")
    expect(await management.operation(await device(1000, "3"))).toMatchObject({
      outcome: "partial",
      reason: `stale: devices.${id}-phone.last_used (newer values are stored)`,
    })
  })

  it("contract §6 stale: an update with stale attributes is answered with success like other updates", async () => {
    const id = fresh("p")
    await identify(inlet, id, { plan: "new", _timestamp: 2000 })
    expectTrackSuccess(await identify(inlet, id, { plan: "old", _timestamp: 1000 }))
  })
})

/** Returns the time this many days from now, in Unix seconds. */
const inDays = (days: number) => Math.floor(Date.now() / 1000 + days * 86_400)

describe("times", () => {
  const millis = 1_700_000_000_123
  const at = new Date(millis).toISOString()

  it("contract §8 milliseconds: numbers from 1e11 on are read as milliseconds in every time field", async () => {
    const id = fresh("p")
    await identify(inlet, id, { created_at: millis })
    const device = { id: `${id}-phone`, platform: "ios", last_used: millis }
    await track(inlet, "PUT", `${customerPath(id)}/devices`, { device })
    expect(await management.person({ id })).toMatchObject({
      created_at: "2023-11-14T22:13:20.000Z",
      devices: [{ last_used: at }],
    })
    const answers = [
      await event(inlet, id, { name: "v1", timestamp: millis }),
      await entity(inlet, {
        type: "person",
        action: "event",
        identifiers: { id },
        name: "v2",
        timestamp: millis,
      }),
      await pipelines(inlet, "/v1/track", { userId: id, event: "Pipelines", timestamp: millis }),
    ]
    for (const answer of answers) expect((await management.operation(answer)).at).toBe(at)
    await identify(inlet, id, { plan: "new", _timestamp: millis + 5000 })
    const late = await identify(inlet, id, { plan: "old", _timestamp: 1_700_000_004 })
    expect(await management.operation(late)).toMatchObject({ outcome: "partial" })
  })

  it("contract §8 milliseconds: microseconds, nanoseconds and text are read in every time field", async () => {
    const id = fresh("p")
    for (const timestamp of [1_700_000_000_123_456, "1700000000123456789", "20231114T221320.123Z"]) {
      const answer = await event(inlet, id, { name: "e", timestamp })
      expect((await management.operation(answer)).at).toBe(at)
      const call = await pipelines(inlet, "/v1/track", { userId: id, event: "e", timestamp })
      expect((await management.operation(call)).at).toBe(at)
    }
  })

  it("contract §8 future times: an identify from the future does not hold later updates back, on any protocol", async () => {
    const id = fresh("p")
    const ahead = { userId: id, timestamp: "2028-01-01T00:00:00Z", traits: { plan: "a", unsubscribed: true } }
    const first = await pipelines(inlet, "/v1/identify", ahead)
    expect(await management.operation(first)).toMatchObject({
      outcome: "partial",
      refused: [{ path: "timestamp", rule: "contract §8 future times" }],
    })
    const updates = [
      await pipelines(inlet, "/v1/identify", { userId: id, traits: { plan: "b", unsubscribed: false } }),
      await identify(inlet, id, { plan: "c", unsubscribed: true }),
      await entity(inlet, {
        type: "person",
        action: "identify",
        identifiers: { id },
        attributes: { plan: "d", unsubscribed: false },
      }),
    ]
    for (const update of updates)
      expect(await management.operation(update)).toMatchObject({ outcome: "applied" })
    expect(await management.person({ id })).toMatchObject({ unsubscribed: false, attributes: { plan: "d" } })
  })

  it("contract §8 future times: a group and a device from the future do not hold later updates back", async () => {
    const [id, groupId] = [fresh("p"), fresh("g")]
    const timestamp = "2028-01-01T00:00:00Z"
    const device = { token: `${id}-phone`, type: "ios" }
    const added = {
      userId: id,
      event: "Device Created or Updated",
      properties: { size: 1 },
      context: { device },
    }
    await pipelines(inlet, "/v1/group", { userId: id, groupId, timestamp, traits: { name: "ahead" } })
    await pipelines(inlet, "/v1/track", { ...added, timestamp })
    const updates = [
      await pipelines(inlet, "/v1/group", { userId: id, groupId, traits: { name: "now" } }),
      await pipelines(inlet, "/v1/track", { ...added, properties: { size: 2 } }),
    ]
    for (const update of updates)
      expect(await management.operation(update)).toMatchObject({ outcome: "applied" })
  })

  it("contract §8 future times: a time that is less than a day ahead counts as the receipt", async () => {
    const id = fresh("p")
    const ahead = await identify(inlet, id, { plan: "ahead", _timestamp: inDays(0.5) })
    const entry = await management.operation(ahead)
    expect(entry).toMatchObject({ outcome: "created", at: entry.received_at })
    expect(Date.parse(entry.original_timestamp ?? "")).toBeGreaterThan(Date.parse(entry.at))
    expect(await management.operation(await identify(inlet, id, { plan: "now" }))).toMatchObject({
      outcome: "applied",
    })
  })

  it("contract §6 stale: an update that came too late names both times and what set the stored value", async () => {
    const id = fresh("p")
    const newer = await identify(inlet, id, { plan: "new", _timestamp: 2000 })
    const late = await identify(inlet, id, { plan: "old", _timestamp: 1000 })
    const [refused] = (await management.operation(late)).refused
    expect(refused?.reason).toContain("1970-01-01T00:33:20.000Z")
    expect(refused?.reason).toContain("1970-01-01T00:16:40.000Z")
    const explanation = JSON.stringify(await management.get(`/operations/${late.operationId}/explanation`))
    expect(explanation).toContain("1970-01-01T00:33:20.000Z")
    expect(explanation).toContain(newer.operationId)
    expect(explanation).not.toMatch(/do nothing|nothing to do/i)
  })

  it("contract §8 future times: a _timestamp or last_used more than a day later than receipt is left out", async () => {
    const id = fresh("p")
    const answer = await identify(inlet, id, { plan: "ahead", _timestamp: inDays(2) })
    expect(await management.operation(answer)).toMatchObject({
      outcome: "partial",
      reason: expect.stringMatching(/^_timestamp: .* more than one day later than the time of receipt$/),
    })
    await identify(inlet, id, { plan: "next" })
    expect(await attributesOf(id)).toEqual({ plan: "next" })
    const device = { id: `${id}-phone`, platform: "ios", last_used: inDays(2) }
    const added = await track(inlet, "PUT", `${customerPath(id)}/devices`, { device })
    expect(added.status).toBe(200)
    expect(await management.operation(added)).toMatchObject({ outcome: "partial" })
    expect(await management.person({ id })).toMatchObject({ devices: [{ last_used: null }] })
  })

  it("contract §8 event times: if an event has both timestamp and _timestamp, timestamp wins", async () => {
    const answer = await event(inlet, fresh("p"), { name: "bought", timestamp: 1_700_000_000, _timestamp: 5 })
    expect((await management.operation(answer)).at).toBe("2023-11-14T22:13:20.000Z")
  })
})

describe("identifiers", () => {
  it("contract §6 order of identifiers: an update by svc_id with an older _timestamp does not overwrite a newer id or email", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await identify(inlet, id, { email, _timestamp: 1000 })
    const { svc_id } = await management.person({ id })
    const [laterId, laterEmail] = [fresh("p"), freshEmail()]
    await identify(inlet, `cio_${svc_id}`, { id: laterId, email: laterEmail, _timestamp: 3000 })
    const late = await identify(inlet, `cio_${svc_id}`, { id, email, plan: "pro", _timestamp: 2000 })
    expect(await management.operation(late)).toMatchObject({
      outcome: "partial",
      reason: "stale: id, email (newer values are stored)",
    })
    expect(await management.person({ id: laterId })).toMatchObject({
      svc_id,
      email: laterEmail,
      attributes: { plan: "pro" },
    })
  })

  it("contract §6 order of identifiers: an older update neither restores a removed email nor removes a newer email", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await identify(inlet, id, { email, _timestamp: 1000 })
    await identify(inlet, id, { email: null, _timestamp: 3000 })
    await identify(inlet, id, { email, _timestamp: 2000 })
    expect(await management.person({ id })).toMatchObject({ email: null })
    await identify(inlet, id, { email, _timestamp: 5000 })
    const late = await identify(inlet, id, { email: null, _timestamp: 4000 })
    expect(await management.operation(late)).toMatchObject({ outcome: "partial" })
    expect(await management.person({ id })).toMatchObject({ email })
  })

  it("contract §6 order of identifiers: after an update that repeats the stored email, older updates cannot change the email", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await identify(inlet, id, { email, _timestamp: 1000 })
    const { svc_id } = await management.person({ id })
    await identify(inlet, `cio_${svc_id}`, { email, _timestamp: 3000 })
    await identify(inlet, `cio_${svc_id}`, { email: freshEmail(), _timestamp: 2000 })
    expect(await management.person({ id })).toMatchObject({ email })
  })
})
