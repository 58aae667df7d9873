import { assert, describe, it } from "@effect/vitest"
import {
  assign as assignTo,
  fill,
  inherit as inheritTo,
  noAttributes,
  objectBounds,
  personBounds,
  preferencesOf,
  put,
  toJson,
  valueOf,
  type Assignment,
  type Attributes,
  type Visible,
} from "../src/Attributes.ts"
import type { Json } from "../src/Json.ts"
import { defaultLimits, removedAttributesPerPersonMax, type Limits } from "../src/Limits.ts"

const collected = (of: (effects: Visible) => Attributes) => {
  const { fields, faults }: Visible = { fields: [], faults: [] }
  const set = of({ fields, faults })
  return { set, changes: fields, faults }
}

const assign = (current: Attributes, assignments: ReadonlyArray<Assignment>, at: number, limits: Limits) =>
  collected((effects) => assignTo(current, assignments, at, personBounds(limits), effects))

const inherit = (person: Attributes, visitor: Attributes, limits: Limits) =>
  collected((effects) => inheritTo(person, visitor, personBounds(limits), effects))

type Update = readonly [at: number, set: Readonly<Record<string, Json>>]

/** Attributes after updates, of which each has its own time. */
const after = (...updates: ReadonlyArray<Update>): Attributes => upTo(300, updates)

const upTo = (attributesPerPersonMax: number, updates: ReadonlyArray<Update>): Attributes =>
  updates.reduce<Attributes>((attributes, update) => {
    const { set } = applyTo(attributes, update, attributesPerPersonMax)
    return put(attributes, set)
  }, noAttributes)

const applyTo = (attributes: Attributes, [at, set]: Update, attributesPerPersonMax: number) =>
  assign(
    attributes,
    Object.entries(set).map(([name, value]) => ({ name, value })),
    at,
    { ...defaultLimits, attributesPerPersonMax },
  )

const many = (count: number, prefix = "a"): Readonly<Record<string, Json>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))

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
    assert.deepStrictEqual(toJson(after(first, second)), expected)
  })

  it.each([[null], [""]])("%j removes", (nothing) => {
    assert.deepStrictEqual(toJson(after([1, { a: 1 }], [2, { a: nothing }])), {})
  })

  it.each([[0], [false], [" "], [[]], [{}], [[null]], ["null"]])("%j is a value", (value) => {
    assert.deepStrictEqual(toJson(after([1, { a: value }])), { a: value })
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
    assert.deepStrictEqual(toJson(after([1, { a: 1, A: 2, "a.b": 3 }], [2, { "a.b": 4 }])), {
      a: 1,
      A: 2,
      "a.b": 4,
    })
  })

  it("of prototypes are names like any other", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]
    const attributes = put(
      noAttributes,
      assign(
        noAttributes,
        names.map((name) => ({ name, value: { polluted: true } })),
        1,
        defaultLimits,
      ).set,
    )
    const json = toJson(attributes)
    assert.sameMembers(Object.keys(json), names)
    assert.strictEqual(Object.getPrototypeOf(json), Object.prototype)
    assert.notProperty({}, "polluted")
    assert.isNull(valueOf(noAttributes, "constructor"))
  })

  it("of prototypes below the preferences are names like any other", () => {
    const name = "svc_subscription_preferences.__proto__.polluted"
    const { set } = assign(noAttributes, [{ name, value: true }], 1, defaultLimits)
    const value = preferencesOf(put(noAttributes, set))
    assert.isTrue(Object.hasOwn(value, "__proto__"))
    assert.notProperty({}, "polluted")
    assert.strictEqual(JSON.stringify(value), '{"__proto__":{"polluted":true}}')
  })
})

