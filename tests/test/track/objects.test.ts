import { describe, expect, it } from "vitest"
import { expectTrackSuccess, expectEntityFaults, expectFaultList } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const companies = (object_id: string) => ({ object_type_id: "1", object_id })
const object = (object_id: string, action: string, more: object = {}) =>
  tenant.entity({ type: "object", identifiers: companies(object_id), action, ...more })
const person = (id: string, action: string, more: object = {}) =>
  tenant.entity({ type: "person", identifiers: { id }, action, ...more })
const to = (identifiers: object, relationship_attributes?: unknown) =>
  relationship_attributes === undefined ? { identifiers } : { identifiers, relationship_attributes }
const related = (...svc_relationships: ReadonlyArray<object>) => ({ svc_relationships })
const namesOf = async (object_id: string) =>
  (await tenant.peopleOfObject("1", object_id))
    .map(({ anonymous_id, email, id }) => id ?? email ?? anonymous_id)
    .toSorted()
const relationshipsOf = async (id: string) => (await tenant.person({ id })).relationships

describe("an object", () => {
  it("track-api §2.2 identifiers: an identify call with the type and the id of an object creates the object, and an identify call without the id gets a 400", async () => {
    const object_id = fresh("o")
    const answer = await object(object_id, "identify")
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({
      kind: "object_identify",
      outcome: "created",
      subject: { object_type_id: "1", object_id, svc_id: null },
    })
    expect(await tenant.object("1", object_id)).toMatchObject({ attributes: {}, people_total: 0 })
    const none = await tenant.entity({
      type: "object",
      identifiers: { object_type_id: "1" },
      action: "identify",
    })
    expect(none.status).toBe(400)
    expectEntityFaults(none, { reason: "required", field: "identifiers.object_id" })
  })

  it("track-api §2.2 attributes: an object has attributes of any type, and each attribute is updated separately", async () => {
    const object_id = fresh("o")
    const nested = { a: [1, { b: null }], c: true }
    await object(object_id, "identify", { attributes: { name: "Acme", size: 3, nested } })
    await object(object_id, "identify", { attributes: { size: 4 } })
    expect((await tenant.object("1", object_id))?.attributes).toEqual({ name: "Acme", size: 4, nested })
  })

  it("track-api §2.2 svc_relationships: a request about an object relates the object to people and creates unknown people", async () => {
    const [object_id, id, email] = [fresh("o"), fresh("p"), freshEmail()]
    await object(object_id, "identify", related(to({ id }, { role: "boss" }), to({ email })))
    expect(await namesOf(object_id)).toEqual([id, email].toSorted())
    expect(await relationshipsOf(id)).toEqual([{ ...companies(object_id), attributes: { role: "boss" } }])
  })

  it("contract §9 object types: an object type is created on first use, is stored as a string even if sent as a number, and defaults to 1", async () => {
    const object_id = fresh("o")
    await tenant.entity({ type: "object", identifiers: { object_id }, action: "identify" })
    await tenant.entity({
      type: "object",
      identifiers: { object_type_id: 77, object_id: 5 },
      action: "identify",
    })
    expect(await tenant.object("1", object_id)).toBeDefined()
    expect(await tenant.object("77", "5")).toMatchObject({ object_type_id: "77", object_id: "5" })
    expect(await tenant.object("1", "5")).toBeUndefined()
  })

  it("contract §9 svc_object_id: a svc_object_id addresses an existing object and never creates an object", async () => {
    const object_id = fresh("o")
    await object(object_id, "identify")
    const { svc_object_id = "" } = (await tenant.object("1", object_id)) ?? {}
    for (const name of ["svc_object_id", "cio_object_id"]) {
      const item = { type: "object", identifiers: { [name]: svc_object_id }, action: "identify" }
      expectTrackSuccess(await tenant.entity({ ...item, attributes: { [name]: "seen" } }))
    }
    expect((await tenant.object("1", object_id))?.attributes).toMatchObject({ svc_object_id: "seen" })
    const answer = await tenant.entity({
      type: "object",
      identifiers: { svc_object_id: "ob999999" },
      action: "identify",
    })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "dropped" })
  })

  it("contract §9 removal: null and the empty string remove an attribute of an object or a relationship", async () => {
    const [object_id, id] = [fresh("o"), fresh("p")]
    const attributes = { a: 1, b: 2, c: 3 }
    await object(object_id, "identify", { attributes, ...related(to({ id }, attributes)) })
    const removing = { a: null, b: "" }
    await object(object_id, "identify", { attributes: removing, ...related(to({ id }, removing)) })
    const found = await tenant.object("1", object_id)
    expect([found?.attributes, (await tenant.peopleOfObject("1", object_id))[0]?.attributes]).toEqual([
      { c: 3 },
      { c: 3 },
    ])
  })

  it("contract §9 delete object: a delete removes an object with its relationships, and a later identify creates a new object", async () => {
    const [object_id, id] = [fresh("o"), fresh("p")]
    await object(object_id, "identify", { attributes: { a: 1 }, ...related(to({ id })) })
    const before = await tenant.object("1", object_id)
    const answer = await object(object_id, "delete", { attributes: {}, svc_relationships: [] })
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "object_delete", outcome: "applied" })
    expect(await tenant.object("1", object_id)).toBeUndefined()
    expect(await relationshipsOf(id)).toEqual([])
    await object(object_id, "identify")
    const after = await tenant.object("1", object_id)
    expect(after).toMatchObject({ attributes: {}, people_total: 0 })
    expect(after?.svc_object_id).not.toBe(before?.svc_object_id)
    expect(await relationshipsOf(id)).toEqual([])
  })

  it("an older _timestamp does not overwrite newer attributes of an object", async () => {
    const object_id = fresh("o")
    await object(object_id, "identify", { attributes: { a: "new", b: "new" }, _timestamp: 2000 })
    await object(object_id, "identify", { attributes: { a: "old", c: "old" }, timestamp: 1000 })
    expect((await tenant.object("1", object_id))?.attributes).toEqual({ a: "new", b: "new", c: "old" })
  })
})

