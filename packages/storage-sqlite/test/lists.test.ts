import { Directory } from "@inlet/core/Directory"
import {
  activity,
  apply,
  byId,
  event,
  first,
  identify,
  noon,
  people,
  personBy,
  reject,
  remove,
  sweepAll,
} from "@inlet/core/testing/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterPrefix, peopleScanMax, prefixMatchesMax } from "../src/readPeople.ts"
import { runEntries } from "../src/timeline.ts"
import { temporaryStore } from "./temporary.ts"

const inNewStore = Effect.provide(temporaryStore, { local: true })

describe("the end of a range of texts that begin alike", () => {
  it.each([
    ["1:id:a", "1:id:b"],
    ["1:id:", "1:id;"],
    ["1:id:\ud7ff", "1:id:\ue000"],
    ["1:id:\u{10ffff}", "1:id;"],
    ["1:id:\u{1f600}", "1:id:\u{1f601}"],
  ])("after %j is %j", (prefix, end) => assert.strictEqual(afterPrefix(prefix), end))
})

describe("a search for people", () => {
  it.effect("finds all where many match, and comes to the end where they are far apart", () =>
    Effect.gen(function* () {
      const crowd = Array.from({ length: prefixMatchesMax + 1 }, (_, i) => `crowd ${i}`)
      const others = Array.from({ length: peopleScanMax + 1 }, (_, i) => `other ${i}`)
      yield* apply(...crowd.slice(1).map((id) => identify(byId(id))))
      yield* apply(...others.map((id) => identify(byId(id))))
      yield* apply(identify(byId("crowd 0"), [], { email: "crowd@example.com" }))
      const found = yield* people("crowd", { limit: 1000 })
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [...crowd.slice(1), "crowd 0"],
      )
      const newest = yield* people("crowd", { limit: 1000, order: "desc" })
      assert.deepStrictEqual(newest, found.toReversed())
      const page = yield* (yield* Directory).people(first.id, "crowd", {
        limit: 10,
        after: null,
        order: "desc",
      })
      assert.strictEqual(page.items.length, 1)
      assert.isNotNull(page.next)
      assert.strictEqual((yield* people("CROWD@", {})).length, 1)
    }).pipe(inNewStore),
  )
})

describe("a person's activity", () => {
  it.effect("is whole and in order, in the timeline and beyond it, and goes with the person", () =>
    Effect.gen(function* () {
      const filler = Array.from({ length: runEntries / 2 }, () => reject())
      const names: Array<string> = []
      yield* apply(identify(byId("ada")), identify(byId("bob")))
      for (let round = 0; round < 7; round++) {
        const name = `event ${round}`
        names.push(name)
        yield* apply(event(byId("bob"), "his"), event(byId("ada"), name), ...filler)
        if (round === 4) yield* sweepAll(noon)
      }
      const ada = yield* personBy({ kind: "id", value: "ada" })
      const namesOf = (order: "asc" | "desc", limit: number) =>
        Effect.map(activity({ person: ada, kind: "event" }, { order, limit }), (found) =>
          found.map(({ name }) => name),
        )
      for (const limit of [1, 3, 100]) {
        assert.deepStrictEqual(yield* namesOf("asc", limit), names)
        assert.deepStrictEqual(yield* namesOf("desc", limit), names.toReversed())
      }
      yield* apply(remove(byId("ada")))
      yield* sweepAll(noon)
      assert.deepStrictEqual(yield* namesOf("asc", 100), [])
      const bob = yield* personBy({ kind: "id", value: "bob" })
      assert.strictEqual((yield* activity({ person: bob, kind: "event" }, {})).length, 7)
    }).pipe(inNewStore),
  )
})
