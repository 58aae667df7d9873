import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { strict } from "../../src/ingestion.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)

const kibibyte = 1024
const person = (id: string, more: object = {}) => ({
  type: "person",
  identifiers: { id },
  action: "identify",
  ...more,
})

/** Returns arrays nested to this many levels. */
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

describe("a batch", () => {
  it("contract §13 batch count: all 12,000 small calls of a batch are applied, in both Pipelines modes and on v2", async () => {
    for (const [mode, headers] of [
      ["default", {}],
      ["strict", strict],
    ] as const) {
      const own = await PipelinesSource.create({ limits: { batch_bytes: kibibyte * kibibyte } })
      const batch = Array.from({ length: 12_000 }, (_, n) => ({ type: "track", userId: `p${n}`, event: "e" }))
      expect(JSON.stringify({ batch }).length).toBeLessThan(0.75 * kibibyte * kibibyte)
      const answer = await own.post("batch", { batch }, headers)
      expectPipelinesSuccess(answer)
      expect(await own.activity({ name: "e" }), mode).toHaveLength(12_000)
      expect(await own.operation(answer, 11_999)).toMatchObject({ name: "e", outcome: "pending" })
    }
    const own = await Tenant.create({ limits: { batch_bytes: 2 * kibibyte * kibibyte } })
    const items = Array.from({ length: 12_000 }, (_, n) =>
      person(`p${n % 100}`, { action: "event", name: "e" }),
    )
    expectTrackSuccess(await own.batch(items))
    expect(await own.activity({ name: "e" })).toHaveLength(12_000)
  })

  it("a batch with so many items that they cannot all be valid calls is rejected", async () => {
    const own = await PipelinesSource.create()
    const answer = await own.post("batch", { batch: Array.from({ length: 100_000 }, () => 0) })
    expectPipelinesSuccess(answer)
    expect((await own.log()).map(({ outcome }) => outcome)).toEqual(["rejected"])
  })

  it("contract §13 batch workspaces: each call of a batch is applied in the workspace of its write key", async () => {
    const [a, b] = [await PipelinesSource.create(), await PipelinesSource.create()]
    const batch = Array.from({ length: 200 }, (_, n) => ({
      type: "track",
      userId: "p",
      event: `e${n}`,
      writeKey: (n % 2 === 0 ? a : b).writeKey,
    }))
    expectPipelinesSuccess(await a.postAsBrowser("batch", { batch }))
    for (const [own, first] of [
      [a, 0],
      [b, 1],
    ] as const) {
      const entries = await own.log()
      expect(entries.map(({ name }) => name)).toEqual(
        Array.from({ length: 100 }, (_, n) => `e${first + 2 * n}`),
      )
      const batchId = entries[0]?.operation_id.split("-")[0]
      expect(entries.map(({ operation_id, sequence }) => [operation_id, sequence])).toEqual(
        Array.from({ length: 100 }, (_, n) => [`${batchId}-${n}`, n + 1]),
      )
    }
  })
})

/** Returns the body of a segment call with one id, padded with spaces to this many bytes. */
const segmentBody = (bytes: number) => JSON.stringify({ ids: ["p"] }).padEnd(bytes, " ")

describe("a segment call", () => {
  it("contract §12 segment bodies: a segment call accepts the largest number of ids, each of the largest length", async () => {
    const ids = Array.from({ length: 1000 }, (_, n) => String(n).padStart(150, "x"))
    const segment = await tenant.createSegment()
    await tenant.batch(ids.slice(0, 3).map((id) => person(id)))
    const path = `/api/v1/segments/${segment}/add_customers`
    expectTrackSuccess(await tenant.track("POST", path, { ids }))
    expect(await tenant.segmentMembers(segment)).toEqual(ids.slice(0, 3).toSorted())
    const bytesMax = 512 + 1000 * 153
    expect((await tenant.track("POST", path, segmentBody(bytesMax))).status).toBe(200)
    expect((await tenant.track("POST", path, segmentBody(bytesMax + 1))).status).toBe(413)
    await tenant.updateSettings({ limits: { segment_ids: 10, person_id_bytes: 50 } })
    expect((await tenant.track("POST", path, segmentBody(512 + 10 * 53))).status).toBe(200)
    expect((await tenant.track("POST", path, segmentBody(513 + 10 * 53))).status).toBe(413)
    await tenant.updateSettings({ limits: { segment_ids: 1000, person_id_bytes: 150 } })
  })
})

