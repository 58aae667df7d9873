import { describe, expect, it } from "vitest"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const suppress = (identifier: string) => tenant.track("POST", `${customerPath(identifier)}/suppress`)
const unsuppress = (identifier: string) => tenant.track("POST", `${customerPath(identifier)}/unsuppress`)
const v2 = (identifiers: object, action: string, more: object = {}) =>
  tenant.entity({ type: "person", identifiers, action, ...more })

describe("suppressing", () => {
  it("track-api §3 exists suppress: a suppress deletes the profile, and later calls for its identifiers are ignored", async () => {
    const [id, email, name] = [fresh("p"), freshEmail(), fresh("e")]
    await tenant.identify(id, { email, plan: "pro" })
    await tenant.recordEvent(id, { name })
    const { svc_id } = await tenant.person({ id })
    expectTrackSuccess(await suppress(id))
    expect([await tenant.people({ id }), await tenant.people({ email })]).toEqual([[], []])
    expect(await tenant.activity({ name })).toEqual([])
    for (const identifier of [id, email]) {
      expectTrackSuccess(await tenant.identify(identifier, { plan: "new" }))
    }
    expect([await tenant.people({ id }), await tenant.people({ email })]).toEqual([[], []])
    expect((await tenant.call("GET", tenant.pathOf(`/people/${svc_id}`))).status).toBe(404)
  })

  it("contract §6 suppressed calls: a call of any kind that names a suppressed identifier is acknowledged and recorded as ignored", async () => {
    const [id, email, other, object_id] = [fresh("p"), freshEmail(), fresh("other"), fresh("o")]
    await tenant.identify(id, { email })
    await tenant.identify(other)
    const { svc_id } = await tenant.person({ id })
    await suppress(email)
    const object = { object_type_id: "1", object_id }
    const device = { token: fresh("t"), platform: "ios" }
    const calls = [
      () => tenant.identify(id, { plan: "pro" }),
      () => tenant.identify(email.toUpperCase(), { plan: "pro" }),
      () => tenant.identify(`svc_${svc_id}`, { plan: "pro" }),
      () => tenant.identify(fresh("new"), { email }),
      () => tenant.recordEvent(id, { name: "e" }),
      () => tenant.track("DELETE", customerPath(id)),
      () => tenant.track("PUT", `${customerPath(id)}/devices`, { device: { id: "t", platform: "ios" } }),
      () => tenant.track("DELETE", `${customerPath(id)}/devices/t`),
      () => tenant.merge({ id: other }, { id }),
      () => tenant.merge({ email }, { id: other }),
      () => v2({ id }, "add_device", { device }),
      () => v2({ email }, "page", { name: "e" }),
      () => v2({ svc_id }, "event", { name: "e" }),
      () => v2({ id }, "add_relationships", { svc_relationships: [{ identifiers: object }] }),
      () => v2({ id }, "suppress"),
      () => tenant.track("POST", `/api/v1/forms/${fresh("f")}/submit`, { data: { email } }),
    ]
    for (const [n, call] of calls.entries()) {
      const answer = await call()
      expect([200, 204], `call ${n}: ${answer.text}`).toContain(answer.status)
      const entry = await tenant.operation(answer)
      expect(entry, `call ${n}`).toMatchObject({
        outcome: "ignored",
        reason: "the request names a suppressed person",
        subject: { svc_id: null, id: null, email: null },
      })
      expect(JSON.stringify(entry)).not.toContain(id)
      expect(JSON.stringify(entry).toLowerCase()).not.toContain(email)
    }
    expect(await tenant.people({ email })).toEqual([])
    expect(await tenant.object("1", object_id)).toBeUndefined()
    expect(await tenant.person({ id: other })).toMatchObject({ id: other, email: null })
  })

  it("contract §6 suppress of an unknown identifier: an identifier that no person has can be suppressed", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await suppress(id)
    await v2({ email }, "suppress")
    expect([await tenant.isSuppressed({ id }), await tenant.isSuppressed({ email })]).toEqual([true, true])
    for (const identifier of [id, email]) await tenant.identify(identifier)
    expect([await tenant.people({ id }), await tenant.people({ email })]).toEqual([[], []])
  })

  it("contract §6 suppression digests: suppressing an identifier deletes its pending events and stores only the digest of the identifier", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await tenant.recordEvent(id, { name, data: { secret: id } })
    const answer = await suppress(id)
    expect(await tenant.activity({ name })).toEqual([])
    const ignored = await tenant.operation(await tenant.identify(id, { plan: id }))
    expect(ignored.data).toEqual({ identifier_digest: expect.stringMatching(/^\S{16,}$/) })
    expect((await tenant.operation(await tenant.recordEvent(id, { name: "x" }))).data).toEqual(ignored.data)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "suppress", outcome: "applied" })
  })

  it("a v2 item about an object relates the named people, except suppressed people", async () => {
    const [id, other, object_id] = [fresh("p"), fresh("p"), fresh("o")]
    await suppress(id)
    const svc_relationships = [{ identifiers: { id } }, { identifiers: { id: other } }]
    const item = { type: "object", action: "identify", identifiers: { object_id }, svc_relationships }
    const answer = await tenant.entity(item)
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ outcome: "partial" })
    expect((await tenant.peopleOfObject("1", object_id)).map((one) => one.id)).toEqual([other])
  })

  it("a suppression in one workspace does not apply in another workspace", async () => {
    const elsewhere = await Tenant.create()
    const id = fresh("p")
    await suppress(id)
    expect(await elsewhere.isSuppressed({ id })).toBe(false)
    await elsewhere.identify(id)
    expect((await elsewhere.person({ id })).id).toBe(id)
  })
})

