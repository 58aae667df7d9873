import { Catalog, noFilter, relatedListedMax } from "@inlethq/core/catalog/Catalog"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import {
  byId,
  event,
  first,
  identify,
  identifyObject,
  noon,
  objectOf,
  register,
  reject,
  relate,
  remove,
  second,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import {
  activity,
  apply,
  list,
  load,
  people,
  personBy,
  recordBy,
  sweepAll,
} from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pageBytesMax } from "@inlethq/storage/budgets/pageBudget"
import { runEntries } from "../src/log/runs.ts"
import { afterPrefix, prefixMatchesMax, walkedPeopleMax } from "@inlethq/storage/read/prefixSearch"
import { temporaryStore } from "./temporary.ts"

const inNewStore = Effect.provide(temporaryStore, { local: true })

describe("afterPrefix", () => {
  it.each([
    ["id:a", "id:b"],
    ["id:", "id;"],
    ["id:\ud7ff", "id:\ue000"],
    ["id:\u{10ffff}", "id;"],
    ["id:\u{1f600}", "id:\u{1f601}"],
  ])("the range of texts that begin with %j ends before %j", (prefix, end) =>
    assert.strictEqual(afterPrefix(prefix), end),
  )
})

describe("searching people", () => {
  it.effect(
    "a search for people by prefix finds all matches if there are many, and also ends if the matches are far apart",
    () =>
      Effect.gen(function* () {
        const crowd = Array.from({ length: prefixMatchesMax + 1 }, (_, i) => `crowd ${i}`)
        const others = Array.from({ length: walkedPeopleMax + 1 }, (_, i) => `other ${i}`)
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
        for (const order of ["asc", "desc"] as const) {
          const page = yield* (yield* Catalog).people(first.id, "crowd", { limit: 10, after: null, order })
          assert.strictEqual(page.items.length, 10)
          assert.isNotNull(page.next)
        }
        assert.strictEqual((yield* people("CROWD@", {})).length, 1)
      }).pipe(inNewStore),
  )
})

/** Returns an attribute that makes a document `pageBytesMax / times` characters long. */
const large = (times: number) => [["text", "x".repeat(Math.floor(pageBytesMax / times))]] as const
const bytes = 10 * pageBytesMax
const limits = { ...first.limits, attributeValueBytesMax: bytes, objectAttributesBytesMax: bytes }
const roomy = { in: { ...first, limits } }
const whole = { limit: 1000, after: null, order: "asc" } as const

