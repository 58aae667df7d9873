import { assert, describe, it } from "@effect/vitest"
import {
  assignAttributes as assignTo,
  fillAttributes,
  inheritAttributes as inheritTo,
  noAttributes,
  objectBounds,
  personBounds,
  preferencesOf,
  applyAssigned,
  valueOf,
} from "@inlet/core/state/Attributes"
import type { Json } from "@inlet/core/values/Json"
import { defaultLimits } from "@inlet/core/workspace/Limits"
import { after, applyTo, collected, many, type Update } from "./attributeUpdates.ts"

const topics = (...updates: ReadonlyArray<Update>): Json => preferencesOf(after(...updates))

describe("subscription preferences", () => {
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
    [
      "a whole stamped with this second replaces a dotted key that came without a stamp before",
      [
        [1500, { "svc_subscription_preferences.topics.t1": false }],
        [1000, { svc_subscription_preferences: { topics: { t2: true } } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key stamped with this second merges into a whole that came without a stamp before",
      [
        [1500, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [1000, { "svc_subscription_preferences.topics.t1": false }],
      ],
      { topics: { t2: true, t1: false } },
    ],
    [
      "of a dotted key and one below it the later arrival of the same second counts",
      [
        [1500, { "svc_subscription_preferences.topics.t1": false }],
        [1000, { "svc_subscription_preferences.topics": { t2: true } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key beside the whole in one update merges into it, wherever it stands",
      [
        [
          1,
          {
            "svc_subscription_preferences.topics.t1": true,
            svc_subscription_preferences: { topics: { t2: true } },
          },
        ],
      ],
      { topics: { t1: true, t2: true } },
    ],
    [
      "a dotted key that lost against a whole of the same second can be set again",
      [
        [1500, { "svc_subscription_preferences.topics.t1": false }],
        [1000, { svc_subscription_preferences: { topics: { t1: true } } }],
        [1000, { "svc_subscription_preferences.topics.t1": "again" }],
      ],
      { topics: { t1: "again" } },
    ],
  ])("%s", (_, updates, expected) => {
    assert.deepStrictEqual(topics(...updates), expected)
  })

  it("name the dotted key that a newer whole decides", () => {
    const before = after([5, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { "svc_subscription_preferences.topics.t1": false }], 300)
    assert.strictEqual(set.size, 0)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["stale", "svc_subscription_preferences.topics.t1"]],
    )
  })

  it("name the topics of an older whole that newer dotted keys keep", () => {
    const before = after(
      [5, { "svc_subscription_preferences.topics.t1": false }],
      [5, { "svc_subscription_preferences.topics.t2": true }],
    )
    const whole = { topics: { t1: true, t2: true, t3: true } }
    const { faults } = applyTo(before, [3, { svc_subscription_preferences: whole }], 300)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["stale", "svc_subscription_preferences.topics.t1"]],
    )
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
        message: "svc_subscription_preferences must be an object",
      },
    ])
  })

  it.each<Json>([null, ""])("are removed by %j", (value) => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { svc_subscription_preferences: value }], 300)
    assert.deepStrictEqual(preferencesOf(applyAssigned(before, set)), {})
    assert.deepStrictEqual(faults, [])
  })

  it("are a person's only: on an object the name is one like any other", () => {
    const assignments = [{ name: "svc_subscription_preferences", value: "none" }]
    const { faults, set } = collected((draft) =>
      assignTo(noAttributes, assignments, 1, objectBounds(defaultLimits), draft),
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
    for (const take of [fillAttributes, inheritTo]) {
      const mine = after(own)
      const { set } = collected((draft) => take(mine, after(other), bounds, draft))
      assert.deepStrictEqual(preferencesOf(applyAssigned(mine, set)), { topics: expected })
    }
  })

  it("do not count among 300 attributes, and have a bound of their own", () => {
    const full = after([1, many(300)])
    const { faults, set } = applyTo(full, [2, { [news]: false }], 300)
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(preferencesOf(applyAssigned(full, set)), { topics: { news: false } })
    const paths = after([1, many(350, "svc_subscription_preferences.topics.t")])
    assert.strictEqual(Object.keys(preferencesOf(paths)["topics"] ?? {}).length, 300)
  })
})