describe("a relationship", () => {
  it("track-api §2.3 v2 person: a v2 person item relates the person to each object in its list", async () => {
    const [id, first, second] = [fresh("p"), fresh("o"), fresh("o")]
    await person(id, "identify", related(to(companies(first), { role: "boss" }), to(companies(second))))
    expect((await relationshipsOf(id)).toSorted((a, b) => Number(a.object_id > b.object_id) * 2 - 1)).toEqual(
      [first, second]
        .toSorted()
        .map((one) => ({ ...companies(one), attributes: one === first ? { role: "boss" } : {} })),
    )
    expect(await namesOf(first)).toEqual([id])
  })

  it("track-api §2.3 v2 object: a v2 object item adds and removes relationships to people by id", async () => {
    const [object_id, a, b] = [fresh("o"), fresh("p"), fresh("p")]
    await object(object_id, "add_relationships", related(to({ id: a }, { n: 1 }), to({ id: b })))
    expect(await namesOf(object_id)).toEqual([a, b].toSorted())
    await object(object_id, "delete_relationships", related(to({ id: a })))
    expect(await namesOf(object_id)).toEqual([b])
    expect(await relationshipsOf(a)).toEqual([])
  })

  it("contract §9 person entries: a request about an object relates people by id, email or svc_id, and leaves out only people with an unknown svc_id", async () => {
    const [object_id, id, email, other] = [fresh("o"), fresh("p"), freshEmail(), fresh("p")]
    await tenant.identify(other)
    const { svc_id } = await tenant.person({ id: other })
    const entries = [to({ id }), to({ email }), to({ cio_id: svc_id }), to({ svc_id: "zz999999" })]
    const answer = await object(object_id, "identify", related(...entries))
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({
      outcome: "partial",
      reason: expect.stringContaining("svc_relationships.3"),
    })
    expect(await namesOf(object_id)).toEqual([id, email, other].toSorted())
  })

  it("track-api §2.3 v2 identify_anonymous: the action relates an object to visitors and creates no person", async () => {
    const [object_id, visitor] = [fresh("o"), fresh("v")]
    const entry = to({ anonymous_id: visitor }, { seen: true })
    expectTrackSuccess(
      await object(object_id, "identify_anonymous", { attributes: { a: 1 }, ...related(entry) }),
    )
    expect(await tenant.object("1", object_id)).toMatchObject({
      attributes: { a: 1 },
      people_total: 1,
    })
    expect(await tenant.peopleOfObject("1", object_id)).toMatchObject([
      { svc_id: null, id: null, anonymous_id: visitor, attributes: { seen: true } },
    ])
    expect(await tenant.people({ anonymous_id: visitor })).toEqual([])
  })

  it("track-api §2.3 rule 3: a visitor's relationships move to the identified person, and attributes of the person's own relationships win", async () => {
    const [object_id, other, visitor, id] = [fresh("o"), fresh("o"), fresh("v"), fresh("p")]
    const entry = (of: string) => to({ anonymous_id: visitor }, { of, by: "visitor" })
    await object(object_id, "identify_anonymous", related(entry("first")))
    await object(other, "identify_anonymous", related(entry("second")))
    await person(id, "identify", related(to(companies(other), { of: "own" })))
    await tenant.identify(id, { anonymous_id: visitor })
    expect(await namesOf(object_id)).toEqual([id])
    const found = new Map((await relationshipsOf(id)).map((one) => [one.object_id, one.attributes]))
    expect(found.get(object_id)).toEqual({ of: "first", by: "visitor" })
    expect(found.get(other)).toEqual({ of: "own", by: "visitor" })
  })

  it("track-api §2.3 v1 person: a v1 identify reads relationships from an object with an action and a list, under svc_relationships or cio_relationships", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    for (const brand of ["svc", "cio"]) {
      const relationships = [to(companies(object_id), { [brand]: true })]
      const change = { action: "add_relationships", relationships }
      expectTrackSuccess(await tenant.identify(id, { [`${brand}_relationships`]: change }))
    }
    expect(await relationshipsOf(id)).toEqual([
      { ...companies(object_id), attributes: { svc: true, cio: true } },
    ])
  })

  it("track-api §2.3 rule 1: in v1, relationships accept only the actions add_relationships and delete_relationships", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    const change = (action: unknown) =>
      tenant.identify(id, { svc_relationships: { action, relationships: [to(companies(object_id))] } })
    expectTrackSuccess(await change("add_relationships"))
    expect(await namesOf(object_id)).toEqual([id])
    expectTrackSuccess(await change("delete_relationships"))
    expect([await namesOf(object_id), await relationshipsOf(id)]).toEqual([[], []])
    for (const action of [undefined, null, "remove", 1]) {
      const answer = await change(action)
      expect(answer.status).toBe(400)
      expectFaultList(answer)
    }
  })

  it("track-api §2.3 rule 2: relating a person to an unknown object creates the object without attributes", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    const relationships = [{ ...to(companies(object_id), { role: "x" }), attributes: { a: 1 } }]
    await tenant.identify(id, { svc_relationships: { action: "add_relationships", relationships } })
    expect((await tenant.object("1", object_id))?.attributes).toEqual({})
  })

  it("a v2 person item adds and removes relationships, and removing a relationship of an unknown person is dropped", async () => {
    const [id, nobody, object_id] = [fresh("p"), fresh("p"), fresh("o")]
    const answer = await person(id, "add_relationships", related(to(companies(object_id), { a: 1 })))
    expect(await tenant.operation(answer)).toMatchObject({ kind: "add_relationships", outcome: "created" })
    await person(id, "add_relationships", related(to(companies(object_id), { b: 2 })))
    expect((await relationshipsOf(id))[0]?.attributes).toEqual({ a: 1, b: 2 })
    await person(id, "delete_relationships", related(to(companies(object_id))))
    expect(await relationshipsOf(id)).toEqual([])
    const dropped = await person(nobody, "delete_relationships", related(to(companies(object_id))))
    expectTrackSuccess(dropped)
    expect(await tenant.operation(dropped)).toMatchObject({ outcome: "dropped" })
  })

  it("deleting a person removes the person's relationships from the related objects", async () => {
    const [id, object_id] = [fresh("p"), fresh("o")]
    await object(object_id, "identify", related(to({ id })))
    await person(id, "delete")
    expect(await namesOf(object_id)).toEqual([])
  })

  it("an invalid relationship gets a 400 that names the wrong field of the request", async () => {
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [undefined, "svc_relationships"],
      ["x", "svc_relationships"],
      [[5], "svc_relationships.0"],
      [[{}], "svc_relationships.0.identifiers"],
      [[to({})], "svc_relationships.0.identifiers"],
      [[to({ id: "p" }), to({ id: {} })], "svc_relationships.1.identifiers.id"],
    ]
    for (const [svc_relationships, field] of wrong) {
      const answer = await object(fresh("o"), "add_relationships", { svc_relationships })
      expect(answer.status, field).toBe(400)
      expectEntityFaults(answer, { field })
    }
  })
})
