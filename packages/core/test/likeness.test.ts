import { assert, describe, it } from "@effect/vitest"
import { alikeIn, likenessTexts } from "../src/state/likeness.ts"
import type { Json } from "../src/values/Json.ts"
import { likenessKinds } from "../src/workspace/Likeness.ts"

const personWith = (values: Readonly<Record<string, Json>>, email: string | null = null) => ({
  email,
  attributes: new Map(Object.entries(values).map(([name, value]) => [name, { value, at: 1 }])),
})

const textsOf = (...given: Parameters<typeof personWith>) =>
  Object.fromEntries(likenessTexts(personWith(...given), likenessKinds))

describe("what is compared of people", () => {
  it("an email counts without case, dots of the mailbox and what follows a plus", () => {
    const same = ["ada@example.com", "A.D.A@Example.com", "ada+news+x@example.com", " ada@example.com "]
    for (const email of same) assert.deepStrictEqual(textsOf({}, email), { email: "ada@example.com" })
    assert.deepStrictEqual(textsOf({ email: "Ada@example.com" }), { email: "ada@example.com" })
    assert.notDeepEqual(textsOf({}, "ada@exam.ple.com"), textsOf({}, "ada@example.com"))
  })

  it("an email without a mailbox or a domain does not count", () => {
    for (const email of ["", "@", "ada", "+x@example.com", "..@example.com", "ada@"]) {
      assert.deepStrictEqual(textsOf({}, email), {})
    }
  })

  it("a phone counts by its 7 to 15 digits, and 00 is like a plus", () => {
    const same: ReadonlyArray<Json> = [
      "+44 20 7946 0958",
      "0044 (20) 7946-0958",
      "442079460958",
      442079460958,
    ]
    for (const phone of same) assert.deepStrictEqual(textsOf({ phone }), { phone: "442079460958" })
    for (const phone of ["123456", "1".repeat(16), "none", "", null, true, 1.5, ["5550100777"]]) {
      assert.deepStrictEqual(textsOf({ phone }), {})
    }
  })

  it("a name counts with a postcode only, and both without case, accents and punctuation", () => {
    const alike = { name_postcode: "eve o brien\nab12cd" }
    assert.deepStrictEqual(textsOf({ name: "Ève  O'Brien", postcode: "AB1 2CD" }), alike)
    assert.deepStrictEqual(textsOf({ first_name: "Eve", last_name: "O\u2019Brien", zip: "ab1-2cd" }), alike)
    assert.deepStrictEqual(textsOf({ name: "eve o brien", address: { postalCode: "AB12CD" } }), alike)
    for (const values of [
      { name: "Eve" },
      { postcode: "AB1 2CD" },
      { name: "?!", postcode: "AB1 2CD" },
      { name: "Eve", address: ["AB1 2CD"] },
      { name: "Eve", address: null, zip: "--" },
    ]) {
      assert.deepStrictEqual(textsOf(values), {})
    }
  })

  it("only the kinds that are asked for are compared", () => {
    const one = personWith({ phone: "5550100777" }, "ada@example.com")
    const other = personWith({ phone: "555-0100-777" }, "a.da@example.com")
    assert.deepStrictEqual(alikeIn(one, other, likenessKinds), ["email", "phone"])
    assert.deepStrictEqual(alikeIn(one, other, ["phone"]), ["phone"])
    assert.deepStrictEqual(alikeIn(one, other, []), [])
  })
})