describe("subscription preferences", () => {
  const topics = (...updates: ReadonlyArray<Update>): Json => preferencesOf(after(...updates))

  it.each<readonly [says: string, updates: ReadonlyArray<Update>, expected: Json]>([
    [
      "a dotted key merges",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [2, { "svc_subscription_preferences.topics.t2": false }],
      ],
      { topics: { t1: true, t2: false } },
    ],
    [
      "a dotted key makes what it lies in",
      [[1, { "svc_subscription_preferences.topics.t1": true }]],
      { topics: { t1: true } },
    ],
    [
      "a dotted key that is null takes one topic away",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [2, { "svc_subscription_preferences.topics.t2": null }],
      ],
      { topics: { t1: true } },
    ],
    [
      "dotted keys of one update merge one by one",
      [
        [
          1,
          {
            "svc_subscription_preferences.topics.t1": true,
            "svc_subscription_preferences.topics.t2": false,
          },
        ],
      ],
      { topics: { t1: true, t2: false } },
    ],
    [
      "the whole replaces the whole",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true } } }],
        [2, { svc_subscription_preferences: { topics: { t2: true } } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key replaces what is no object",
      [
        [1, { "svc_subscription_preferences.topics": "none" }],
        [2, { "svc_subscription_preferences.topics.t1": true }],
      ],
      { topics: { t1: true } },
    ],
    [
      "an older dotted key changes nothing that is newer",
      [
        [2, { svc_subscription_preferences: { topics: { t1: true } } }],
        [1, { "svc_subscription_preferences.topics.t1": false }],
      ],
      { topics: { t1: true } },
    ],
    [
      "null removes them",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true } } }],
        [2, { svc_subscription_preferences: null }],
      ],
      {},
    ],
    [
      "each dotted key is ordered on its own",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [5, { "svc_subscription_preferences.topics.t1": false }],
        [3, { "svc_subscription_preferences.topics.t2": false }],
        [4, { "svc_subscription_preferences.topics.t1": true }],
      ],
      { topics: { t1: false, t2: false } },
    ],
    [
      "a whole that is older than a dotted key leaves it",
      [
        [5, { "svc_subscription_preferences.topics.t1": false }],
        [3, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      ],
      { topics: { t2: true, t1: false } },
    ],
  ])("%s", (_, updates, expected) => {
    assert.deepStrictEqual(topics(...updates), expected)
  })

  it.each<readonly [Json]>([["none"], [1], [true], [["t1"]]])("are an object: %j is left out", (value) => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { changes, faults, set } = applyTo(before, [2, { svc_subscription_preferences: value, a: 1 }], 300)
    assert.deepStrictEqual([...set.keys()], ["a"])
    assert.deepStrictEqual(changes, [{ path: "attributes.a", from: null, to: 1 }])
    assert.deepStrictEqual(faults, [
      {
        reason: "invalid",
        field: "svc_subscription_preferences",
        message: "svc_subscription_preferences is no object",
      },
    ])
  })

  it.each<Json>([null, ""])("are removed by %j", (value) => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { svc_subscription_preferences: value }], 300)
    assert.deepStrictEqual(preferencesOf(put(before, set)), {})
    assert.deepStrictEqual(faults, [])
  })

  it("are a person's only: on an object the name is one like any other", () => {
    const assignments = [{ name: "svc_subscription_preferences", value: "none" }]
    const { faults, set } = collected((effects) =>
      assignTo(noAttributes, assignments, 1, objectBounds(defaultLimits), effects),
    )
    assert.strictEqual(valueOf(set, "svc_subscription_preferences"), "none")
    assert.deepStrictEqual(faults, [])
  })

  it("show what they were before", () => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { changes } = applyTo(before, [2, { "svc_subscription_preferences.topics.t1": false }], 300)
    assert.deepStrictEqual(changes, [
      { path: "svc_subscription_preferences.topics.t1", from: true, to: false },
    ])
  })
})

describe("the limit of a person", () => {
  const full = after([1, many(300)])

  it("takes 300 attributes", () => {
    assert.strictEqual(Object.keys(toJson(full)).length, 300)
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
    assert.strictEqual(Object.keys(toJson(after([1, many(305)]))).length, 300)
  })

  it("has room again after a removal", () => {
    const { faults } = applyTo(put(full, applyTo(full, [2, { a0: null }], 300).set), [3, { new: 1 }], 300)
    assert.deepStrictEqual(faults, [])
  })

  it("takes one for another in the same update, in either order of its keys", () => {
    for (const set of [
      { a0: null, new: 1 },
      { new: 1, a0: null },
    ]) {
      const update = applyTo(full, [2, set], 300)
      assert.deepStrictEqual(update.faults, [], `keys ${Object.keys(set).join()}`)
      assert.strictEqual(valueOf(put(full, update.set), "new"), 1)
    }
  })

  it("does not count what has a place of its own", () => {
    const own = { created_at: 1, unsubscribed: true, svc_subscription_preferences: { topics: {} } }
    const { faults, set } = applyTo(full, [2, own], 300)
    assert.deepStrictEqual(faults, [])
    const attributes = put(full, set)
    assert.strictEqual(valueOf(attributes, "created_at"), 1)
    assert.strictEqual(Object.keys(toJson(attributes)).length, 300)
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

const whole = (topics: Json) => ({ svc_subscription_preferences: { topics } })

describe("contract §6: subscription preferences of two who turn out to be one", () => {
  const news = "svc_subscription_preferences.topics.news"
  const bounds = personBounds(defaultLimits)

  it.each<readonly [says: string, own: Update, other: Update, expected: Json]>([
    [
      "a path of the other does not open a topic that the whole closes",
      [1, whole({ news: false })],
      [9, { [news]: true }],
      { news: false },
    ],
    [
      "a whole of the other does not open a topic that a path closes",
      [1, { [news]: false }],
      [9, whole({ news: true, sports: false })],
      { news: false, sports: false },
    ],
    ["what is missing is taken", [5, { plan: 1 }], [1, { [news]: false }], { news: false }],
    [
      "a topic that was taken away stays away",
      [5, { [news]: null }],
      [1, whole({ news: true, sports: true })],
      { sports: true },
    ],
  ])("%s", (_, own, other, expected) => {
    for (const take of [fill, inheritTo]) {
      const mine = after(own)
      const { set } = collected((effects) => take(mine, after(other), bounds, effects))
      assert.deepStrictEqual(preferencesOf(put(mine, set)), { topics: expected })
    }
  })

  it("do not count among 300 attributes, and have a bound of their own", () => {
    const full = after([1, many(300)])
    const { faults, set } = applyTo(full, [2, { [news]: false }], 300)
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(preferencesOf(put(full, set)), { topics: { news: false } })
    const paths = after([1, many(350, "svc_subscription_preferences.topics.t")])
    assert.strictEqual(Object.keys(preferencesOf(paths)["topics"] ?? {}).length, 300)
  })
})