describe("unsuppressing", () => {
  it("track-api §3 unsuppress: an unsuppress creates no person, and the next identify creates a person without history", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    await tenant.identify(id, { plan: "old" })
    const before = await tenant.person({ id })
    await tenant.recordEvent(id, { name })
    await suppress(id)
    expectTrackSuccess(await unsuppress(id))
    expect(await tenant.people({ id })).toEqual([])
    expect(await tenant.isSuppressed({ id })).toBe(false)
    await tenant.identify(id, { city: "Bonn" })
    const after = await tenant.person({ id })
    expect(after).toMatchObject({ attributes: { city: "Bonn" } })
    expect(after.svc_id).not.toBe(before.svc_id)
    expect(await tenant.activity({ name }, after.svc_id)).toEqual([])
  })

  it("contract §6 unsuppress together: unsuppressing one identifier releases all identifiers that were suppressed together with it", async () => {
    for (const kind of ["id", "email", "svc_id"]) {
      const [id, email] = [fresh("p"), freshEmail()]
      await tenant.identify(id, { email })
      const { svc_id } = await tenant.person({ id })
      const by = { id, email: email.toUpperCase(), svc_id: `svc_${svc_id}` }[kind] ?? ""
      await suppress(id)
      expect([await tenant.isSuppressed({ id }), await tenant.isSuppressed({ email })]).toEqual([true, true])
      expect(await tenant.operation(await unsuppress(by))).toMatchObject({ outcome: "applied" })
      expect([await tenant.isSuppressed({ id }), await tenant.isSuppressed({ email })]).toEqual([
        false,
        false,
      ])
    }
  })

  it("a call that unsuppresses an identifier that is not suppressed is recorded as dropped", async () => {
    const answer = await unsuppress(fresh("p"))
    expectTrackSuccess(answer)
    expect(await tenant.operation(answer)).toMatchObject({ kind: "unsuppress", outcome: "dropped" })
  })

  it("suppress and unsuppress in one batch are applied in order", async () => {
    const [id, name] = [fresh("p"), fresh("e")]
    const own = { type: "person", identifiers: { id } }
    expectTrackSuccess(
      await tenant.batch([
        { ...own, action: "identify", attributes: { a: 1 } },
        { ...own, action: "suppress" },
        { ...own, action: "event", name },
        { ...own, action: "unsuppress" },
        { ...own, action: "identify", attributes: { b: 2 } },
        { ...own, action: "event", name },
      ]),
    )
    const person = await tenant.person({ id })
    expect(person.attributes).toEqual({ b: 2 })
    expect(await tenant.activity({ name }, person.svc_id)).toHaveLength(1)
  })
})