describe("JSON nested deeper than 100 levels", () => {
  it("contract §13 nesting: Pipelines leaves out attributes nested deeper than 100 levels, even in a large batch", async () => {
    const [id, other, event] = [fresh("p"), fresh("p"), fresh("e")]
    const traits = { deep: nested(101), fits: nested(100), plan: "pro" }
    const track = { userId: id, event, properties: { deep: nested(101), fits: nested(100), plan: "pro" } }
    const filler = Array.from({ length: 70 }, () => ({
      type: "track",
      userId: id,
      event: "filler",
      properties: { text: "x".repeat(1000) },
    }))
    const batch = [{ type: "identify", userId: other, traits }, ...filler]
    const identified = await source.post("identify", { userId: id, traits })
    const tracked = await source.post("track", track)
    const batched = await source.post("batch", { batch })
    const group = await source.post("group", { userId: id, groupId: fresh("o"), traits })
    for (const entry of [
      await tenant.operation(identified),
      await tenant.operation(batched, 0),
      await tenant.operation(group),
      await tenant.operation(tracked),
    ]) {
      expect(entry.reason).toContain("100 levels")
      expect(entry.reason).toContain("deep")
      expect(["partial", "pending"]).toContain(entry.outcome)
    }
    for (const one of [id, other]) {
      const { attributes } = await tenant.person({ id: one })
      expect(attributes).toEqual({ fits: nested(100), plan: "pro" })
    }
    expect((await tenant.event(event)).data).toEqual({ fits: nested(100), plan: "pro" })
  })

  it("v1 and v2 answer an attribute nested deeper than 100 levels with an error that names the attribute", async () => {
    const id = fresh("p")
    const answers = [
      await tenant.identify(id, { deep: nested(101) }),
      await tenant.recordEvent(id, { name: "e", data: { deep: nested(101) } }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.text).toContain("100 levels")
      expect(answer.text).toContain("deep")
    }
    for (const [item, field] of [
      [person(id, { attributes: { deep: nested(101) } }), "attributes.deep"],
      [person(id, { action: "event", name: "e", attributes: { deep: nested(101) } }), "attributes.deep"],
    ] as const) {
      const answer = await tenant.entity(item)
      expect(answer.status).toBe(400)
      expectEntityFaults(answer, { reason: "invalid", field })
      const batched = await tenant.batch([person(id), item])
      expect(batched.status).toBe(207)
      expectEntityFaults(batched, { batch_index: 1, reason: "invalid", field })
    }
    expectTrackSuccess(await tenant.identify(id, { fits: nested(100) }))
    expectTrackSuccess(await tenant.recordEvent(id, { name: "e", data: { fits: nested(100) } }))
  })
})

const related = (identifiers: object) => [{ identifiers, relationship_attributes: { role: "owner" } }]

/** Returns relationships to the objects of type 1 with these ids. */
const objects = (...ids: ReadonlyArray<string>) =>
  ids.map((object_id) => ({
    identifiers: { object_type_id: "1", object_id },
    relationship_attributes: { role: "owner" },
  }))

describe("svc_relationships inside v2 attributes", () => {
  it("contract §9 svc_relationships: an identify relates a person to the objects named in its attributes and in its item", async () => {
    const [id, one, two, three] = [fresh("p"), fresh("o"), fresh("o"), fresh("o")]
    const identify = (attributes: object, more: object = {}) =>
      tenant.entity(person(id, { attributes, ...more }))
    expectTrackSuccess(await identify({ cio_relationships: objects(one), plan: "pro" }))
    expectTrackSuccess(
      await identify({ svc_relationships: objects(two) }, { svc_relationships: objects(three) }),
    )
    const { attributes, relationships } = await tenant.person({ id })
    expect(attributes).toEqual({ plan: "pro" })
    expect(relationships.map(({ object_id }) => object_id).toSorted()).toEqual([one, two, three].toSorted())
    const removal = { action: "delete_relationships", relationships: objects(one) }
    expectTrackSuccess(await identify({ svc_relationships: removal }))
    expect((await tenant.person({ id })).relationships).toHaveLength(2)
  })

  it("svc_relationships in the attributes of an object relates the object to people and visitors, and is not stored as an attribute", async () => {
    const [object, id, other, visitor] = [fresh("o"), fresh("p"), fresh("p"), fresh("v")]
    const identify = (action: string, attributes: object, more: object = {}) =>
      tenant.entity({
        type: "object",
        identifiers: { object_type_id: "1", object_id: object },
        action,
        attributes,
        ...more,
      })
    expectTrackSuccess(
      await identify(
        "identify",
        { cio_relationships: related({ id }), name: "Acme" },
        { cio_relationships: related({ id: other }) },
      ),
    )
    expectTrackSuccess(
      await identify("identify_anonymous", { svc_relationships: related({ anonymous_id: visitor }) }),
    )
    expect((await tenant.object("1", object))?.attributes).toEqual({ name: "Acme" })
    for (const one of [id, other]) {
      const { relationships } = await tenant.person({ id: one })
      expect(relationships).toMatchObject([{ object_id: object, attributes: { role: "owner" } }])
    }
    await tenant.identify(id, { anonymous_id: visitor })
    const added = { action: "add_relationships", relationships: related({ id: fresh("p") }) }
    expectTrackSuccess(await identify("identify", { svc_relationships: added }))
    const removed = await identify("identify", {
      svc_relationships: { action: "delete_relationships", relationships: related({ id }) },
    })
    expect(removed.status).toBe(400)
    expectEntityFaults(removed, { reason: "invalid", field: "attributes.svc_relationships.action" })
  })
})

