import { describe, expect, it } from "vitest"
import { expectFaultList } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { Tenant } from "../../src/Tenant.ts"

const tenant = await Tenant.create()
const submit = (form: string, data: unknown, more: object = {}) =>
  tenant.track("POST", `/api/v1/forms/${encodeURIComponent(form)}/submit`, { data, ...more })

describe("a form", () => {
  it("track-api §4.3 rule 3: the first submission of a form registers the form and identifies the respondent", async () => {
    const [form, email] = [fresh("f"), freshEmail()]
    const answer = await submit(form, { email, city: "Bonn" })
    expect([answer.status, answer.text]).toEqual([204, ""])
    expect(await tenant.operation(answer)).toMatchObject({
      kind: "form_submission",
      name: form,
      outcome: "created",
      data: { email, city: "Bonn" },
    })
    expect(await tenant.form(form)).toMatchObject({
      fields: ["email", "city"],
      mapping: { email: "email", city: "city" },
    })
    expect(await tenant.person({ email })).toMatchObject({ id: null, attributes: { city: "Bonn" } })
  })

  it("track-api §2.7: a form submission has its form id in the path and its fields in data", async () => {
    const [form, id] = [fresh("a form/ü"), fresh("p")]
    expect((await submit(form, { id, plan: "pro" })).status).toBe(204)
    expect((await tenant.form(form)).form_id).toBe(form)
    expect((await tenant.person({ id })).attributes).toEqual({ plan: "pro" })
  })

  it("contract §12 respondent: a form submission with an email and an id identifies the person by both identifiers", async () => {
    const [id, email] = [fresh("p"), freshEmail()]
    await tenant.identify(email, { plan: "free" })
    await submit(fresh("f"), { email, id, plan: "pro" })
    expect(await tenant.person({ id })).toMatchObject({ email, attributes: { plan: "pro" } })
  })

  it("track-api §7 rule 5: a submission without an identifier gets a 400 but registers the form, and the form can then be remapped", async () => {
    const [form, email] = [fresh("f"), freshEmail()]
    const refused = await submit(form, { mail: email, town: "Bonn" })
    expect(refused.status).toBe(400)
    expectFaultList(refused)
    expect(await tenant.operation(refused)).toMatchObject({
      kind: "form_submission",
      name: form,
      outcome: "rejected",
    })
    expect((await tenant.form(form)).mapping).toEqual({ mail: "mail", town: "town" })
    expect(await tenant.people({ email })).toEqual([])
    await tenant.mapForm(form, { mail: "email", town: "city" })
    expect((await submit(form, { mail: email, town: "Bonn" })).status).toBe(204)
    expect(await tenant.person({ email })).toMatchObject({ attributes: { city: "Bonn" } })
    expect((await tenant.person({ email })).attributes).toEqual({ city: "Bonn" })
  })

  it("contract §12 form fields: a new field is added to the form and sets the attribute with the field's name", async () => {
    const [form, id] = [fresh("f"), fresh("p")]
    await submit(form, { id })
    await tenant.mapForm(form, { id: "id", note: "remark" })
    await submit(form, { id, note: "hello", size: "3" })
    expect((await tenant.form(form)).mapping).toEqual({ id: "id", note: "remark", size: "size" })
    expect((await tenant.person({ id })).attributes).toEqual({ remark: "hello", size: "3" })
  })

  it("contract §12 form values: numbers and booleans in a form submission become texts, and lists and objects get a 400", async () => {
    const id = fresh("p")
    expect((await submit(fresh("f"), { id, n: 5, yes: true })).status).toBe(204)
    expect((await tenant.person({ id })).attributes).toEqual({ n: "5", yes: "true" })
    for (const value of [[], ["a"], {}, { a: 1 }]) {
      const answer = await submit(fresh("f"), { id, value })
      expect(answer.status, JSON.stringify(value)).toBe(400)
      expectFaultList(answer, "data.value must be a string")
    }
  })

  it("a form submission ignores fields that describe the form itself", async () => {
    const [form, id] = [fresh("f"), fresh("p")]
    const about = { form_id: "x", form_name: "x", form_type: "x", form_url: "x", form_url_param: "x" }
    expect((await submit(form, { id, ...about }, about)).status).toBe(204)
    expect((await tenant.form(form)).mapping).toEqual({ id: "id" })
    expect((await tenant.person({ id })).attributes).toEqual({})
  })

  it.each([undefined, null, "x", 5, [], [{}], true])("a submission with data %j gets a 400", async (data) => {
    const answer = await submit(fresh("f"), data)
    expect(answer.status).toBe(400)
    expectFaultList(answer)
  })
})
