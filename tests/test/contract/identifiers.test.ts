import { describe, expect, it } from "vitest"
import {
  expectTrackSuccess,
  expectEntityFaults,
  expectFaultList,
  expectPipelinesSuccess,
} from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { strict } from "../../src/ingestion.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)
const byEmail = await Tenant.create({ identifiers: ["email"] })
const sourceByEmail = await PipelinesSource.forWorkspace(byEmail.inlet, byEmail.workspace)

const text: unknown = expect.any(String)
const notEmails = ["ada", "ada@", "@example.com", "ada lovelace@example.com", "  "]

const person = (identifiers: object, more: object = {}) => ({
  type: "person",
  identifiers,
  action: "identify",
  ...more,
})

describe("an email", () => {
  it("contract §6 valid email: an email is trimmed, and a v2 email identifier that is not an email is rejected", async () => {
    const email = freshEmail()
    expectTrackSuccess(await tenant.entity(person({ email: `  ${email} ` })))
    expect(await tenant.person({ email })).toMatchObject({ email, id: null })
    const local = `${fresh("p")}@localhost`
    expectTrackSuccess(await tenant.entity(person({ email: local })))
    expect(await tenant.person({ email: local })).toMatchObject({ email: local })
    for (const wrong of notEmails) {
      const answer = await tenant.entity(person({ id: fresh("p"), email: wrong }))
      expect(answer.status, wrong).toBe(400)
      expectEntityFaults(answer, { reason: "invalid", field: "identifiers.email" })
    }
    expect((await tenant.merge({ email: "ada" }, { email })).status).toBe(400)
  })

  it("the attribute email is left out if its value is not an email, on every protocol", async () => {
    for (const email of notEmails) {
      const [v1, v2, piped] = [fresh("p"), fresh("p"), fresh("p")]
      const answers = [
        await tenant.identify(v1, { email, plan: "pro" }),
        await tenant.entity(person({ id: v2 }, { attributes: { email, plan: "pro" } })),
        await source.post("identify", { userId: piped, traits: { email, plan: "pro" } }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        const entry = await tenant.operation(answer)
        expect(entry).toMatchObject({ outcome: "partial", reason: expect.stringContaining("email") })
      }
      for (const id of [v1, v2, piped]) {
        expect(await tenant.person({ id })).toMatchObject({ email: null, attributes: { plan: "pro" } })
      }
    }
  })

  it("the email of a form submission is left out if it is not an email", async () => {
    const [form, id] = [fresh("f"), fresh("p")]
    const submit = (data: object) => tenant.track("POST", `/api/v1/forms/${form}/submit`, { data })
    const answer = await submit({ id, email: "ada", plan: "pro" })
    expect(answer.status).toBe(204)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial" })
    expect(await tenant.person({ id })).toMatchObject({ email: null, attributes: { plan: "pro" } })
    expect((await submit({ email: "ada" })).status).toBe(400)
  })
})

describe("a workspace that identifies people by email only", () => {
  it("contract §6 email only: in a workspace that identifies people by email only, v1 answers 400 to an identifier that is neither an email nor a svc_id", async () => {
    const bare = fresh("p")
    const identified = await byEmail.identify(bare, { plan: "pro" })
    expect(identified.status).toBe(400)
    expectFaultList(identified, expect.stringContaining("invalid identifier"))
    const path = `/api/v1/customers/${bare}`
    const device = { device: { id: fresh("d"), platform: "ios" } }
    const answers = [
      await byEmail.recordEvent(bare, { name: "signed_up" }),
      await byEmail.track("PUT", `${path}/devices`, device),
      await byEmail.track("DELETE", path),
      await byEmail.track("POST", `${path}/suppress`),
      await byEmail.entity(person({ email: bare })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    expect(await byEmail.people({ id: bare })).toEqual([])
    expect(await byEmail.people({ q: bare })).toEqual([])
  })

  it("a Pipelines userId that is not an email is rejected, and an email without a dot in its domain is accepted", async () => {
    const [bare, local] = [fresh("p"), `${fresh("p")}@localhost`]
    for (const [path, call] of [
      ["identify", { userId: bare, traits: { plan: "pro" } }],
      ["track", { userId: bare, event: "signed_up" }],
      ["group", { userId: bare, groupId: fresh("o") }],
    ] as const) {
      const answer = await sourceByEmail.post(path, call)
      expectPipelinesSuccess(answer)
      const entry = await byEmail.operation(answer)
      expect(entry).toMatchObject({
        outcome: "rejected",
        reason: expect.stringContaining("invalid identifier"),
      })
    }
    expect(await byEmail.people({ q: bare })).toEqual([])
    expectTrackSuccess(await byEmail.identify(local))
    expect(await byEmail.person({ email: local })).toMatchObject({ id: null, email: local })
  })
})

describe("an email set to null or an empty string", () => {
  const removals = [null, ""]

  it("contract §6 email removal: an email of null or an empty string removes the email of a person addressed by id or svc_id", async () => {
    for (const email of removals) {
      const [id, before, again] = [fresh("p"), freshEmail(), freshEmail()]
      await tenant.identify(id, { email: before })
      const removed = await tenant.identify(id, { email })
      expect(await tenant.operation(removed)).toMatchObject({
        outcome: "applied",
        changes: [{ path: "email", from: before, to: null }],
      })
      expect(await tenant.person({ id })).toMatchObject({ email: null })
      expect(await tenant.people({ email: before })).toEqual([])
      await tenant.entity(person({ id, email: again }))
      const { svc_id } = await tenant.person({ id })
      await tenant.entity(person({ svc_id }, { attributes: { email } }))
      expect(await tenant.person({ id })).toMatchObject({ email: null })
      await source.post("identify", { userId: id, traits: { email: before } })
      await source.post("identify", { userId: id, traits: { email } })
      expect(await tenant.person({ id })).toMatchObject({ email: null })
    }
  })

  it("an email removal is not applied if the person is addressed by email or has no id", async () => {
    for (const email of removals) {
      const [id, address, alone] = [fresh("p"), freshEmail(), freshEmail()]
      await tenant.identify(id, { email: address })
      await tenant.identify(alone)
      const { svc_id } = await tenant.person({ email: alone })
      const answers = [
        await tenant.identify(address, { email }),
        await tenant.entity(person({ svc_id }, { attributes: { email } })),
        await tenant.identify(freshEmail(), { email }),
        await tenant.entity(person({ id, email: address }, { attributes: { email } })),
      ]
      for (const answer of answers) {
        expectTrackSuccess(answer)
        const entry = await tenant.operation(answer)
        expect(entry).toMatchObject({ outcome: "partial", reason: expect.stringContaining("email") })
      }
      expect(await tenant.person({ id })).toMatchObject({ email: address })
      expect(await tenant.person({ email: alone })).toMatchObject({ id: null })
    }
  })

  it("removing the email of a person without an email changes nothing", async () => {
    const id = fresh("p")
    const answers = [await tenant.identify(id, { email: null }), await tenant.identify(id, { email: "" })]
    const outcomes = await Promise.all(answers.map((answer) => tenant.operation(answer)))
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["created", "applied"])
  })
})

/** Integers that JavaScript numbers cannot represent exactly. */
const unsafe = ["9007199254740993", "12345678901234567890", "-9007199254740992"]

const json = (template: object, value: string) => JSON.stringify(template).replace('"@"', value)

const expected = (field: string): unknown =>
  expect.stringContaining(`${field} must be a string or an integer up to 2^53`)

describe("an integer beyond 2^53", () => {
  it.each(unsafe)("contract §6 integers: rejects %s as an identifier and names the field", async (value) => {
    for (const [path, template, field] of [
      ["identify", { userId: "@" }, "userId"],
      ["identify", { userId: "@", anonymousId: "a" }, "userId"],
      ["track", { userId: "@", event: "e" }, "userId"],
      ["track", { anonymousId: "@", event: "e" }, "anonymousId"],
      ["page", { userId: "@" }, "userId"],
      ["group", { userId: "p", groupId: "@" }, "groupId"],
      ["group", { userId: "@", groupId: "g" }, "userId"],
      ["alias", { userId: "@", previousId: "p" }, "userId"],
      ["alias", { userId: "p", previousId: "@" }, "previousId"],
      ["alias", { anonymousId: "@", previousId: "p" }, "anonymousId"],
      ["track", { userId: "@", event: "User Deleted" }, "userId"],
    ] as const) {
      const lenient = await source.post(path, json(template, value))
      expectPipelinesSuccess(lenient)
      const entry = await tenant.operation(lenient)
      expect(entry).toMatchObject({ outcome: "rejected", reason: expected(field) })
      const refused = await source.post(path, json(template, value), strict)
      expect(refused.status).toBe(400)
      expect(refused.json).toMatchObject({ message: expected(field) })
    }
    for (const [item, field] of [
      [person({ id: "@" }), "identifiers.id"],
      [person({ svc_id: "@" }), "identifiers.svc_id"],
      [person({ anonymous_id: "@" }), "identifiers.anonymous_id"],
      [person({ id: "p" }, { attributes: { id: "@" } }), "attributes.id"],
      [{ type: "object", action: "identify", identifiers: { object_id: "@" } }, "identifiers.object_id"],
      [{ type: "delivery", action: "event", identifiers: { id: "@" }, name: "opened" }, "identifiers.id"],
      [
        {
          type: "object",
          action: "identify",
          identifiers: { object_id: "o" },
          svc_relationships: [{ identifiers: { id: "@" } }],
        },
        "svc_relationships.0.identifiers.id",
      ],
    ] as const) {
      const answer = await tenant.entity(json(item, value))
      expect(answer.status, field).toBe(400)
      expect(answer.json).toEqual({ errors: [{ reason: "invalid", field, message: expected(field) }] })
    }
    const put = (path: string, template: object) => tenant.track("PUT", path, json(template, value))
    const identified = await put("/api/v1/customers/p", { id: "@" })
    expect([identified.status, identified.json]).toEqual([400, { meta: { errors: [expected("id")] } }])
    const device = await put("/api/v1/customers/p/devices", { device: { id: "@", platform: "ios" } })
    expect([device.status, device.json]).toEqual([400, { meta: { errors: [expected("device.id")] } }])
    const merged = await tenant.track(
      "POST",
      "/api/v1/merge_customers",
      json({ primary: { id: "@" }, secondary: { id: "x" } }, value),
    )
    expect([merged.status, merged.json]).toEqual([400, { meta: { error: expected("primary.id") } }])
    const anonymous = await tenant.track(
      "POST",
      "/api/v1/events",
      json({ name: "e", anonymous_id: "@" }, value),
    )
    expect([anonymous.status, anonymous.json]).toEqual([400, { meta: { error: expected("anonymous_id") } }])
    const ofPerson = await tenant.track(
      "POST",
      "/api/v1/customers/p/events",
      json({ name: "e", anonymous_id: "@" }, value),
    )
    expect([ofPerson.status, ofPerson.json]).toEqual([400, { meta: { error: expected("anonymous_id") } }])
    const segment = await tenant.createSegment()
    const added = await tenant.track(
      "POST",
      `/api/v1/segments/${segment}/add_customers`,
      json({ ids: ["p", "@"] }, value),
    )
    expect([added.status, added.json]).toEqual([400, { meta: { error: expected("ids.1") } }])
  })

  it("contract §4 named faults: a userId of the wrong type is reported as a wrong type, not as missing", async () => {
    for (const userId of [true, {}, []]) {
      const answer = await source.post("track", { userId, event: "e" })
      const entry = await tenant.operation(answer)
      expect(entry).toMatchObject({ outcome: "rejected", reason: expected("userId") })
    }
  })

  it("the identifier 2^53 - 1 is accepted, and the attribute value 2^53 + 1 is rounded", async () => {
    const largest = "9007199254740991"
    const answer = await source.post("identify", json({ userId: "@", traits: { big: 1 } }, largest))
    expectPipelinesSuccess(answer)
    expect(await tenant.person({ id: largest })).toMatchObject({ attributes: { big: 1 } })
    const id = fresh("p")
    await tenant.track("PUT", `/api/v1/customers/${id}`, '{"big":9007199254740993}')
    expect(await tenant.person({ id })).toMatchObject({ attributes: { big: 9007199254740992 } })
  })
})

describe("an operator's changes", () => {
  it("contract §6 identifiers of people: a workspace that has people cannot change which identifiers it uses", async () => {
    const own = await Tenant.create()
    const patch = (settings: object) => own.call("PATCH", own.pathOf(""), settings)
    expect((await patch({ identifiers: ["id"] })).status).toBe(200)
    const id = fresh("p")
    await own.identify(id)
    const refused = await patch({ identifiers: ["email"], name: "other" })
    expect(refused.status).toBe(409)
    expect(refused.json).toMatchObject({ status: 409, detail: expect.stringContaining("identifiers") })
    const unchanged = await patch({ identifiers: ["id"], name: "new" })
    expect(unchanged.json).toMatchObject({ identifiers: ["id"], name: "new" })
    await own.track("DELETE", `/api/v1/customers/${id}`)
    expect((await patch({ identifiers: ["email", "id"] })).status).toBe(200)
  })

  it("contract §11 delivery of an unknown person: the registration of a delivery for an unknown person gets a 422 and registers nothing", async () => {
    for (const unknown of [{ id: fresh("p") }, { email: freshEmail() }, { svc_id: "p00000zzzz" }]) {
      const delivery = fresh("d")
      const path = tenant.pathOf(`/deliveries/${delivery}`)
      const answer = await tenant.call("PUT", path, { channel: "email", person: unknown })
      expect(answer.status).toBe(422)
      expect(answer.json).toMatchObject({ status: 422, detail: text })
      expect(await tenant.delivery(delivery)).toBeUndefined()
    }
  })
})
