import { Directory } from "@inlet/core/Directory"
import { byId, event, first, identify, noon, reject, remove } from "@inlet/core/testing/commands"
import { activity, apply, load, people, personBy, sweepAll } from "@inlet/core/testing/scenario"
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
      const day = 24 * 60 * 60 * 1000
      const names: Array<string> = []
      const eventsOf = (count: number) =>
        Array.from({ length: count }, () => {
          names.push(`event ${names.length}`)
          return event(byId("ada"), names.at(-1) ?? "")
        })
      const expectAll = Effect.fnUntraced(function* (limit: number) {
        const ada = yield* personBy({ kind: "id", value: "ada" })
        const up = yield* activity({ person: ada }, { limit })
        assert.deepStrictEqual(
          up.filter(({ kind }) => kind === "event").map(({ name }) => name),
          names,
        )
        assert.deepStrictEqual(yield* activity({ person: ada }, { limit, order: "desc" }), up.toReversed())
      })
      // Positions from just before the end of a run to just behind the beginning of the next.
      yield* apply(identify(byId("bob")), event(byId("bob"), "his"), identify(byId("ada")))
      for (let run = 1; run <= 3; run++) {
        const { nextSequence } = yield* load({})
        yield* apply(...Array.from({ length: run * runEntries - 3 - nextSequence }, () => reject()))
        yield* apply(...eventsOf(2), identify(byId("ada"), [["run", run]]), ...eventsOf(5))
        if (run < 3) yield* sweepAll(noon)
        for (const limit of [1, 3, 100]) yield* expectAll(limit)
      }
      yield* sweepAll(noon + 31 * day)
      for (const limit of [1, 3, 100]) yield* expectAll(limit)
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* apply(remove(byId("ada")))
      yield* sweepAll(noon)
      assert.deepStrictEqual(yield* activity({ person: ada, kind: "event" }), [])
      const bob = yield* personBy({ kind: "id", value: "bob" })
      assert.strictEqual((yield* activity({ person: bob }, {})).length, 1)
    }).pipe(inNewStore),
  )
})
