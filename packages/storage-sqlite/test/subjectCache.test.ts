import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { LeafStates } from "@inlethq/core/state/LeafState"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { makeWorkingSet } from "@inlethq/core/fold/WorkingSet"
import { Generations, SubjectCache } from "../src/read/SubjectCache.ts"

const max = 2

const Step = Schema.Struct({
  does: Schema.Literals(["set", "set", "get", "get", "delete"]),
  workspace: Schema.Literals([1, 2]),
  key: Schema.Literals([1, 2, 3]),
})

describe("the cache of people and objects in two generations", () => {
  it.prop(
    "the cache of people and objects never returns an outdated or deleted value, and always contains the newest entries",
    [Schema.Array(Step).check(Schema.isBetweenLength(20, 60))],
    ([steps]) => {
      const generations = new Generations<number, number>(max)
      const values = new Map<string, number>()
      let newest: ReadonlyArray<string> = []
      for (const [i, { does, key, workspace: number }] of steps.entries()) {
        const workspace = WorkspaceId.make(number)
        const place = `${workspace} ${key}`
        if (does === "delete") {
          generations.delete(workspace, key)
          values.delete(place)
          continue
        }
        if (does === "set") {
          generations.set(workspace, key, i)
          values.set(place, i)
        }
        const found = generations.get(workspace, key)
        assert.strictEqual(generations.has(workspace, key), found !== undefined)
        if (found !== undefined || newest.includes(place)) assert.strictEqual(found, values.get(place))
        if (found !== undefined) newest = [place, ...newest.filter((other) => other !== place)].slice(0, max)
      }
    },
  )

  it("the cache of people and objects holds at most twice `max` entries, and is empty after it was cleared", () => {
    const generations = new Generations<number, number>(max)
    const places = Array.from({ length: 100 }, (_, i) => [WorkspaceId.make(1 + (i % 3)), i] as const)
    const held = () => places.filter(([workspace, key]) => generations.get(workspace, key) !== undefined)
    for (const [workspace, key] of places) generations.set(workspace, key, key)
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
    cache.addLeafStates(workspace, ada, before)
    cache.begin()
    cache.evict(replacing(before, after))
    assert.strictEqual(cache.leafStatesOf(workspace, ada), before)
    cache.committed()
    cache.begin()
    assert.strictEqual(cache.leafStatesOf(workspace, ada), after)
  })

  it("is empty when a batch begins after one that was not committed", () => {
    const cache = new SubjectCache()
    const before = statesWith(1)
    cache.addLeafStates(workspace, ada, before)
    cache.evict(replacing(before, statesWith(2)))
    cache.begin()
    assert.isUndefined(cache.leafStatesOf(workspace, ada))
  })

  it("holds nothing about people with many occurrences, nor about those whom it does not know", () => {
    const cache = new SubjectCache()
    cache.addLeafStates(workspace, ada, statesWith(1000))
    cache.evict(replacing(statesWith(1), statesWith(2)))
    cache.committed()
    assert.isUndefined(cache.leafStatesOf(workspace, ada))
  })
})
