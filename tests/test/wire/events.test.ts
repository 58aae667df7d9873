import { afterAll, describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectSingleFault,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { batch, entity, event, identify, pipelines, strict, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const newPerson = async (): Promise<string> => {
  const id = fresh("p")
  await identify(inlet, id, {})
  return id
}

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds
const hour = 3600

describe("an event", () => {
  it("contract §8 data: event data are stored with their structure and JSON types", async () => {
    const data = {
      string: "é 💥",
      integer: 9_007_199_254_740_991,
      float: 0.1,
      true: true,
      null: null,
      empty: "",
      list: [1, "1", [2, {}], null],
      "a.b": { c: { d: { e: [] } } },
      date: "2024-01-01T00:00:00Z",
    }
    const [id, v1, v2, piped] = [await newPerson(), fresh("e"), fresh("e"), fresh("e")]
    await event(inlet, id, { name: v1, data })
    await entity(inlet, { type: "person", identifiers: { id }, action: "event", name: v2, attributes: data })
    await pipelines(inlet, "/v1/track", { userId: id, event: piped, properties: data })
    for (const name of [v1, v2, piped]) expect((await management.event(name)).data).toEqual(data)
  })

  it.each([[{ data: null }], [{}]])("an event with %j in place of data is accepted", async (more) => {
    const name = fresh("e")
    expectTrackSuccess(await event(inlet, await newPerson(), { name, ...more }))
    expect((await management.event(name)).kind).toBe("event")
  })

  it.each(["event", "page", "screen"])("a v1 event can have the type %s", async (type) => {
    const [id, name] = [await newPerson(), fresh("e")]
    expectTrackSuccess(await event(inlet, id, { name, type }))
    expect((await management.event(name)).kind).toBe(type)
  })

  it("v1 answers 400 to an event of an unknown type", async () => {
    const answer = await event(inlet, await newPerson(), { name: fresh("e"), type: "video" })
    expect(answer.status).toBe(400)
    expectSingleFault(answer)
  })

  it("contract §8 name: an event name is trimmed, and a blank event name gets a 400", async () => {
    const [id, v1, v2] = [await newPerson(), fresh("e"), fresh("e")]
    await event(inlet, id, { name: ` \t${v1}  ` })
    await entity(inlet, { type: "person", identifiers: { id }, action: "event", name: `  ${v2}\n` })
    expect((await management.event(v1)).name).toBe(v1)
    expect((await management.event(v2)).name).toBe(v2)
    for (const name of ["", "   ", "\n\t"]) {
      const answer = await event(inlet, id, { name })
      expect(answer.status).toBe(400)
      expectSingleFault(answer, "event name must not be blank")
      const second = await entity(inlet, { type: "person", identifiers: { id }, action: "event", name })
      expect(second.status).toBe(400)
      expectEntityFaults(second, { field: "name" })
    }
  })

  it.each([
    [1_700_000_000],
    [1_700_000_000.999],
    ["1700000000"],
    ["2023-11-14T22:13:20Z"],
    ["2023-11-14T23:13:20+01:00"],
  ])("contract §8 timestamps: accepts %j as a time", async (timestamp) => {
    const [id, v1, v2] = [await newPerson(), fresh("e"), fresh("e")]
    expectTrackSuccess(await event(inlet, id, { name: v1, timestamp }))
    const person = { type: "person", identifiers: { id } }
    expectTrackSuccess(await entity(inlet, { ...person, action: "event", name: v2, timestamp }))
    for (const name of [v1, v2]) expect(Date.parse((await management.event(name)).at)).toBe(1_700_000_000_000)
  })

  it.each(["soon", {}, true, "2023-99-99T00:00:00Z", "2569-11-28T10:00:00Z", -5])(
    "contract §8 unreadable timestamps: keeps an event with the timestamp %j at its time of receipt",
    async (timestamp) => {
      const id = await newPerson()
      const item = { type: "person", identifiers: { id }, action: "event", name: "e", timestamp }
      const answers = [
        await event(inlet, id, { name: "e", timestamp }),
        await entity(inlet, item),
        await pipelines(inlet, "/v1/track", { userId: id, event: "e", timestamp }),
        await track(inlet, "POST", "/api/v1/metrics", { delivery_id: id, metric: "opened", timestamp }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        const entry = await management.operation(answer)
        expect(entry).toMatchObject({
          outcome: "partial",
          refused: [{ path: "timestamp", value: timestamp }],
        })
        expect(entry.at).toBe(entry.received_at)
      }
      const refused = await pipelines(inlet, "/v1/track", { userId: id, event: "e", timestamp }, strict)
      expect(refused.status).toBe(400)
    },
  )

  it("contract §8 future times: an event from the future happened at its receipt, and its entry says so", async () => {
    const id = await newPerson()
    const timestamp = "2099-01-02T00:00:00.000Z"
    const answers = [
      await event(inlet, id, { name: "e", timestamp }),
      await pipelines(inlet, "/v1/track", { userId: id, event: "e", timestamp }),
    ]
    for (const answer of answers) {
      const entry = await management.operation(answer)
      expect(entry).toMatchObject({ outcome: "partial", original_timestamp: timestamp })
      expect(entry.at).toBe(entry.received_at)
    }
  })

  it("an event that is sent without a timestamp has the time of its receipt", async () => {
    const name = fresh("e")
    const before = Date.now()
    await event(inlet, await newPerson(), { name })
    const entry = await management.event(name)
    expect(Date.parse(entry.at)).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000)
    expect(Date.parse(entry.at)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(entry.received_at)).toBeGreaterThanOrEqual(before)
  })

  it("contract §8 reserved keys: reserved keys of event data, such as recipient, are also shown as message_overrides in the log entry", async () => {
    const [id, v1, v2] = [await newPerson(), fresh("e"), fresh("e")]
    const overrides = { recipient: "a@example.com", from_address: "b@example.com", reply_to: "c@example.com" }
    await event(inlet, id, { name: v1, data: { ...overrides, plan: "pro" } })
    await entity(inlet, {
      type: "person",
      identifiers: { id },
      action: "event",
      name: v2,
      attributes: overrides,
    })
    for (const name of [v1, v2]) expect((await management.event(name)).message_overrides).toEqual(overrides)
    const without = fresh("e")
    await event(inlet, id, { name: without, data: { plan: "pro" } })
    expect(await management.event(without)).not.toHaveProperty("message_overrides")
  })
})

describe("a v2 event", () => {
  it("contract §8 v2 data: if a v2 event has no attributes, its field data contains the data of the event", async () => {
    const [id, name] = [await newPerson(), fresh("e")]
    await entity(inlet, { type: "person", identifiers: { id }, action: "event", name, data: { a: 1 } })
    expect((await management.event(name)).data).toEqual({ a: 1 })
  })

  it.each(["viewed_content", "clicked_content"])(
    "contract §8 content actions: the action %s is stored as an event of that name",
    async (action) => {
      const id = await newPerson()
      const attributes = { contentId: 7 }
      expectTrackSuccess(await entity(inlet, { type: "person", identifiers: { id }, action, attributes }))
      const { svc_id } = await management.person({ id })
      const entries = await management.activity({ name: action }, svc_id)
      expect(entries).toEqual([expect.objectContaining({ kind: "event", name: action, data: attributes })])
    },
  )

  it.each(["page", "screen"])(
    "contract §8 page and screen names: a v2 %s view without a name is named after the url, path, name or title in its attributes",
    async (action) => {
      const id = await newPerson()
      const person = { type: "person", identifiers: { id }, action }
      for (const key of ["url", "path", "name", "title"]) {
        const name = fresh("e")
        expectTrackSuccess(await entity(inlet, { ...person, attributes: { [key]: name } }))
        expect((await management.event(name)).kind).toBe(action)
      }
      const [url, title] = [fresh("e"), fresh("e")]
      await entity(inlet, { ...person, attributes: { title, url } })
      expect((await management.event(url)).name).toBe(url)
      const answer = await entity(inlet, { ...person, attributes: { referrer: "r" } })
      expect(answer.status).toBe(400)
      expectEntityFaults(answer, { field: "name" })
    },
  )
})

describe("a repeated event", () => {
  it("on every protocol, an event with the id of a stored event has no effect", async () => {
    const [id, name, key] = [await newPerson(), fresh("e"), fresh("key")]
    const v1 = { name, id: key, data: { n: 1 } }
    const v2 = { type: "person", identifiers: { id }, action: "event", name, id: key, attributes: { n: 2 } }
    const piped = { userId: id, event: name, messageId: key, properties: { n: 3 } }
    expectTrackSuccess(await event(inlet, id, v1))
    expectTrackSuccess(await event(inlet, id, v1))
    expectTrackSuccess(await entity(inlet, v2))
    expectTrackSuccess(await batch(inlet, [v2, v2]))
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", piped))
    expectTrackSuccess(await track(inlet, "POST", "/api/v1/events", { ...v1, anonymous_id: fresh("v") }))
    expect(await management.event(name)).toMatchObject({ source: "track-v1", data: { n: 1 }, id: key })
    const repeated = await entity(inlet, v2)
    expect(await management.operation(repeated)).toMatchObject({ outcome: "duplicate" })
  })

  it("a repeated event within one batch is a duplicate", async () => {
    const [id, v2, piped] = [await newPerson(), fresh("e"), fresh("e")]
    const item = { type: "person", identifiers: { id }, action: "event", name: v2, id: fresh("key") }
    const answer = await batch(inlet, [item, item, { ...item, attributes: { later: true } }])
    expectTrackSuccess(answer)
    expect((await management.event(v2)).operation_id).toBe(`${answer.operationId}-0`)
    expect(await management.operation(answer, 1)).toMatchObject({ outcome: "duplicate" })
    const call = { type: "track", userId: id, event: piped, messageId: fresh("key") }
    expectPipelinesSuccess(await pipelines(inlet, "/v1/batch", { batch: [call, call] }))
    expect((await management.event(piped)).source).toBe("pipelines")
  })

  it("a Pipelines call with the messageId of an earlier call is a duplicate, even if its kind differs", async () => {
    const [userId, name, messageId] = [fresh("p"), fresh("e"), fresh("key")]
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/identify", { userId, messageId, traits: { plan: "pro" } }),
    )
    expectPipelinesSuccess(
      await pipelines(inlet, "/v1/identify", { userId, messageId, traits: { plan: "free" } }),
    )
    expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { userId, messageId, event: name }))
    expectTrackSuccess(await event(inlet, userId, { name, id: messageId }))
    expect((await management.person({ id: userId })).attributes).toEqual({ plan: "pro" })
    const entries = await management.activity({ name })
    expect(entries.filter(({ outcome }) => outcome !== "duplicate")).toEqual([])
  })

  it("an event without an id is stored each time it is sent", async () => {
    const [id, name] = [await newPerson(), fresh("e")]
    await event(inlet, id, { name })
    await event(inlet, id, { name })
    expect(await management.activity({ name })).toHaveLength(2)
  })
})

