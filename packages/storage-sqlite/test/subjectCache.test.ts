import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { LeafStates } from "@inlet/core/state/LeafState"
import { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { makeWorkingSet } from "@inlet/core/WorkingSet"
import { rowId } from "../src/engine/rowIds.ts"
import { Generations, SubjectCache } from "../src/read/SubjectCache.ts"

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

const statesWith = (occurrences: number): LeafStates => {
  const counted = { at: 1, receivedAt: 1, position: Sequence.make(1) }
  return new Map([
    [SubjectKey.make(9), { ring: Array.from({ length: occurrences }, () => counted), due: null }],
  ])
}

describe("the cache of what rules remember", () => {
  const [workspace, ada] = [WorkspaceId.make(1), SubjectKey.make(1)]
  const id = rowId(workspace, ada)

  /** A batch that replaces what rules remember about a person. */
  const replacing = (before: LeafStates, after: LeafStates) => {
    const state = makeWorkingSet(workspace, SubjectKey.make(2), Sequence.make(1), String, {
      leafStates: new Map([[ada, after]]),
    })
    state.written.leafStates.set(ada, before)
    return state
  }

  it("has what a batch wrote once it is committed", () => {
    const cache = new SubjectCache()
    const [before, after] = [statesWith(1), statesWith(2)]
    cache.addLeafStates(id, before)
    cache.begin()
    cache.evict(replacing(before, after))
    assert.strictEqual(cache.leafStatesOf(id), before)
    cache.committed()
    cache.begin()
    assert.strictEqual(cache.leafStatesOf(id), after)
  })

  it("is empty when a batch begins after one that was not committed", () => {
    const cache = new SubjectCache()
    const before = statesWith(1)
    cache.addLeafStates(id, before)
    cache.evict(replacing(before, statesWith(2)))
    cache.begin()
    assert.isUndefined(cache.leafStatesOf(id))
  })

  it("holds nothing about people with many occurrences, nor about those whom it does not know", () => {
    const cache = new SubjectCache()
    cache.addLeafStates(id, statesWith(1000))
    cache.evict(replacing(statesWith(1), statesWith(2)))
    cache.committed()
    assert.isUndefined(cache.leafStatesOf(id))
  })
})
