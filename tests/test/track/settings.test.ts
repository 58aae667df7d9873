import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectFaultList } from "../../src/expectAnswer.ts"
import { fresh, freshEmail, textOfBytes } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"

const limited = await Tenant.create()
const numberedAttributes = (count: number, from = 0): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${from + n}`, n]))

const company = (
  object_id: unknown,
  attributes: object = {},
  svc_relationships: ReadonlyArray<object> = [],
) =>
  limited.entity({
    type: "object",
    identifiers: { object_type_id: "1", object_id },
    action: "identify",
    attributes,
    svc_relationships,
  })

const related = (id: string, relationship_attributes: object) => [
  { identifiers: { id }, relationship_attributes },
]

const expectBad = (answer: Answer, reason: string, field: string): void => {
  expect(answer.status, answer.text).toBe(400)
  expectEntityFaults(answer, { reason, field })
}

/** Returns 30 attributes with the names `b<from>`, `b<from + 1>` and so on, and with values of 1000 bytes. */
const block = (from: number) =>
  Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`b${from + n}`, textOfBytes(1000)]))

describe("the limits of objects and relationships", () => {
  it.each(["x", "é", "💥"])(
    "track-api §8 object id: accepts an object id of 150 bytes filled with %s and answers 400 to a longer id",
    async (character) => {
      const object_id = textOfBytes(150, fresh("o"), character)
      expectTrackSuccess(await company(object_id))
      expect(await limited.object("1", object_id)).toMatchObject({ object_id })
      expectBad(await company(`${object_id}x`), "too_long", "identifiers.object_id")
    },
  )

  it("track-api §8 attribute name (object or relationship): a name of 150 bytes and a value of 1000 bytes are accepted, and longer names and values get a 400", async () => {
    const [object_id, name, value] = [fresh("o"), textOfBytes(150, "n", "é"), textOfBytes(1000, "v", "💥")]
    expectTrackSuccess(await company(object_id, { [name]: value }, related(fresh("p"), { [name]: value })))
    expect(await limited.object("1", object_id)).toMatchObject({ attributes: { [name]: value } })
    expect(await limited.peopleOfObject("1", object_id)).toMatchObject([{ attributes: { [name]: value } }])
    const path = "svc_relationships.0.relationship_attributes"
    const long = `${name}x`
    expectBad(await company(object_id, { [long]: 1 }), "too_long", "attributes")
    expectBad(await company(object_id, { a: `${value}x` }), "too_long", "attributes.a")
    const entry = related("p", { a: `${value}x` })
    expectBad(await company(object_id, {}, entry), "too_long", `${path}.a`)
  })

  it("track-api §8 attributes per object or relationship: an item with more than 300 attributes is rejected, and an update leaves out the attributes that it would add beyond 300", async () => {
    const object_id = fresh("o")
    expectTrackSuccess(
      await company(object_id, numberedAttributes(300), related(fresh("p"), numberedAttributes(300))),
    )
    expectBad(await company(fresh("o"), numberedAttributes(301)), "too_many", "attributes")
    const path = "svc_relationships.0.relationship_attributes"
    expectBad(await company(fresh("o"), {}, related("p", numberedAttributes(301))), "too_many", path)
    const answer = await company(object_id, { a0: "changed", more: 1 })
    expectTrackSuccess(answer)
    expect(await limited.operation(answer)).toMatchObject({ outcome: "partial" })
    const found = (await limited.object("1", object_id))?.attributes ?? {}
    expect([Object.keys(found).length, found["a0"], found["more"]]).toEqual([300, "changed", undefined])
  })

  it("track-api §8 total attribute size: an update leaves out attributes that would make the attributes of an object larger than 100 KB", async () => {
    const object_id = fresh("o")
    for (const from of [0, 30, 60]) expectTrackSuccess(await company(object_id, block(from)))
    const answer = await company(object_id, block(90))
    expectTrackSuccess(answer)
    expect(await limited.operation(answer)).toMatchObject({ outcome: "partial" })
    const found = (await limited.object("1", object_id))?.attributes ?? {}
    const names = Object.keys(found).length
    expect(names).toBeGreaterThan(95)
    expect(names).toBeLessThanOrEqual(102)
    expectTrackSuccess(await company(object_id, { b0: "small" }))
    expect((await limited.object("1", object_id))?.attributes["b0"]).toBe("small")
  })
})

describe("limits of a workspace", () => {
  it("contract §5 raised limits: a raised or lowered limit applies to the next request", async () => {
    const tenant = await Tenant.create()
    const long = textOfBytes(1001)
    const identify = () => tenant.identify(fresh("p"), { plan: long })
    expect((await identify()).status).toBe(400)
    await tenant.updateSettings({ limits: { attribute_value_bytes: 2000 } })
    expect((await identify()).status).toBe(200)
    expect((await tenant.identify(fresh("p"), { plan: textOfBytes(2001) })).status).toBe(400)
    await tenant.updateSettings({ limits: { attribute_value_bytes: 10 } })
    expect((await identify()).status).toBe(400)
    const answer = await tenant.identify(fresh("p"), { plan: textOfBytes(11) })
    expectFaultList(answer, "value for attribute 'plan' cannot be longer than 10 bytes")
  })

  it("track-api §8 higher limits: each limit of a workspace can be raised", async () => {
    const tenant = await Tenant.create({
      limits: {
        request_bytes: 200_000,
        person_id_bytes: 300,
        object_id_bytes: 300,
        attribute_name_bytes: 300,
        attributes_per_person: 400,
        attributes_per_object: 400,
        event_name_bytes: 200,
        event_data_bytes: 150_000,
        segment_ids: 2000,
      },
    })
    const id = textOfBytes(300, fresh("p"))
    expectTrackSuccess(await tenant.identify(id, { ...numberedAttributes(399), [textOfBytes(300, "n")]: 1 }))
    expect(Object.keys((await tenant.person({ id })).attributes)).toHaveLength(400)
    expectTrackSuccess(
      await tenant.recordEvent(id, { name: textOfBytes(200), data: { filler: textOfBytes(149_000) } }),
    )
    const identifiers = { object_id: textOfBytes(300) }
    expectTrackSuccess(
      await tenant.entity({
        type: "object",
        identifiers,
        action: "identify",
        attributes: numberedAttributes(400),
      }),
    )
    const segment = await tenant.createSegment()
    const ids = Array.from({ length: 2000 }, (_, n) => `x${n}`)
    const path = `/api/v1/segments/${segment}/add_customers`
    expectTrackSuccess(await tenant.track("POST", path, { ids }))
    expect((await tenant.track("POST", path, { ids: [...ids, "y"] })).status).toBe(400)
  })
})

describe("the identifiers of a workspace", () => {
  it("contract §6 identifiers id: in a workspace that identifies people by id only, email is an ordinary attribute", async () => {
    const tenant = await Tenant.create({ identifiers: ["id"] })
    const [id, email] = [fresh("p"), freshEmail()]
    expectTrackSuccess(await tenant.identify(id, { email }))
    expectTrackSuccess(await tenant.identify(email, { plan: "pro" }))
    expect(await tenant.person({ id })).toMatchObject({ email: null, attributes: { email } })
    expect(await tenant.person({ id: email })).toMatchObject({ email: null, attributes: { plan: "pro" } })
    expectTrackSuccess(await tenant.identify(fresh("p"), { email }))
    const v2 = await tenant.entity({ type: "person", identifiers: { email }, action: "identify" })
    expectBad(v2, "invalid", "identifiers.email")
    expect((await tenant.merge({ id }, { email })).status).toBe(400)
  })

  it("contract §6 identifiers email: in a workspace that identifies people by email only, id is an ordinary attribute", async () => {
    const tenant = await Tenant.create({ identifiers: ["email"] })
    const [id, email] = [fresh("p"), freshEmail()]
    expectTrackSuccess(await tenant.identify(email, { id, plan: "pro" }))
    expect(await tenant.person({ email })).toMatchObject({ id: null, attributes: { id, plan: "pro" } })
    expect(await tenant.people({ id })).toEqual([])
    const v2 = await tenant.entity({ type: "person", identifiers: { id }, action: "identify" })
    expectBad(v2, "invalid", "identifiers.id")
    expectTrackSuccess(
      await tenant
        .track("POST", `/api/v1/forms/${fresh("f")}/submit`, { data: { email, id } })
        .then((answer) => (answer.status === 204 ? tenant.identify(email) : answer)),
    )
    expect(await tenant.people({})).toHaveLength(1)
  })

  it("track-api §2.1 identifiers: an identify by id changes the email if the workspace allows it", async () => {
    const tenant = await Tenant.create({ email_update_by_id: true })
    const [id, before, after] = [fresh("p"), freshEmail(), freshEmail()]
    await tenant.identify(id, { email: before })
    const answer = await tenant.identify(id, { email: after })
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "applied" })
    expect(await tenant.person({ id })).toMatchObject({ email: after })
    expect(await tenant.people({ email: before })).toEqual([])
    await tenant.updateSettings({ email_update_by_id: false })
    const refused = await tenant.identify(id, { email: before })
    expect(await tenant.operation(refused)).toMatchObject({ outcome: "partial" })
    expect(await tenant.person({ id })).toMatchObject({ email: after })
  })

  it("contract §7 event merging off: if event merging is off, a visitor's events before the identify stay anonymous, and later events belong to the person", async () => {
    const tenant = await Tenant.create({ event_merging: false })
    const [visitor, id, before, after] = [fresh("v"), fresh("p"), fresh("e"), fresh("e")]
    await tenant.track("POST", "/api/v1/events", { name: before, anonymous_id: visitor })
    await tenant.identify(id, { anonymous_id: visitor })
    await tenant.track("POST", "/api/v1/events", { name: after, anonymous_id: visitor })
    expect(await tenant.event(before)).toMatchObject({
      outcome: "pending",
      processed_at: null,
      subject: { svc_id: null, anonymous_id: visitor },
    })
    expect(await tenant.event(after)).toMatchObject({ outcome: "applied", subject: { id } })
  })
})

describe("a workspace with a limit of records", () => {
  it("contract §5 full workspaces: a full workspace rejects new people, objects and forms, but their calls are answered like accepted calls", async () => {
    const full = await Tenant.create({ records_max: 1 })
    const known = fresh("p")
    expectTrackSuccess(await full.identify(known))
    expectTrackSuccess(await full.identify(fresh("p")))
    expectTrackSuccess(
      await full.entity({
        type: "object",
        identifiers: { object_type_id: "1", object_id: "acme" },
        action: "identify",
      }),
    )
    const submission = await full.track("POST", "/api/v1/forms/contact/submit", {
      data: { email: freshEmail() },
    })
    expect(submission.status, submission.text).toBe(204)
    expectTrackSuccess(await full.identify(known, { plan: "pro" }))
    expect((await full.activity({})).map(({ outcome, rule }) => [outcome, rule])).toEqual([
      ["applied", "track-api §2.1 rule 2"],
      ["rejected", "contract §5 full workspaces"],
      ["rejected", "contract §5 full workspaces"],
      ["rejected", "contract §5 full workspaces"],
      ["created", "track-api §2.1 rule 1"],
    ])
    expect(await full.person({ id: known })).toMatchObject({ attributes: { plan: "pro" } })
  })

  it("contract §16 rejected calls: a full workspace keeps what was sent until the people it names are erased", async () => {
    const full = await Tenant.create({ records_max: 1 })
    const [known, another, suppressed] = [fresh("p"), fresh("p"), fresh("p")]
    await full.identify(known)
    await full.track("POST", `${customerPath(suppressed)}/suppress`)
    const event = { name: "bought", data: { price: 3 } }
    const calls = [
      await full.identify(another, { plan: "pro" }),
      await full.recordEvent(another, event),
      await full.recordEvent(suppressed, event),
    ]
    const entries = () => Promise.all(calls.map((answer) => full.operation(answer)))
    const path = customerPath(another)
    expect(await entries()).toMatchObject([
      { outcome: "rejected", data: { plan: "pro" }, request: { path } },
      { outcome: "rejected", name: "bought", data: event, request: { path: `${path}/events` } },
      { outcome: "ignored", request: null },
    ])
    await full.track("POST", `${path}/suppress`)
    expect(await entries()).toMatchObject([
      { outcome: "rejected", data: null, request: null },
      { outcome: "rejected", name: null, data: null, request: null },
      { outcome: "ignored", request: null },
    ])
  })
})