describe("a page", () => {
  it.effect("a page with large documents has fewer items, and the following pages contain the rest", () =>
    Effect.gen(function* () {
      const directory = yield* Catalog
      const ids = Array.from({ length: 7 }, (_, i) => `somebody ${i}`)
      const who = ids.map(byId)
      yield* apply(createSegment("segment"))
      yield* apply(...who.map((person, i) => identify(person, large(i === 3 ? 0.5 : 2.5), roomy)))
      yield* apply(joinSegment(1, who), ...who.map((person, i) => register(`delivery ${i}`, person)))
      yield* apply(...ids.map((id) => identifyObject(objectOf("1", id), large(2.5), [], roomy)))
      const segment = SubjectKey.make(1)
      const pages = [
        [yield* directory.people(first.id, null, whole), yield* people(null, { limit: 1000 })],
        [yield* directory.people(first.id, "some", whole), yield* people("some", { limit: 1000 })],
        [
          yield* directory.members(first.id, segment, whole),
          yield* list((_, { id }, page) => directory.members(id, segment, page), { limit: 1000 }),
        ],
        [
          yield* directory.deliveries(first.id, whole),
          yield* list((_, { id }, page) => directory.deliveries(id, page), { limit: 1000 }),
        ],
        [
          yield* directory.objects(first.id, null, whole),
          yield* list((_, { id }, page) => directory.objects(id, null, page), { limit: 1000 }),
        ],
      ] as const
      for (const [page, all] of pages) {
        assert.strictEqual(page.items.length, 2)
        assert.isNotNull(page.next)
        assert.strictEqual(all.length, 7)
      }
    }).pipe(inNewStore),
  )

  it.effect(
    "a page of a list has fewer items if the items refer to people or objects with large documents, but at least one item",
    () =>
      Effect.gen(function* () {
        const directory = yield* Catalog
        const objects = ["a", "b", "c", "d"].map((id) => objectOf("1", id))
        yield* apply(...objects.map((object) => identifyObject(object, large(2.5), [], roomy)))
        yield* apply(
          relate(
            byId("ada"),
            objects.map((object) => [object] as const),
          ),
        )
        yield* apply(...objects.slice(0, 3).map((object, i) => relate(byId(`somebody ${i}`), [[object]])))
        const page = yield* directory.people(first.id, null, whole)
        assert.deepStrictEqual(
          page.items.map(({ relationships }) => relationships.map(({ object }) => object.objectId)),
          [["a", "b"], ["a"], ["b"]],
        )
        assert.strictEqual((yield* people(null, { limit: 1000 })).length, 4)
        const ada = yield* recordBy({ kind: "id", value: "ada" })
        assert.strictEqual(ada?.relationships.length, 2)
        yield* apply(...["ada", "somebody 0"].map((id) => identify(byId(id), large(1.5), roomy)))
        const { object } = yield* Effect.fromOption(yield* directory.object(first.id, "1", "a"))
        const related = yield* directory.related(first.id, object.key, whole)
        assert.deepStrictEqual(
          related.items.map(({ subject }) => subject.key),
          [ada?.person.key],
        )
        assert.isNotNull(related.next)
      }).pipe(inNewStore),
  )

  it.effect(
    "a list of people shows a limited number of relationships for each person, and a request for a single person shows more relationships",
    () =>
      Effect.gen(function* () {
        const objects = Array.from(
          { length: relatedListedMax + 1 },
          (_, i) => [objectOf("1", `${i}`)] as const,
        )
        yield* apply(relate(byId("ada"), objects))
        const [listed] = yield* list((directory, { id }, page) => directory.people(id, null, page))
        const ada = yield* recordBy({ kind: "id", value: "ada" })
        assert.strictEqual(ada?.relationships.length, relatedListedMax + 1)
        assert.deepStrictEqual(listed?.relationships, ada?.relationships.slice(0, relatedListedMax))
      }).pipe(inNewStore),
  )
})

describe("a person's activity", () => {
  it.effect(
    "a person's activity is complete and in order, before and after the entries are indexed, and is erased with the person",
    () =>
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
        // Adds entries shortly before and after the ends of runs.
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

describe("the activity of a workspace", () => {
  /**
   * Asserts that the activity of the second workspace has events with these names, in both orders and for several page
   * sizes.
   */
  const expectOfSecond = Effect.fnUntraced(function* (names: Array<string | null>) {
    for (const limit of [100, 1000]) {
      const up = yield* activity({}, { limit, workspace: second })
      assert.deepStrictEqual(
        up.map(({ name }) => name),
        names,
      )
      const down = yield* activity({}, { limit, workspace: second, order: "desc" })
      assert.deepStrictEqual(down, up.toReversed())
    }
  })

  /**
   * Records entries of the second workspace around the ends of two runs of its log. Between these entries, records
   * entries of another workspace.
   */
  const fill = Effect.fnUntraced(function* () {
    const names: Array<string | null> = []
    const eventsOf = (count: number) =>
      Array.from({ length: count }, () => {
        const name = `event ${names.length}`
        names.push(name)
        return event(byId("ada"), name, { in: second })
      })
    yield* apply(...eventsOf(2))
    for (const run of [1, 2]) {
      const { nextSequence } = yield* load({ workspace: second.id })
      yield* apply(...eventsOf(run * runEntries - 2 - nextSequence))
      yield* apply(...Array.from({ length: 10 }, () => reject()))
      yield* apply(...eventsOf(5))
    }
    return names
  })

  it.effect(
    "the activity of a workspace is complete and in order, before and after housekeeping indexes the log",
    () =>
      Effect.gen(function* () {
        const names = yield* fill()
        yield* expectOfSecond(names)
        yield* sweepAll(noon)
        yield* expectOfSecond(names)
        const page = { limit: 100, after: null, order: "desc" } as const
        const { items } = yield* (yield* Catalog).activity(first.id, noFilter, page)
        assert.strictEqual(items.length, 20)
      }).pipe(inNewStore),
  )
})
