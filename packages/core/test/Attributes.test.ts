import { assert, describe, it } from "@effect/vitest"
import { noAttributes, personAttributesToJson, valueOf } from "@inlethq/core/state/Attributes"
import type { Json } from "@inlethq/core/values/Json"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import { applyAssigned } from "../src/attributes/applyAssigned.ts"
import { defaultLimits, removedAttributesPerPersonMax } from "@inlethq/core/workspace/Limits"
import { after, applyTo, assign, inherit, many, type Update } from "./attributeUpdates.ts"

const checkOrder = (title: string, first: Update, second: Update, expected: Json): void =>
  it(title, () => {
    assert.deepStrictEqual(personAttributesToJson(after(first, second)), expected)
  })

const checkPrecision = (title: string, first: Update, second: Update, expected: Json): void =>
  it(title, () => {
    assert.deepStrictEqual(personAttributesToJson(after(first, second)), { a: expected })
  })

describe("the order of attribute updates", () => {
  checkOrder("a newer value replaces an older one", [1, { a: 1 }], [2, { a: 2 }], { a: 2 })
  checkOrder("an older value does not replace a newer one", [2, { a: 2 }], [1, { a: 1 }], { a: 2 })
  checkOrder("of two values with the same time, the later arrival wins", [1, { a: 1 }], [1, { a: 2 }], {
    a: 2,
  })
  checkOrder("each attribute is ordered by its own time", [2, { a: 2 }], [1, { a: 1, b: 1 }], { a: 2, b: 1 })
  checkOrder("a newer removal removes the attribute", [1, { a: 1 }], [2, { a: null }], {})
  checkOrder("an older removal does not remove a newer value", [2, { a: 1 }], [1, { a: null }], { a: 1 })
  checkOrder("an older value does not undo a removal", [2, { a: null }], [1, { a: 1 }], {})
  checkOrder("a newer value undoes a removal", [1, { a: null }], [2, { a: 1 }], { a: 1 })

  checkPrecision(
    "a timestamp of the current second replaces an earlier value without a timestamp",
    [1500, { a: 1 }],
    [1000, { a: 2 }],
    2,
  )
  checkPrecision(
    "a value without a timestamp replaces one with a timestamp of the current second",
    [1000, { a: 1 }],
    [1001, { a: 2 }],
    2,
  )
  checkPrecision(
    "a timestamp of the previous second does not replace a value without a timestamp",
    [2500, { a: 1 }],
    [1000, { a: 2 }],
    1,
  )
  checkPrecision(
    "two times with milliseconds are compared by milliseconds",
    [1500, { a: 1 }],
    [1499, { a: 2 }],
    1,
  )

  it("an update adds a fault with the reason stale for each attribute that has a newer stored value", () => {
    const before = after([5, { a: 1, gone: null, unsubscribed: true }], [2, { b: 1 }])
    const { changes, faults, set } = applyTo(before, [3, { a: 2, gone: 1, unsubscribed: false, b: 2 }], 300)
    assert.deepStrictEqual([...set.keys()], ["b"])
    assert.deepStrictEqual(changes, [{ path: "attributes.b", from: 1, to: 2 }])
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [
        ["stale", "attributes.a"],
        ["stale", "attributes.gone"],
        ["stale", "unsubscribed"],
      ],
    )
  })

  it.each([[null], [""]])("the value %j removes an attribute", (nothing) => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: 1 }], [2, { a: nothing }])), {})
  })

  it.each([[0], [false], [" "], [[]], [{}], [[null]], ["null"]])("the value %j is stored", (value) => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: value }])), { a: value })
  })

  it("the changes that an update lists are only the values that differ from the stored values", () => {
    const before = after([1, { a: 1, b: { c: 1, d: 2 } }])
    assert.deepStrictEqual(applyTo(before, [2, { a: 2, b: { d: 2, c: 1 }, e: null }], 300).changes, [
      { path: "attributes.a", from: 1, to: 2 },
    ])
  })
})

