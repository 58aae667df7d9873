import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Generations } from "../src/read/SubjectCache.ts"

const max = 2

const Step = Schema.Struct({
  does: Schema.Literals(["set", "set", "get", "get", "delete"]),
  key: Schema.Literals([1, 2, 3, 4, 5]),
})

describe("the cache of people and objects in two generations", () => {
  it.prop(
    "the cache of people and objects never returns an outdated or deleted value, and always contains the newest entries",
    [Schema.Array(Step).check(Schema.isBetweenLength(20, 60))],
    ([steps]) => {
      const generations = new Generations<number, number>(max)
      const values = new Map<number, number>()
      let newest: ReadonlyArray<number> = []
      for (const [i, { does, key }] of steps.entries()) {
        if (does === "delete") {
          generations.delete(key)
          values.delete(key)
          continue
        }
        if (does === "set") {
          generations.set(key, i)
          values.set(key, i)
        }
        const found = generations.get(key)
        if (found !== undefined || newest.includes(key)) assert.strictEqual(found, values.get(key))
        if (found !== undefined) newest = [key, ...newest.filter((other) => other !== key)].slice(0, max)
      }
    },
  )

  it("the cache of people and objects holds at most twice `max` entries, and is empty after it was cleared", () => {
    const generations = new Generations<number, number>(max)
    const keys = Array.from({ length: 100 }, (_, key) => key)
    const held = () => keys.filter((key) => generations.get(key) !== undefined)
    for (const key of keys) generations.set(key, key)
    assert.isAtMost(held().length, 2 * max)
    generations.clear()
    assert.deepStrictEqual(held(), [])
  })
})
