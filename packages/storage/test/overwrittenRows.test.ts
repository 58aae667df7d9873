import type { AttributesBefore } from "@inlethq/core/log/Overwritten"
import { assert, describe, it } from "@effect/vitest"
import { beforeOf, storedBefore, type Told } from "../src/rows/overwrittenRows.ts"

const data = { email: "ada@example.com", first: "Ada", last: "Lovelace", plan: "pro" }
const lastChange = { path: "attributes.last", from: "King", to: "Lovelace" }
const planChange = { path: "attributes.plan", from: "free", to: "pro" }

/** An update of three attributes of a person with an email. It changes one of them. */
const told: Told = { receivedAt: 1000, data, changes: [lastChange] }

type AttributeBefore =
  AttributesBefore extends ReadonlyMap<infer Name, infer Old> ? readonly [Name, Old] : never

const first: AttributeBefore = ["first", { at: 600 }]
const last: AttributeBefore = ["last", { at: 600, value: "King" }]
const plan: AttributeBefore = ["plan", { at: 600 }]
const beforeOperation = (...attributes: ReadonlyArray<AttributeBefore>): AttributesBefore =>
  new Map(attributes)
const usual = beforeOperation(first, last, plan)

describe("rows of what operations overwrote", () => {
  it("stores attributes of one time that are the last of the data as that time and an index", () => {
    assert.deepStrictEqual(storedBefore({ attributes: usual }, told), { attributes: [400, 1] })
  })

  const cases: ReadonlyArray<readonly [what: string, told: Told, attributes: AttributesBefore]> = [
    ["of one time", told, usual],
    ["of two times", told, beforeOperation(first, last, ["plan", { at: 500 }])],
    [
      "with an old value that the changes do not show",
      told,
      beforeOperation(first, ["last", { at: 600, value: 7 }], plan),
    ],
    ["whose change is not shown", { ...told, changes: [] }, usual],
    ["with one more change shown than they have", { ...told, changes: [lastChange, planChange] }, usual],
    ["of which one was not there", told, beforeOperation(first, last, ["plan", null])],
    ["in another order than the data", told, beforeOperation(last, first, plan)],
    ["that are not the last of the data", { ...told, data: { ...data, city: "London" } }, usual],
    ["of which one was removed", told, beforeOperation(first, ["last", { at: 600, value: null }], plan)],
    ["without data", { ...told, data: null }, usual],
    ["that the operation kept", told, new Map()],
  ]
  for (const [what, entry, attributes] of cases)
    it(`reads back attributes ${what}`, () => {
      const stored = JSON.parse(JSON.stringify(storedBefore({ attributes }, entry)))
      assert.deepStrictEqual(beforeOf(stored, entry), { attributes })
    })
})