/** Sends an event of the visitor over each protocol, and a Pipelines page call. Returns the names of the events. */
const sendVisitorEvents = async (anonymousId: string, timestamp: number): Promise<ReadonlyArray<string>> => {
  const [v1, v2, piped, page] = [fresh("e"), fresh("e"), fresh("e"), fresh("e")]
  const at = new Date(timestamp * 1000).toISOString()
  const visitor = { anonymous_id: anonymousId }
  expectTrackSuccess(await track(inlet, "POST", "/api/v1/events", { name: v1, timestamp, ...visitor }))
  const item = { type: "person", identifiers: visitor, timestamp }
  expectTrackSuccess(await batch(inlet, [{ ...item, action: "event", name: v2 }]))
  expectPipelinesSuccess(await pipelines(inlet, "/v1/track", { anonymousId, event: piped, timestamp: at }))
  expectPipelinesSuccess(await pipelines(inlet, "/v1/page", { anonymousId, name: page, timestamp: at }))
  return [v1, v2, piped, page]
}

describe("a visitor", () => {
  it.each<readonly [string, (id: string, anonymousId: string) => Promise<unknown>]>([
    ["v1", (id, anonymous_id) => identify(inlet, id, { anonymous_id })],
    [
      "v2",
      (id, anonymous_id) =>
        entity(inlet, {
          type: "person",
          identifiers: { id },
          action: "identify",
          attributes: { anonymous_id },
        }),
    ],
    ["Pipelines", (userId, anonymousId) => pipelines(inlet, "/v1/identify", { userId, anonymousId })],
  ])(
    "the events of a visitor who is identified on %s move to the person and are processed",
    async (_name, associate) => {
      const [id, anonymousId] = [fresh("p"), fresh("v")]
      const names = await sendVisitorEvents(anonymousId, secondsAgo(hour))
      const old = await sendVisitorEvents(anonymousId, secondsAgo(73 * hour))
      for (const name of [...names, ...old]) {
        const pending = {
          outcome: "pending",
          processed_at: null,
          subject: { svc_id: null, anonymous_id: anonymousId },
        }
        expect(await management.event(name)).toMatchObject(pending)
      }
      expect(await management.people({ anonymous_id: anonymousId })).toEqual([])
      await associate(id, anonymousId)
      const person = await management.person({ id })
      expect(person.anonymous_ids).toEqual([anonymousId])
      expect((await management.person({ anonymous_id: anonymousId })).svc_id).toBe(person.svc_id)
      for (const [trigger_eligible, group] of [[true, names] as const, [false, old] as const]) {
        for (const name of group) {
          const entry = await management.event(name)
          expect(entry).toMatchObject({ subject: { svc_id: person.svc_id }, trigger_eligible })
          expect(entry.outcome).not.toBe("pending")
          expect(entry.processed_at).not.toBeNull()
        }
      }
      const theirs = (await management.activity({}, person.svc_id)).map(({ name }) => name)
      expect(theirs).toEqual(expect.arrayContaining([...names, ...old]))
      for (const name of await sendVisitorEvents(anonymousId, secondsAgo(hour))) {
        const entry = await management.event(name)
        expect(entry).toMatchObject({ outcome: "applied", subject: { svc_id: person.svc_id } })
        expect(entry.processed_at).not.toBeNull()
      }
    },
  )

  it("contract §7 anonymous ids: an anonymous id is not reassigned to another person", async () => {
    const [first, second, anonymousId] = [fresh("p"), fresh("p"), fresh("v")]
    await identify(inlet, first, { anonymous_id: anonymousId })
    const answer = await identify(inlet, second, { anonymous_id: anonymousId, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial" })
    expect((await management.person({ anonymous_id: anonymousId })).id).toBe(first)
    expect(await management.person({ id: second })).toMatchObject({
      anonymous_ids: [],
      attributes: { plan: "pro" },
    })
  })
})

const found = async (search: string) =>
  (await management.activity({ search })).map(({ name }) => name).toSorted()

describe("the activity", () => {
  it("contract §8 name search: a search finds events by name patterns with wildcards, where + adds the matches of a pattern and a vertical bar removes the matches of a pattern", async () => {
    const mark = fresh("m")
    const names = [
      `${mark} order paid`,
      `${mark} order sent`,
      `${mark} cart paid`,
      `${mark} a*b`,
      `${mark} axb`,
    ]
    const id = await newPerson()
    for (const name of names) await event(inlet, id, { name })
    expect(await found(`${mark} order*`)).toEqual([names[0], names[1]].toSorted())
    expect(await found(`${mark} order*+${mark} cart*`)).toEqual([names[0], names[1], names[2]].toSorted())
    expect(await found(`${mark} order*|*paid`)).toEqual([names[1]])
    expect(await found(`${mark} a\\*b`)).toEqual([names[3]])
  })
})
