import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess, expectFaultList } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { entity, event, identify, pipelines, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const rule = (section: string): unknown => expect.stringContaining(section)
const failed: unknown = expect.stringMatching(/./)

describe("identify rules", () => {
  it("track-api §2.1 rule 1: an identify with unknown identifiers creates a person", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    const answer = await identify(inlet, id, { email, plan: "pro" })
    expect(await management.operation(answer)).toMatchObject({ outcome: "created", rule: rule("2.1") })
    expect(await management.person({ id })).toMatchObject({ id, email, attributes: { plan: "pro" } })
  })

  it("track-api §2.1 rule 2: an identify updates the person named in the path", async () => {
    const id = fresh("p")
    await identify(inlet, id, { plan: "free", city: "Bonn" })
    const before = await management.person({ id })
    const answer = await identify(inlet, id, { plan: "pro" })
    expect(await management.operation(answer)).toMatchObject({ outcome: "applied", rule: rule("2.1") })
    const after = await management.person({ id })
    expect(after).toMatchObject({ svc_id: before.svc_id, attributes: { plan: "pro", city: "Bonn" } })
  })

  it("track-api §2.1 rule 2: an identify sets an identifier that the person does not have yet", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await identify(inlet, id, {})
    await identify(inlet, id, { email })
    expect(await management.person({ id })).toMatchObject({ email })
    const [other, address] = [fresh("p"), freshEmail()]
    await identify(inlet, address, {})
    await identify(inlet, address, { id: other })
    expect(await management.person({ email: address })).toMatchObject({ id: other })
  })

  it("track-api §2.1 rule 3: if the path identifier is unknown, the person found by a body identifier gets the path identifier", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await identify(inlet, email, { city: "Bonn" })
    const before = await management.person({ email })
    const answer = await identify(inlet, id, { email, plan: "pro" })
    expect(await management.operation(answer)).toMatchObject({ outcome: "applied", rule: rule("2.1") })
    const after = await management.person({ id })
    expect(after).toMatchObject({
      svc_id: before.svc_id,
      id,
      email,
      attributes: { city: "Bonn", plan: "pro" },
    })
  })

  it("contract §6 rule 3: if the person found by the body has another id than the path, a new person is created for the path", async () => {
    const [id, other, email] = [fresh("p"), fresh("p"), freshEmail()]
    await identify(inlet, other, { email })
    const before = await management.person({ id: other })
    const answer = await identify(inlet, id, { email, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial", reason: failed })
    const created = await management.person({ id })
    expect(created).toMatchObject({ id, email: null, attributes: { plan: "pro" } })
    expect(created.svc_id).not.toBe(before.svc_id)
    expect(await management.person({ email })).toMatchObject({
      svc_id: before.svc_id,
      id: other,
      attributes: {},
    })
  })

  it("track-api §2.1 rule 4: an identifier in the body that belongs to another person is left out, and the rest of the identify applies", async () => {
    const [first, second, email] = [fresh("p"), fresh("p"), freshEmail()]
    await identify(inlet, first, {})
    await identify(inlet, second, { email })
    const answer = await identify(inlet, first, { email, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({
      outcome: "partial",
      reason: failed,
      rule: "contract §6 taken identifiers",
    })
    expect(await management.person({ id: first })).toMatchObject({ email: null, attributes: { plan: "pro" } })
    expect(await management.person({ email })).toMatchObject({ id: second, attributes: {} })
  })

  it("track-api §2.1 rule 5: an identify by svc_id changes the person's id and email", async () => {
    const [id, email, nextId, nextEmail] = [fresh("p"), freshEmail(), fresh("p"), freshEmail()]
    await identify(inlet, id, { email })
    const { svc_id } = await management.person({ id })
    const answer = await identify(inlet, `svc_${svc_id}`, { id: nextId, email: nextEmail, plan: "pro" })
    expect(await management.operation(answer)).toMatchObject({ outcome: "applied", rule: rule("2.1") })
    expect(await management.personBySvcId(svc_id)).toMatchObject({ id: nextId, email: nextEmail })
    expect(await management.people({ id })).toEqual([])
    expect(await management.people({ email })).toEqual([])
    await identify(inlet, id, {})
    expect((await management.person({ id })).svc_id).not.toBe(svc_id)
  })

  it("track-api §2.1 rule 5: an identify by svc_id cannot take an id from another person", async () => {
    const [id, taken] = [fresh("p"), fresh("p")]
    await identify(inlet, id, {})
    await identify(inlet, taken, {})
    const { svc_id } = await management.person({ id })
    const answer = await identify(inlet, `svc_${svc_id}`, { id: taken, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial", reason: failed })
    expect(await management.personBySvcId(svc_id)).toMatchObject({ id, attributes: { plan: "pro" } })
  })

  it("track-api §2.1 rule 5: an identify by an unknown or deleted svc_id is dropped", async () => {
    const id = fresh("p")
    await identify(inlet, id, {})
    const { svc_id } = await management.person({ id })
    await track(inlet, "DELETE", `/api/v1/customers/${id}`)
    for (const opaque of [svc_id, fresh("nobody").replace("-", "")]) {
      const email = freshEmail()
      const answer = await identify(inlet, `svc_${opaque}`, { email })
      expectTrackSuccess(answer)
      expect(await management.operation(answer)).toMatchObject({ outcome: "dropped", rule: rule("2.1") })
      expect(await management.people({ email })).toEqual([])
    }
  })

  it("contract §6 path and body: if the path and the body of an identify hold different ids, the id in the path wins", async () => {
    const [id, other] = [fresh("p"), fresh("p")]
    const answer = await identify(inlet, id, { id: other, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial", reason: failed })
    expect(await management.person({ id })).toMatchObject({ id, attributes: { plan: "pro" } })
    expect(await management.people({ id: other })).toEqual([])
  })

  it("contract §6 empty id: a call with an empty id gets a 400 with the documented message", async () => {
    const answer = await identify(inlet, freshEmail(), { id: "" })
    expect(answer.status).toBe(400)
    expectFaultList(answer, "id attribute cannot be an empty string")
  })

  it("an id that is neither a string nor a number gets the documented message", async () => {
    const answer = await identify(inlet, freshEmail(), { id: { a: 1 } })
    expect(answer.status).toBe(400)
    expectFaultList(answer, "id attribute must be a string value")
  })

  it("contract §6 _update: an identify with _update updates an existing person and does not create a person", async () => {
    const id = fresh("p")
    const answer = await identify(inlet, id, { _update: true, plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "dropped", reason: failed })
    expect(await management.people({ id })).toEqual([])
    const v2 = {
      type: "person",
      identifiers: { id },
      action: "identify",
      attributes: { _update: true, plan: "pro" },
    }
    expectTrackSuccess(await entity(inlet, v2))
    expect(await management.people({ id })).toEqual([])
    await identify(inlet, id, {})
    await entity(inlet, v2)
    expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
  })
})

const item = (identifiers: object, attributes: object = {}) => ({
  type: "person",
  action: "identify",
  identifiers,
  attributes,
})

describe("identify rules in v2", () => {
  it("track-api §2.1 rule 3: if no person has the leading identifier of a v2 item (the first of svc_id, id and email), a person with another identifier of the item gets the leading identifier", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await entity(inlet, item({ email }, { city: "Bonn" }))
    expectTrackSuccess(await entity(inlet, item({ id, email }, { plan: "pro" })))
    expect(await management.person({ id })).toMatchObject({
      email,
      attributes: { city: "Bonn", plan: "pro" },
    })
    const [other, address] = [fresh("p"), freshEmail()]
    await entity(inlet, item({ email: address }))
    expectTrackSuccess(await entity(inlet, item({ id: other }, { email: address })))
    expect(await management.person({ id: other })).toMatchObject({ email: address })
  })

  it("track-api §2.1 rule 4: an identifier of a v2 identify that belongs to another person is left out, and the rest of the identify applies", async () => {
    const [first, second, email] = [fresh("p"), fresh("p"), freshEmail()]
    await entity(inlet, item({ id: first }))
    await entity(inlet, item({ id: second, email }))
    const answer = await entity(inlet, item({ id: first, email }, { plan: "pro" }))
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial", reason: failed })
    expect(await management.person({ id: first })).toMatchObject({ email: null, attributes: { plan: "pro" } })
    expect(await management.person({ email })).toMatchObject({ id: second, attributes: {} })
  })

  it("track-api §2.1 rule 5: a v2 identify by svc_id changes the person's id", async () => {
    const [id, next] = [fresh("p"), fresh("p")]
    await entity(inlet, item({ id }))
    const { svc_id } = await management.person({ id })
    expectTrackSuccess(await entity(inlet, item({ cio_id: svc_id }, { id: next })))
    expect((await management.person({ id: next })).svc_id).toBe(svc_id)
    expect(await management.people({ id })).toEqual([])
  })

  it("contract §6 other identifiers: a delete ignores all identifiers except the first of svc_id, id and email", async () => {
    const [first, second] = [fresh("p"), freshEmail()]
    for (const identifier of [first, second]) await identify(inlet, identifier, {})
    const identifiers = { id: first, email: second }
    expectTrackSuccess(await entity(inlet, { type: "person", action: "delete", identifiers }))
    expect(await management.people({ id: first })).toEqual([])
    expect((await management.person({ email: second })).id).toBeNull()
  })

  it("a svc_id contains only URL-safe characters", async () => {
    const id = fresh("p")
    await entity(inlet, item({ id }))
    expect((await management.person({ id })).svc_id).toMatch(/^[\w.~-]+$/)
  })
})

describe("attributes", () => {
  it("contract §6 attributes: a person can have attributes with any JSON value and with dots, capitals and underscores in their names", async () => {
    const id = fresh("p")
    const attributes = {
      "a.b": { c: [1, "2", null, { d: false }] },
      Plan: "upper",
      plan: "lower",
      _internal: 1,
      "é 💥": "日本",
      zero: 0,
      no: false,
      list: [],
      object: {},
      float: 1.5e-7,
    }
    await identify(inlet, id, attributes)
    expect((await management.person({ id })).attributes).toEqual(attributes)
  })

  it("contract §6 removal: the values null and empty string remove an attribute of a person", async () => {
    const id = fresh("p")
    await identify(inlet, id, { a: 1, b: 2, c: 3 })
    await identify(inlet, id, { a: null, b: "", d: null })
    expect((await management.person({ id })).attributes).toEqual({ c: 3 })
  })

  it.each([
    [true, true],
    [1, true],
    ["1", true],
    ["TRUE", true],
    ["tRuE", true],
    [false, false],
    [0, false],
    ["yes", false],
    [2, false],
  ])("unsubscribed %j is read as %s", async (unsubscribed, expected) => {
    const id = fresh("p")
    await identify(inlet, id, { unsubscribed })
    expect((await management.person({ id })).unsubscribed).toBe(expected)
  })

  it.each([1_700_000_000, "1700000000", 1_700_000_000.9])(
    "created_at %j sets the person's creation time",
    async (created_at) => {
      const id = fresh("p")
      await identify(inlet, id, { created_at })
      expect(Date.parse((await management.person({ id })).created_at)).toBe(1_700_000_000_000)
    },
  )

  it("contract §6 created_at: an identify leaves out a created_at that is not a time", async () => {
    const id = fresh("p")
    const answer = await identify(inlet, id, { created_at: "yesterday", plan: "pro" })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial", reason: failed })
    expect((await management.person({ id })).attributes["plan"]).toBe("pro")
  })
})

describe("updates", () => {
  it("contract §6 _timestamp: an older update does not overwrite newer attributes, but sets its other attributes", async () => {
    const id = fresh("p")
    await identify(inlet, id, { _timestamp: 2000, a: "new", gone: null })
    await identify(inlet, id, { _timestamp: 1000, a: "old", b: "old" })
    expect((await management.person({ id })).attributes).toEqual({ a: "new", b: "old" })
    await identify(inlet, id, { _timestamp: 1500, a: "older", b: "newer" })
    expect((await management.person({ id })).attributes).toEqual({ a: "new", b: "newer" })
    await identify(inlet, id, { a: "now" })
    expect((await management.person({ id })).attributes).toEqual({ a: "now", b: "newer" })
  })

  it("an update with an older timestamp does not restore an attribute that a newer update removed", async () => {
    const id = fresh("p")
    await identify(inlet, id, { _timestamp: 1000, a: "there" })
    await identify(inlet, id, { _timestamp: 3000, a: null })
    await identify(inlet, id, { _timestamp: 2000, a: "late" })
    expect((await management.person({ id })).attributes).toEqual({})
  })

  it("_timestamp orders updates across v1, v2 and Pipelines", async () => {
    const id = fresh("p")
    const v2 = { type: "person", identifiers: { id }, action: "identify" }
    await pipelines(inlet, "/v1/identify", { userId: id, traits: { _timestamp: 2000, a: "new" } })
    await entity(inlet, { ...v2, _timestamp: 1000, attributes: { a: "old", b: "v2" } })
    await entity(inlet, { ...v2, timestamp: 1000, attributes: { a: "old", c: "v2" } })
    await entity(inlet, { ...v2, timestamp: 9000, _timestamp: 1500, attributes: { a: "old", c: "newer" } })
    await entity(inlet, { ...v2, timestamp: 1400, attributes: { c: "old" } })
    await pipelines(inlet, "/v1/identify", { userId: id, traits: { _timestamp: 1000, a: "old" } })
    expect((await management.person({ id })).attributes).toEqual({ a: "new", b: "v2", c: "newer" })
  })

  it("contract §6 unreadable _timestamp: an update leaves out a _timestamp that is not a time, and is applied", async () => {
    const id = fresh("p")
    const answer = await identify(inlet, id, { _timestamp: "soon", a: 1 })
    expectTrackSuccess(answer)
    expect(await management.operation(answer)).toMatchObject({ outcome: "partial" })
    expect((await management.person({ id })).attributes).toEqual({ a: 1 })
  })
})

describe("delete", () => {
  it.each(["v1", "v2"])(
    "contract §6 delete: a delete on %s removes the person and the personal data in their log entries",
    async (version) => {
      const [id, email, secret, name] = [fresh("p"), freshEmail(), fresh("secret"), fresh("e")]
      const operations = [
        await identify(inlet, id, { email, secret }),
        await event(inlet, id, { name, data: { secret } }),
      ]
      const { svc_id } = await management.person({ id })
      const answer =
        version === "v1"
          ? await track(inlet, "DELETE", `/api/v1/customers/${id}`)
          : await entity(inlet, { type: "person", identifiers: { email }, action: "delete" })
      expectTrackSuccess(answer)
      expect(await management.operation(answer)).toMatchObject({ kind: "delete", outcome: "applied" })
      expect((await management.call("GET", management.pathOf(`/people/${svc_id}`))).status).toBe(404)
      expect(await management.people({ email })).toEqual([])
      for (const operation of operations) {
        const shown = await management.call("GET", management.pathOf(`/operations/${operation.operationId}`))
        for (const text of [id, email, secret]) expect(shown.text).not.toContain(text)
      }
      expect(JSON.stringify(await management.activity({}))).not.toContain(secret)
      await identify(inlet, id, {})
      const next = await management.person({ id })
      expect(next).toMatchObject({ email: null, attributes: {} })
      expect(next.svc_id).not.toBe(svc_id)
      const kinds = (await management.activity({}, next.svc_id)).map(({ kind }) => kind)
      expect(kinds).toEqual(["identify"])
    },
  )

  it("a delete of an unknown person is acknowledged", async () => {
    expectTrackSuccess(await track(inlet, "DELETE", `/api/v1/customers/${fresh("p")}`))
    expectTrackSuccess(
      await entity(inlet, { type: "person", identifiers: { id: fresh("p") }, action: "delete" }),
    )
  })
})