describe("a v1 identify", () => {
  it("contract §2 null body: a v1 identify with the body null creates a person without attributes", async () => {
    const id = fresh("p")
    expectTrackSuccess(await tenant.track("PUT", `/api/v1/customers/${id}`, "null"))
    expect(await tenant.person({ id })).toMatchObject({ id, attributes: {} })
  })
})

describe("limits on what a person can have", () => {
  const limits = {
    relationships_per_person: 2,
    segments_per_person: 2,
    devices_per_person: 2,
    identifiers_per_person: 2,
  }

  it("contract §5 limits of a person: a workspace can raise the limits on a person's devices, objects, segments and identifiers", async () => {
    const own = await Tenant.create({ limits })
    const id = fresh("p")
    const segments = [
      await own.createSegment("1"),
      await own.createSegment("2"),
      await own.createSegment("3"),
    ]
    const device = (n: number) => ({ device: { id: `${id}${n}`, platform: "ios" } })
    const addOneOfEach = async (n: number) => {
      const answers = [
        await own.track("PUT", `/api/v1/customers/${id}/devices`, device(n)),
        await own.entity(person(id, { cio_relationships: [{ identifiers: { object_id: `${n}` } }] })),
        await own.identify(id, { anonymous_id: `${id}${n}` }),
      ]
      const path = `/api/v1/segments/${segments[n]}/add_customers`
      const joined = await own.operation(await own.track("POST", path, { ids: [id] }))
      const entries = await Promise.all(answers.map((answer) => own.operation(answer)))
      return [...entries.map(({ outcome }) => outcome), joined.data]
    }
    const joined = (n: number, applied: number) => ({
      segment_id: segments[n],
      ids_applied: applied,
      ids_ignored: 1 - applied,
    })
    expect(await addOneOfEach(0)).toEqual(["created", "applied", "applied", joined(0, 1)])
    expect(await addOneOfEach(1)).toEqual(["applied", "applied", "applied", joined(1, 1)])
    expect(await addOneOfEach(2)).toEqual(["partial", "partial", "partial", joined(2, 0)])
    await own.updateSettings({
      limits: Object.fromEntries(Object.keys(limits).map((name) => [name, 3])),
    })
    expect(await addOneOfEach(2)).toEqual(["applied", "applied", "applied", joined(2, 1)])
    expect(await own.person({ id })).toMatchObject({
      devices: { length: 3 },
      relationships: { length: 3 },
      anonymous_ids: { length: 3 },
      segments: { length: 3 },
    })
  })

  it("contract §5 merged limits: a merge can exceed a limit without losing anything, but nothing more can be added to the merged person afterwards", async () => {
    const own = await Tenant.create()
    const ids = [fresh("a"), fresh("b")]
    for (const id of ids) {
      await own.batch(
        Array.from({ length: 80 }, (_, n) => ({
          type: "person",
          identifiers: { id },
          action: "add_device",
          device: { token: `${id}-${n}`, platform: "ios" },
        })),
      )
      for (const part of [0, 1, 2, 3]) {
        const related = Array.from({ length: 200 }, (_, n) => ({
          identifiers: { object_type_id: "1", object_id: `${id}-${part}-${n}` },
        }))
        await own.entity({
          type: "person",
          identifiers: { id },
          action: "add_relationships",
          cio_relationships: related,
        })
      }
    }
    const [primary = "", secondary = ""] = ids
    const merged = await own.merge({ id: primary }, { id: secondary })
    expect(await own.operation(merged)).toMatchObject({
      outcome: "applied",
      reasons: [{ code: "gains_unlisted" }],
    })
    const { devices, relationships } = await own.person({ id: primary })
    expect(devices).toHaveLength(160)
    expect(relationships.length).toBeGreaterThan(50)
    const { svc_id } = await own.person({ id: primary })
    expect((await own.personBySvcId(svc_id)).relationships).toHaveLength(1600)
    const device = { device: { id: fresh("d"), platform: "ios" } }
    const added = await own.track("PUT", `/api/v1/customers/${primary}/devices`, device)
    expect(await own.operation(added)).toMatchObject({ outcome: "partial" })
    expect((await own.person({ id: primary })).devices).toHaveLength(160)
  })
})

