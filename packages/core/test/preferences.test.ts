import { assert, describe, it } from "@effect/vitest"
import { assignAttributes as assignTo } from "../src/attributes/assignAttributes.ts"
import { fillAttributes, inheritAttributes as inheritTo } from "../src/attributes/inheritAttributes.ts"
import { noAttributes, valueOf } from "@inlethq/core/state/Attributes"
import { objectBounds, personBounds } from "@inlethq/core/attributes/attributeBounds"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import { applyAssigned } from "../src/attributes/applyAssigned.ts"
import type { Json } from "@inlethq/core/values/Json"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import { after, applyTo, collected, many, type Update } from "./attributeUpdates.ts"

const topics = (...updates: ReadonlyArray<Update>): Json => preferencesOf(after(...updates))

const checkTopics = (title: string, updates: ReadonlyArray<Update>, expected: Json): void =>
  it(title, () => {
    assert.deepStrictEqual(topics(...updates), expected)
  })

describe("subscription preferences", () => {
  checkTopics(
    "a dotted key merges into the preferences object",
    [
      [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      [2, { "svc_subscription_preferences.topics.t2": false }],
    ],
    { topics: { t1: true, t2: false } },
  )
  checkTopics(
    "a dotted key creates the objects on its path",
    [[1, { "svc_subscription_preferences.topics.t1": true }]],
    { topics: { t1: true } },
  )
  checkTopics(
    "a dotted key with the value null removes one topic",
    [
      [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      [2, { "svc_subscription_preferences.topics.t2": null }],
    ],
    { topics: { t1: true } },
  )
  checkTopics(
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
  )
  checkTopics(
    "a preferences object replaces the stored preferences object",
    [
      [1, { svc_subscription_preferences: { topics: { t1: true } } }],
      [2, { svc_subscription_preferences: { topics: { t2: true } } }],
    ],
    { topics: { t2: true } },
  )
  checkTopics(
    "a dotted key replaces a value on its path that is not an object",
    [
      [1, { "svc_subscription_preferences.topics": "none" }],
      [2, { "svc_subscription_preferences.topics.t1": true }],
    ],
    { topics: { t1: true } },
  )
  checkTopics(
    "an older dotted key does not change a newer value",
    [
      [2, { svc_subscription_preferences: { topics: { t1: true } } }],
      [1, { "svc_subscription_preferences.topics.t1": false }],
    ],
    { topics: { t1: true } },
  )
  checkTopics(
    "null removes all preferences",
    [
      [1, { svc_subscription_preferences: { topics: { t1: true } } }],
      [2, { svc_subscription_preferences: null }],
    ],
    {},
  )
  checkTopics(
    "each dotted key is ordered by its own time",
    [
      [1, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      [5, { "svc_subscription_preferences.topics.t1": false }],
      [3, { "svc_subscription_preferences.topics.t2": false }],
      [4, { "svc_subscription_preferences.topics.t1": true }],
    ],
    { topics: { t1: false, t2: false } },
  )
  checkTopics(
    "a preferences object does not change the value of a newer dotted key",
    [
      [5, { "svc_subscription_preferences.topics.t1": false }],
      [3, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
    ],
    { topics: { t2: true, t1: false } },
  )
  checkTopics(
    "a preferences object stamped with the current second replaces an earlier dotted key without a timestamp",
    [
      [1500, { "svc_subscription_preferences.topics.t1": false }],
      [1000, { svc_subscription_preferences: { topics: { t2: true } } }],
    ],
    { topics: { t2: true } },
  )
  checkTopics(
    "a dotted key stamped with the current second merges into an earlier preferences object without a timestamp",
    [
      [1500, { svc_subscription_preferences: { topics: { t1: true, t2: true } } }],
      [1000, { "svc_subscription_preferences.topics.t1": false }],
    ],
    { topics: { t2: true, t1: false } },
  )
  checkTopics(
    "if a dotted key and a key below it have the same second, the key that arrives later wins",
    [
      [1500, { "svc_subscription_preferences.topics.t1": false }],
      [1000, { "svc_subscription_preferences.topics": { t2: true } }],
    ],
    { topics: { t2: true } },
  )
  checkTopics(
    "a dotted key and a preferences object in one update are merged, in either order",
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
  )
  checkTopics(
    "after a preferences object of the same second replaced a dotted key, the dotted key can be set again",
    [
      [1500, { "svc_subscription_preferences.topics.t1": false }],
      [1000, { svc_subscription_preferences: { topics: { t1: true } } }],
      [1000, { "svc_subscription_preferences.topics.t1": "again" }],
    ],
    { topics: { t1: "again" } },
  )

  it("an update adds a fault with the reason stale for a dotted key that is older than the preferences object", () => {
    const before = after([5, { svc_subscription_preferences: { topics: { t1: true } } }])
    const { faults, set } = applyTo(before, [2, { "svc_subscription_preferences.topics.t1": false }], 300)
    assert.strictEqual(set.size, 0)
    assert.deepStrictEqual(
      faults.map(({ field, reason }) => [reason, field]),
      [["stale", "svc_subscription_preferences.topics.t1"]],
    )
  })

  it("an update adds a fault with the reason stale for each topic in a preferences object if a newer dotted key overrides the topic", () => {
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
          code: "preferences_not_object",
          values: {},
          rule: "contract §5 preferences",
          value,
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

  it("an object's attribute svc_subscription_preferences is an ordinary attribute", () => {
    const assignments = [{ name: "svc_subscription_preferences", value: "none" }]
    const { faults, set } = collected((draft) =>
      assignTo(noAttributes, assignments, { at: 1, receivedAt: 1 }, objectBounds(defaultLimits), draft),
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

const bounds = personBounds(defaultLimits)

const checkInherited = (title: string, own: Update, other: Update, expected: Json): void =>
  it(title, () => {
    for (const take of [fillAttributes, inheritTo]) {
      const mine = after(own)
      const { set } = collected((draft) => take(mine, after(other), bounds, draft))
      assert.deepStrictEqual(preferencesOf(applyAssigned(mine, set)), { topics: expected })
    }
  })

describe("contract §6: subscription preferences after a merge, or after a visitor is identified", () => {
  const news = "svc_subscription_preferences.topics.news"

  checkInherited(
    "a dotted key of the secondary or visitor does not overwrite a topic in the preferences object of the person",
    [1, whole({ news: false })],
    [9, { [news]: true }],
    { news: false },
  )
  checkInherited(
    "the preferences object of the secondary or visitor does not overwrite a topic that a dotted key of the person set",
    [1, { [news]: false }],
    [9, whole({ news: true, sports: false })],
    { news: false, sports: false },
  )
  checkInherited(
    "a topic that the person lacks is copied from the secondary or visitor",
    [5, { plan: 1 }],
    [1, { [news]: false }],
    { news: false },
  )
  checkInherited(
    "a topic that the person removed stays removed",
    [5, { [news]: null }],
    [1, whole({ news: true, sports: true })],
    { sports: true },
  )

  it("preferences do not count towards the limit of 300 attributes and have their own limits", () => {
    const full = after([1, many(300)])
    const { faults, set } = applyTo(full, [2, { [news]: false }], 300)
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(preferencesOf(applyAssigned(full, set)), { topics: { news: false } })
    const paths = after([1, many(350, "svc_subscription_preferences.topics.t")])
    assert.strictEqual(Object.keys(preferencesOf(paths)["topics"] ?? {}).length, 300)
  })
})