describe("attribute names", () => {
  it("attribute names are case-sensitive and may contain dots", () => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: 1, A: 2, "a.b": 3 }], [2, { "a.b": 4 }])), {
      a: 1,
      A: 2,
      "a.b": 4,
    })
  })

  it("names such as __proto__, which JavaScript objects inherit, are ordinary attribute names", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]
    const attributes = applyAssigned(
      noAttributes,
      assign(
        noAttributes,
        names.map((name) => ({ name, value: { polluted: true } })),
        1,
        defaultLimits,
      ).set,
    )
    const json = personAttributesToJson(attributes)
    assert.sameMembers(Object.keys(json), names)
    assert.strictEqual(Object.getPrototypeOf(json), Object.prototype)
    assert.notProperty({}, "polluted")
    assert.isNull(valueOf(noAttributes, "constructor"))
  })

  it("names such as __proto__, which JavaScript objects inherit, are ordinary names of preferences", () => {
    const name = "svc_subscription_preferences.__proto__.polluted"
    const { set } = assign(noAttributes, [{ name, value: true }], 1, defaultLimits)
    const value = preferencesOf(applyAssigned(noAttributes, set))
    assert.isTrue(Object.hasOwn(value, "__proto__"))
    assert.notProperty({}, "polluted")
    assert.strictEqual(JSON.stringify(value), '{"__proto__":{"polluted":true}}')
  })
})

describe("the limit of attributes of a person", () => {
  const full = after([1, many(300)])

  it("a person can have exactly 300 attributes", () => {
    assert.strictEqual(Object.keys(personAttributesToJson(full)).length, 300)
  })

  it("an update leaves out the 301st attribute of a person with a fault, and applies the other attributes", () => {
    const { changes, faults, set } = applyTo(full, [2, { new: 1, a0: "updated" }], 300)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["too_many", "attributes.new"]],
    )
    assert.deepStrictEqual([...set], [["a0", { value: "updated", at: 2 }]])
    assert.strictEqual(changes.length, 1)
  })

  it("an update with more than 300 attributes leaves out the attributes beyond the limit", () => {
    assert.strictEqual(Object.keys(personAttributesToJson(after([1, many(305)]))).length, 300)
  })

  it("a person at the limit of attributes can get a new attribute after another attribute was removed", () => {
    const { faults } = applyTo(
      applyAssigned(full, applyTo(full, [2, { a0: null }], 300).set),
      [3, { new: 1 }],
      300,
    )
    assert.deepStrictEqual(faults, [])
  })

  it("a person at the limit of attributes can get a new attribute if the same update removes another attribute, in either order", () => {
    for (const set of [
      { a0: null, new: 1 },
      { new: 1, a0: null },
    ]) {
      const update = applyTo(full, [2, set], 300)
      assert.deepStrictEqual(update.faults, [], `keys ${Object.keys(set).join()}`)
      assert.strictEqual(valueOf(applyAssigned(full, update.set), "new"), 1)
    }
  })

  it("reserved attributes do not count towards the limit of 300 attributes", () => {
    const own = { created_at: 1, unsubscribed: true, svc_subscription_preferences: { topics: {} } }
    const { faults, set } = applyTo(full, [2, own], 300)
    assert.deepStrictEqual(faults, [])
    const attributes = applyAssigned(full, set)
    assert.strictEqual(valueOf(attributes, "created_at"), 1)
    assert.strictEqual(Object.keys(personAttributesToJson(attributes)).length, 300)
    assert.strictEqual(applyTo(after([1, own]), [2, many(300)], 300).faults.length, 0)
  })
})

describe("removed attributes", () => {
  it("a person stores the times of removed attributes, but only of the newest removals up to a limit", () => {
    const count = removedAttributesPerPersonMax + 50
    const updates = Array.from({ length: count }, (_, index): Update => [index + 1, { [`r${index}`]: null }])
    const attributes = after([1, { kept: 1 }], ...updates)
    assert.strictEqual(attributes.size, removedAttributesPerPersonMax + 1)
    assert.isTrue(attributes.has("kept"))
    assert.isFalse(attributes.has("r0"))
    assert.isTrue(attributes.has(`r${count - 1}`))
  })

  it("one update of a person can store only a limited number of removal times of attributes", () => {
    const removals = Object.fromEntries(Object.keys(many(1000)).map((name) => [name, null]))
    assert.isAtMost(after([1, removals]).size, removedAttributesPerPersonMax)
  })
})

describe("inheriting attributes from a visitor", () => {
  it("a person inherits the visitor's attributes that the person lacks, each with its own time", () => {
    const person = after([5, { mine: 1, back: 1 }], [6, { back: null }])
    const visitor = after([1, { mine: 2, new: 2, nothing: 2 }], [2, { nothing: null }], [7, { back: 2 }])
    assert.sameDeepMembers(
      [...inherit(person, visitor, defaultLimits).set],
      [
        ["new", { value: 2, at: 1 }],
        ["back", { value: 2, at: 7 }],
      ],
    )
  })
})