/** Returns subscription preferences in which all topics are in one nested object. */
const whole = (count: number) => ({
  cio_subscription_preferences: {
    topics: Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, true])),
  },
})

describe("subscription preferences", () => {
  const path = "cio_subscription_preferences.topics"
  const canonical = "svc_subscription_preferences.topics"
  const dotted = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${path}.t${from + n}`, true]))
  it("contract §5 preferences: a person can have 300 topics, and a fault names topic 301", async () => {
    const [id, other, piped] = [fresh("p"), fresh("p"), fresh("p")]
    expectTrackSuccess(await tenant.identify(id, dotted(300)))
    expectTrackSuccess(await tenant.identify(other, whole(300)))
    const named = expect.stringContaining(`${canonical}.t300`)
    for (const one of [id, other]) {
      const more = await tenant.identify(one, { ...dotted(2, 299), plan: "pro" })
      expectTrackSuccess(more)
      expect(await tenant.operation(more)).toMatchObject({ outcome: "partial", reason: named })
      const { attributes, subscription_preferences } = await tenant.person({ id: one })
      expect(attributes).toEqual({ plan: "pro" })
      expect(subscription_preferences).toEqual(whole(300).cio_subscription_preferences)
    }
    for (const over of [dotted(301), whole(301)]) {
      const refused = await tenant.identify(id, over)
      expect([refused.status, refused.json]).toEqual([400, { meta: { errors: [named] } }])
      const item = await tenant.entity(person(id, { attributes: over }))
      expect(item.status).toBe(400)
      expectEntityFaults(item, { reason: "too_many", field: `attributes.${canonical}.t300` })
      const left = await source.post("identify", { userId: piped, traits: over })
      expectPipelinesSuccess(left)
      expect(await tenant.operation(left)).toMatchObject({ outcome: "partial", reason: named })
      const { subscription_preferences } = await tenant.person({ id: piped })
      expect(subscription_preferences).toEqual(whole(300).cio_subscription_preferences)
    }
  })

  it("a person can have 16 KB of subscription preferences, set as a whole or topic by topic", async () => {
    const id = fresh("p")
    const bare = JSON.stringify({ topics: { a: "", b: true } }).length
    const ofBytes = (bytes: number) => ({ topics: { b: true, a: "x".repeat(bytes - bare) } })
    const set = (bytes: number) => tenant.identify(id, { cio_subscription_preferences: ofBytes(bytes) })
    expectTrackSuccess(await set(16 * kibibyte))
    expect((await tenant.person({ id })).subscription_preferences).toEqual(ofBytes(16 * kibibyte))
    const over = await set(16 * kibibyte + 1)
    expect(over.status).toBe(400)
    expect(over.text).toContain(`${canonical}.a`)
    const added = await tenant.identify(id, { [`${path}.c`]: true })
    expect(await tenant.operation(added)).toMatchObject({
      outcome: "partial",
      reason: expect.stringContaining(`${canonical}.c`),
    })
    expectTrackSuccess(await tenant.identify(id, { [`${path}.a`]: "short", [`${path}.c`]: true }))
    expect((await tenant.person({ id })).subscription_preferences).toEqual({
      topics: { a: "short", b: true, c: true },
    })
  })

  it("limits of preferences can be raised, and a merge can exceed the limits without losing preferences", async () => {
    const own = await Tenant.create({ limits: { topics_per_person: 2, preferences_bytes: 100 } })
    await own.identify("a", dotted(2))
    await own.identify("b", dotted(2, 2))
    const merged = await own.merge({ id: "a" }, { id: "b" })
    expect(await own.operation(merged)).toMatchObject({ outcome: "applied" })
    const four = whole(4).cio_subscription_preferences
    expect((await own.person({ id: "a" })).subscription_preferences).toEqual(four)
    const more = await own.identify("a", { [`${path}.t4`]: true, [`${path}.t0`]: true })
    expect(await own.operation(more)).toMatchObject({ outcome: "partial" })
    expect((await own.person({ id: "a" })).subscription_preferences).toEqual(four)
    await own.updateSettings({ limits: { topics_per_person: 400, preferences_bytes: 20_000 } })
    expectTrackSuccess(await own.identify("c", whole(400)))
    expect((await own.person({ id: "c" })).subscription_preferences).toEqual(
      whole(400).cio_subscription_preferences,
    )
  })
})
