import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectSingleFault } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const person = (id: string) => ({ type: "person", identifiers: { id } })
const entry = (object_id: string, attributes: object = {}) => ({
  identifiers: { object_type_id: "1", object_id },
  relationship_attributes: attributes,
})

/** Creates two people with these attributes and returns their ids. */
const createPair = async (primary: object = {}, secondary: object = {}) => {
  const [a, b] = [fresh("a"), fresh("b")]
  await tenant.batch([
    { ...person(a), action: "identify", attributes: primary },
    { ...person(b), action: "identify", attributes: secondary },
  ])
  return [a, b] as const
}

describe("a merge", () => {
  it("track-api §4.3 rule 1: a merge keeps the primary and deletes the secondary", async () => {
    const [a, b] = await createPair({ plan: "pro" }, { plan: "free" })
    const before = await tenant.person({ id: a })
    const secondary = await tenant.person({ id: b })
    const answer = await tenant.merge({ id: a }, { id: b })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "merge", outcome: "applied" })
    expect(await tenant.person({ id: a })).toMatchObject({ svc_id: before.svc_id })
    expect(await tenant.people({ id: b })).toEqual([])
    expect((await tenant.call("GET", tenant.pathOf(`/people/${secondary.svc_id}`))).status).toBe(404)
  })

  it("contract §6 merge attributes: after a merge, the primary's values win, and attributes that the primary lacks come from the secondary", async () => {
    const [a, b] = await createPair({ plan: "pro", size: 1 }, { plan: "free", city: "Bonn", size: 2 })
    await tenant.identify(a, { unsubscribed: true })
    await tenant.merge({ id: a }, { id: b })
    expect(await tenant.person({ id: a })).toMatchObject({
      attributes: { plan: "pro", size: 1, city: "Bonn" },
      unsubscribed: true,
    })
  })

  it("contract §6 merge identifiers: the primary takes over each kind of identifier that it lacks, and the secondary's other identifiers become free", async () => {
    const [a, b, email, visitor] = [fresh("a"), fresh("b"), freshEmail(), fresh("v")]
    await tenant.identify(a)
    await tenant.identify(b, { email, anonymous_id: visitor })
    await tenant.merge({ id: a }, { email })
    expect(await tenant.person({ id: a })).toMatchObject({ email, anonymous_ids: [visitor] })
    await tenant.identify(b, { plan: "new" })
    expect(await tenant.person({ id: b })).toMatchObject({ email: null, attributes: { plan: "new" } })
  })

  it("contract §6 merge moves: a merge moves events, devices, segments, relationships and deliveries to the primary", async () => {
    const [a, b] = await createPair()
    const [name, token, company, delivery] = [fresh("e"), fresh("t"), fresh("o"), fresh("d")]
    const segment = await tenant.createSegment()
    await tenant.batch([
      { ...person(b), action: "event", name, attributes: { n: 1 } },
      { ...person(b), action: "add_device", device: { token, platform: "ios" } },
      { ...person(b), action: "add_relationships", svc_relationships: [entry(company, { role: "x" })] },
    ])
    await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids: [b] })
    await tenant.registerDelivery(delivery, { channel: "email", person: { id: b } })
    await tenant.merge({ id: a }, { id: b })
    const { svc_id, ...found } = await tenant.person({ id: a })
    expect(found).toMatchObject({
      devices: [{ token, platform: "ios" }],
      relationships: [{ object_type_id: "1", object_id: company, attributes: { role: "x" } }],
      segments: [segment],
    })
    expect((await tenant.event(name)).subject).toMatchObject({ svc_id, id: a })
    expect((await tenant.activity({ name }, svc_id)).map(({ data }) => data)).toEqual([{ n: 1 }])
    expect(await tenant.segmentMembers(segment)).toEqual([a])
    expect((await tenant.peopleOfObject("1", company)).map(({ id }) => id)).toEqual([a])
    expect((await tenant.delivery(delivery))?.svc_id).toBe(svc_id)
  })

  it("contract §6 merge triggers: events that a merge moves are not trigger-eligible", async () => {
    const [a, b] = await createPair()
    const [moved, own] = [fresh("e"), fresh("e")]
    await tenant.recordEvent(b, { name: moved })
    await tenant.recordEvent(a, { name: own })
    await tenant.merge({ id: a }, { id: b })
    expect((await tenant.event(moved)).trigger_eligible).toBe(false)
    expect((await tenant.event(own)).trigger_eligible).toBe(true)
  })

  it("track-api §3 merge: a merge with an unknown primary is dropped, and a merge after an identify of the primary in the same batch is applied", async () => {
    const [nobody, b] = [fresh("a"), fresh("b")]
    await tenant.identify(b, { plan: "free" })
    const answer = await tenant.merge({ id: nobody }, { id: b })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "dropped" })
    expect((await tenant.person({ id: b })).attributes).toEqual({ plan: "free" })
    expectTrackSuccess(
      await tenant.batch([
        { ...person(nobody), action: "identify" },
        { type: "person", action: "merge", primary: { id: nobody }, secondary: { id: b } },
        { ...person(nobody), action: "event", name: nobody },
      ]),
    )
    expect((await tenant.person({ id: nobody })).attributes).toEqual({ plan: "free" })
    expect((await tenant.event(nobody)).subject).toMatchObject({ id: nobody })
  })

  it("contract §6 merge of unknown people: a merge with an unknown secondary or of a person with themselves is dropped", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.identify(id, { email })
    const { svc_id } = await tenant.person({ id })
    for (const secondary of [{ id: fresh("x") }, { id }, { email }, { svc_id }, { cio_id: svc_id }]) {
      const answer = await tenant.merge({ id }, secondary)
      expectTrackSuccess(answer)
      expect(await tenant.operation(answer)).toMatchObject({ kind: "merge", outcome: "dropped" })
    }
    expect(await tenant.person({ id })).toMatchObject({ svc_id, email })
  })

  it("contract §6 merge references: a merge gets a 400 if primary or secondary has no identifier or several identifiers", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    const wrong = [undefined, null, {}, { id, email }, { phone: "+1" }, { id: "" }, { id: {} }, "p", [id], 5]
    for (const one of wrong) {
      for (const body of [
        { primary: one, secondary: { id } },
        { primary: { id }, secondary: one },
      ]) {
        const v1 = await tenant.track("POST", "/api/v1/merge_customers", body)
        expect(v1.status, JSON.stringify(body)).toBe(400)
        expectSingleFault(v1)
        const v2 = await tenant.entity({ type: "person", action: "merge", ...body })
        expect(v2.status).toBe(400)
        const field: unknown = expect.stringMatching(/^(primary|secondary)/)
        expectEntityFaults(v2, { field })
      }
    }
  })

  it("contract §6 delete of a merged person: a delete or suppress by an identifier that a merge freed undoes the merge and erases the secondary", async () => {
    for (const action of ["delete", "suppress"]) {
      const [a, b] = await createPair({ plan: "pro" }, { plan: "free", city: "Bonn" })
      const secondary = await tenant.person({ id: b })
      const merge = await tenant.operation(await tenant.merge({ id: a }, { id: b }))
      const answer = await tenant.entity({ ...person(b), action })
      expectTrackSuccess(answer)
      expect(await tenant.operation(answer)).toMatchObject({ kind: action, outcome: "applied" })
      const primary = await tenant.person({ id: a })
      expect(primary.attributes).toMatchObject({ plan: "pro" })
      expect(primary.attributes).not.toHaveProperty("city")
      const merges = await tenant.call("GET", tenant.pathOf(`/people/${primary.svc_id}/merges`))
      expect(merges.json).toMatchObject({ items: [] })
      const entry = await tenant.call("GET", tenant.pathOf(`/operations/${merge.operation_id}`))
      expect(entry.status).toBe(200)
      expect(entry.text).not.toContain("Bonn")
      expect((await tenant.call("GET", tenant.pathOf(`/people/${secondary.svc_id}`))).status).toBe(404)
    }
  })

  it("contract §6 delete of a merged person: a delete by an identifier that somebody got since a merge deletes only that person", async () => {
    const [a, b] = await createPair({}, { city: "Bonn" })
    await tenant.merge({ id: a }, { id: b })
    await tenant.identify(b, { plan: "new" })
    await tenant.entity({ ...person(b), action: "delete" })
    expect(await tenant.people({ id: b })).toEqual([])
    expect(await tenant.person({ id: a })).toMatchObject({ attributes: { city: "Bonn" } })
  })

  it("a merge accepts numeric ids, a svc_id with prefix and an email in any case", async () => {
    const n = Math.floor(Math.random() * 1e12)
    const [b, email] = [fresh("b"), freshEmail()]
    await tenant.identify(String(n))
    await tenant.identify(b)
    await tenant.identify(email)
    const { svc_id } = await tenant.person({ id: b })
    await tenant.merge({ id: n }, { cio_id: `cio_${svc_id}` })
    await tenant.merge({ id: n }, { email: email.toUpperCase() })
    expect(await tenant.person({ id: String(n) })).toMatchObject({ email })
    expect(await tenant.people({ id: b })).toEqual([])
  })

  it("an identify by the svc_id of a merged person is dropped", async () => {
    const [a, b] = await createPair()
    const { svc_id } = await tenant.person({ id: b })
    await tenant.merge({ id: a }, { id: b })
    const late = await tenant.identify(`svc_${svc_id}`, { plan: "late" })
    expectTrackSuccess(late)
    expect(await tenant.operation(late)).toMatchObject({ outcome: "dropped" })
    expect((await tenant.person({ id: a })).attributes).toEqual({})
  })

  it("after a chain of merges, the last primary has all attributes and events", async () => {
    const ids = Array.from({ length: 6 }, (_, n) => fresh(`p${n}`))
    await tenant.batch(
      ids.map((id, n) => ({ ...person(id), action: "identify", attributes: { [`a${n}`]: n } })),
    )
    await tenant.batch(ids.map((id) => ({ ...person(id), action: "event", name: ids[0], id: fresh("k") })))
    for (let n = 1; n < ids.length; n++) await tenant.merge({ id: ids[n] }, { id: ids[n - 1] })
    const last = await tenant.person({ id: ids[5] ?? "" })
    expect(last.attributes).toEqual({ a0: 0, a1: 1, a2: 2, a3: 3, a4: 4, a5: 5 })
    expect(await tenant.activity({ name: ids[0] ?? "" }, last.svc_id)).toHaveLength(6)
  })
})
