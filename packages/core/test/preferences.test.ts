import { assert, describe, it } from "@effect/vitest"
import { assignAttributes as assignTo } from "../src/attributes/assignAttributes.ts"
import { fillAttributes, inheritAttributes as inheritTo } from "../src/attributes/inheritAttributes.ts"
import { noAttributes, valueOf } from "@inlet/core/state/Attributes"
import { objectBounds, personBounds } from "@inlet/core/attributes/attributeBounds"
import { preferencesOf } from "@inlet/core/state/storedPreferences"
import { applyAssigned } from "../src/attributes/applyAssigned.ts"
import type { Json } from "@inlet/core/values/Json"
import { defaultLimits } from "@inlet/core/workspace/Limits"
import { after, applyTo, collected, many, type Update } from "./attributeUpdates.ts"

const topics = (...updates: ReadonlyArray<Update>): Json => preferencesOf(after(...updates))

describe("subscription preferences", () => {
  it.each<readonly [says: string, updates: ReadonlyArray<Update>, expected: Json]>([
    [
      "a dotted key merges into the whole object",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [2, { "svc_subscription_preferences.topics.t2": false }],
      ],
      { topics: { t1: true, t2: false } },
    ],
    [
      "a dotted key creates the objects on its path",
      [[1, { "svc_subscription_preferences.topics.t1": true }]],
      { topics: { t1: true } },
    ],
    [
      "a dotted key with the value null removes one topic",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [2, { "svc_subscription_preferences.topics.t2": null }],
      ],
      { topics: { t1: true } },
    ],
    [
      "the dotted keys of one update merge one by one",
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
      "a whole object replaces the stored one",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true } } }],
        [2, { svc_subscription_preferences: { topics: { t2: true } } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key replaces a value on its path that is not an object",
      [
        [1, { "svc_subscription_preferences.topics": "none" }],
        [2, { "svc_subscription_preferences.topics.t1": true }],
      ],
      { topics: { t1: true } },
    ],
    [
      "an older dotted key does not change a newer value",
      [
        [2, { svc_subscription_preferences: { topics: { t1: true } } }],
        [1, { "svc_subscription_preferences.topics.t1": false }],
      ],
      { topics: { t1: true } },
    ],
    [
      "null removes all preferences",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true } } }],
        [2, { svc_subscription_preferences: null }],
      ],
      {},
    ],
    [
      "each dotted key is ordered by its own time",
      [
        [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [5, { "svc_subscription_preferences.topics.t1": false }],
        [3, { "svc_subscription_preferences.topics.t2": false }],
        [4, { "svc_subscription_preferences.topics.t1": true }],
      ],
      { topics: { t1: false, t2: false } },
    ],
    [
      "a whole object that is older than a dotted key does not change it",
      [
        [5, { "svc_subscription_preferences.topics.t1": false }],
        [3, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      ],
      { topics: { t2: true, t1: false } },
    ],
    [
      "a whole object stamped with the current second replaces an earlier dotted key without a timestamp",
      [
        [1500, { "svc_subscription_preferences.topics.t1": false }],
        [1000, { svc_subscription_preferences: { topics: { t2: true } } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key stamped with the current second merges into an earlier whole object without a timestamp",
      [
        [1500, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
        [1000, { "svc_subscription_preferences.topics.t1": false }],
      ],
      { topics: { t2: true, t1: false } },
    ],
    [
      "of a dotted key and one below it in the same second, the later arrival wins",
      [
        [1500, { "svc_subscription_preferences.topics.t1": false }],
        [1000, { "svc_subscription_preferences.topics": { t2: true } }],
      ],
      { topics: { t2: true } },
    ],
    [
      "a dotted key and a whole object in one update are merged, in either order",
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
      "a dotted key that a whole object of the same second replaced can be set again",
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

  it("adds a stale fault for a dotted key older than the whole object", () => {
    const before = after([5, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { "svc_subscription_preferences.topics.t1": false }], 300)
    assert.strictEqual(set.size, 0)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["stale", "svc_subscription_preferences.topics.t1"]],
    )
  })

  it("adds a stale fault for each topic of an older whole object that newer dotted keys override", () => {
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

  it.each<readonly [Json]>([["none"], [1], [true], [["t1"]]])(
    "preferences must be an object: %j is left out with a fault",
    (value) => {
      const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
      const { changes, faults, set } = applyTo(
        before,
        [2, { svc_subscription_preferences: value, a: 1 }],
        300,
      )
      assert.deepStrictEqual([...set.keys()], ["a"])
      assert.deepStrictEqual(changes, [{ path: "attributes.a", from: null, to: 1 }])
      assert.deepStrictEqual(faults, [
        {
          reason: "invalid",
          field: "svc_subscription_preferences",
          message: "svc_subscription_preferences must be an object",
        },
      ])
    },
  )

  it.each<Json>([null, ""])("preferences are removed by %j", (value) => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { svc_subscription_preferences: value }], 300)
    assert.deepStrictEqual(preferencesOf(applyAssigned(before, set)), {})
    assert.deepStrictEqual(faults, [])
  })

  it("on an object, the name of the preferences is an ordinary attribute", () => {
    const assignments = [{ name: "svc_subscription_preferences", value: "none" }]
    const { faults, set } = collected((draft) =>
      assignTo(noAttributes, assignments, 1, objectBounds(defaultLimits), draft),
    )
    assert.strictEqual(valueOf(set, "svc_subscription_preferences"), "none")
    assert.deepStrictEqual(faults, [])
  })

  it("the log entry of a preference change includes the previous value", () => {
    const before = after([1, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { changes } = applyTo(before, [2, { "svc_subscription_preferences.topics.t1": false }], 300)
    assert.deepStrictEqual(changes, [
      { path: "svc_subscription_preferences.topics.t1", from: true, to: false },
    ])
  })
})

const whole = (topics: Json) => ({ svc_subscription_preferences: { topics } })

describe("contract §6: subscription preferences of two people who are merged or identified", () => {
  const news = "svc_subscription_preferences.topics.news"
  const bounds = personBounds(defaultLimits)

  it.each<readonly [says: string, own: Update, other: Update, expected: Json]>([
    [
      "a dotted key of the other does not subscribe a topic that the own whole object unsubscribes",
      [1, whole({ news: false })],
      [9, { [news]: true }],
      { news: false },
    ],
    [
      "a whole object of the other does not subscribe a topic that an own dotted key unsubscribes",
      [1, { [news]: false }],
      [9, whole({ news: true, sports: false })],
      { news: false, sports: false },
    ],
    [
      "a topic missing in the own preferences is taken from the other",
      [5, { plan: 1 }],
      [1, { [news]: false }],
      { news: false },
    ],
    [
      "a removed topic stays removed",
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

  it("preferences do not count among 300 attributes and have limits of their own", () => {
    const full = after([1, many(300)])
    const { faults, set } = applyTo(full, [2, { [news]: false }], 300)
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(preferencesOf(applyAssigned(full, set)), { topics: { news: false } })
    const paths = after([1, many(350, "svc_subscription_preferences.topics.t")])
    assert.strictEqual(Object.keys(preferencesOf(paths)["topics"] ?? {}).length, 300)
  })
})
