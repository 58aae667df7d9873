import { assert, describe, it } from "@effect/vitest"
import {
  noAttributes,
  preferencesOf,
  applyAssigned,
  personAttributesToJson,
  valueOf,
} from "@inlet/core/state/Attributes"
import { defaultLimits, removedAttributesPerPersonMax } from "@inlet/core/workspace/Limits"
import { after, applyTo, assign, inherit, many, type Update } from "./attributeUpdates.ts"

describe("order in time", () => {
  it.each([
    ["a newer value overwrites", [1, { a: 1 }], [2, { a: 2 }], { a: 2 }],
    ["an older value does not", [2, { a: 2 }], [1, { a: 1 }], { a: 2 }],
    ["of the same time the later arrival counts", [1, { a: 1 }], [1, { a: 2 }], { a: 2 }],
    ["it counts attribute by attribute", [2, { a: 2 }], [1, { a: 1, b: 1 }], { a: 2, b: 1 }],
    ["a newer removal removes", [1, { a: 1 }], [2, { a: null }], {}],
    ["an older removal does not", [2, { a: 1 }], [1, { a: null }], { a: 1 }],
    ["an older value does not undo a removal", [2, { a: null }], [1, { a: 1 }], {}],
    ["a newer value does", [1, { a: null }], [2, { a: 1 }], { a: 1 }],
  ] as const)("%s", (_, first, second, expected) => {
    assert.deepStrictEqual(personAttributesToJson(after(first, second)), expected)
  })

  it.each([
    [
      "a stamp of this second beats a value that came without one before",
      [1500, { a: 1 }],
      [1000, { a: 2 }],
      2,
    ],
    ["a value without a stamp beats a stamp of this second", [1000, { a: 1 }], [1001, { a: 2 }], 2],
    ["a stamp of the second before does not", [2500, { a: 1 }], [1000, { a: 2 }], 1],
    ["milliseconds order where both have them", [1500, { a: 1 }], [1499, { a: 2 }], 1],
  ] as const)("%s", (_, first, second, expected) => {
    assert.deepStrictEqual(personAttributesToJson(after(first, second)), { a: expected })
  })

  it("names what is left out because a newer value is stored", () => {
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

  it.each([[null], [""]])("%j removes", (nothing) => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: 1 }], [2, { a: nothing }])), {})
  })

  it.each([[0], [false], [" "], [[]], [{}], [[null]], ["null"]])("%j is a value", (value) => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: value }])), { a: value })
  })

  it("shows a change where a value is another, and none where it is the same", () => {
    const before = after([1, { a: 1, b: { c: 1, d: 2 } }])
    assert.deepStrictEqual(applyTo(before, [2, { a: 2, b: { d: 2, c: 1 }, e: null }], 300).changes, [
      { path: "attributes.a", from: 1, to: 2 },
    ])
  })
})

describe("names", () => {
  it("are case-sensitive, and a dot is a dot", () => {
    assert.deepStrictEqual(personAttributesToJson(after([1, { a: 1, A: 2, "a.b": 3 }], [2, { "a.b": 4 }])), {
      a: 1,
      A: 2,
      "a.b": 4,
    })
  })

  it("of prototypes are names like any other", () => {
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

  it("of prototypes below the preferences are names like any other", () => {
    const name = "svc_subscription_preferences.__proto__.polluted"
    const { set } = assign(noAttributes, [{ name, value: true }], 1, defaultLimits)
    const value = preferencesOf(applyAssigned(noAttributes, set))
    assert.isTrue(Object.hasOwn(value, "__proto__"))
    assert.notProperty({}, "polluted")
    assert.strictEqual(JSON.stringify(value), '{"__proto__":{"polluted":true}}')
  })
})

describe("the limit of a person", () => {
  const full = after([1, many(300)])

  it("takes 300 attributes", () => {
    assert.strictEqual(Object.keys(personAttributesToJson(full)).length, 300)
  })

  it("leaves out the 301st, says so, and applies the rest", () => {
    const { changes, faults, set } = applyTo(full, [2, { new: 1, a0: "updated" }], 300)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["too_many", "attributes.new"]],
    )
    assert.deepStrictEqual([...set], [["a0", { value: "updated", at: 2 }]])
    assert.strictEqual(changes.length, 1)
  })

  it("leaves out what does not fit of a single update", () => {
    assert.strictEqual(Object.keys(personAttributesToJson(after([1, many(305)]))).length, 300)
  })

  it("has room again after a removal", () => {
    const { faults } = applyTo(
      applyAssigned(full, applyTo(full, [2, { a0: null }], 300).set),
      [3, { new: 1 }],
      300,
    )
    assert.deepStrictEqual(faults, [])
  })

  it("takes one for another in the same update, in either order of its keys", () => {
    for (const set of [
      { a0: null, new: 1 },
      { new: 1, a0: null },
    ]) {
      const update = applyTo(full, [2, set], 300)
      assert.deepStrictEqual(update.faults, [], `keys ${Object.keys(set).join()}`)
      assert.strictEqual(valueOf(applyAssigned(full, update.set), "new"), 1)
    }
  })

  it("does not count what has a place of its own", () => {
    const own = { created_at: 1, unsubscribed: true, svc_subscription_preferences: { topics: {} } }
    const { faults, set } = applyTo(full, [2, own], 300)
    assert.deepStrictEqual(faults, [])
    const attributes = applyAssigned(full, set)
    assert.strictEqual(valueOf(attributes, "created_at"), 1)
    assert.strictEqual(Object.keys(personAttributesToJson(attributes)).length, 300)
    assert.strictEqual(applyTo(after([1, own]), [2, many(300)], 300).faults.length, 0)
  })
})

describe("removals", () => {
  it("are remembered up to a bound, the newest longest", () => {
    const count = removedAttributesPerPersonMax + 50
    const updates = Array.from({ length: count }, (_, index): Update => [index + 1, { [`r${index}`]: null }])
    const attributes = after([1, { kept: 1 }], ...updates)
    assert.strictEqual(attributes.size, removedAttributesPerPersonMax + 1)
    assert.isTrue(attributes.has("kept"))
    assert.isFalse(attributes.has("r0"))
    assert.isTrue(attributes.has(`r${count - 1}`))
  })

  it("of one huge update are bounded too", () => {
    const removals = Object.fromEntries(Object.keys(many(1000)).map((name) => [name, null]))
    assert.isAtMost(after([1, removals]).size, removedAttributesPerPersonMax)
  })
})

describe("inherit", () => {
  it("gives what the person lacks, each with its own time", () => {
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
