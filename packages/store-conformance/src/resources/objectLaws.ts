import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { objectText, SubjectKey } from "@inlethq/core/values/Identifier"
import {
  byAnonymousId,
  byId,
  deleteObject,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  relate,
  relatePeople,
  remove,
  second,
  suppress,
  unrelate,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, list, load, personBy, recordBy, sweepAll, type Listing } from "../script/scenario.ts"

const acme = objectOf("1", "acme")

const objects = (typeId: string | null, listing: Listing = {}) =>
  list((catalog, workspace, page) => catalog.objects(workspace.id, typeId, page), listing)

const idsOf = (typeId: string | null, listing: Listing = {}) =>
  Effect.map(objects(typeId, listing), (found) => found.map(({ object }) => object.objectId))

const objectBy = Effect.fnUntraced(function* (typeId: string, objectId: string, workspace = first) {
  return Option.getOrNull(yield* (yield* Catalog).object(workspace.id, typeId, objectId))
})

/** Returns the people and visitors related to an object, or an empty list if the object does not exist. */
const relatedTo = Effect.fnUntraced(function* (typeId: string, objectId: string, listing: Listing = {}) {
  const found = yield* objectBy(typeId, objectId)
  if (found === null) return []
  const { key } = found.object
  return yield* list((catalog, workspace, page) => catalog.related(workspace.id, key, page), listing)
})

const totalOf = (typeId: string, objectId: string) =>
  Effect.map(objectBy(typeId, objectId), (found) => found?.peopleTotal)

const day = 24 * 60 * 60 * 1000

const typeOf = (i: number) => (i % 3 === 0 ? "\uffff odd \0" : "1")

const firstKeys = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

/** Returns the objects of a person with the attributes of each relationship. */
const relationshipsOf = Effect.fnUntraced(function* (id: string) {
  const record = yield* recordBy({ kind: "id", value: id })
  return record?.relationships.map(({ attributes, object }) => [
    object.objectId,
    [...attributes].map(([name, { value }]) => [name, value]),
  ])
})

/** The properties that every store must have in the handling of objects and relationships. */
export const objectLaws: ReadonlyArray<Law> = [
  {
    name: "finds an object by type and id, but only in its own workspace",
    check: Effect.gen(function* () {
      yield* apply(
        identifyObject(objectOf("1", "acme"), [["plan", "pro"]]),
        identifyObject(objectOf("1:a", "b")),
        identifyObject(objectOf("1", "a:b")),
        identifyObject(objectOf("1", "acme"), [["plan", "free"]], [], { in: second }),
      )
      const found = yield* objectBy("1", "acme")
      yield* expectSame("attribute", found?.object.attributes.get("plan"), { value: "pro", at: noon })
      yield* expectSame("related", [found?.peopleTotal, yield* relatedTo("1", "acme")], [0, []])
      yield* expectSame("type with a colon", (yield* objectBy("1:a", "b"))?.object.key, SubjectKey.make(2))
      yield* expectSame("id with a colon", (yield* objectBy("1", "a:b"))?.object.key, SubjectKey.make(3))
      yield* expectSame(
        "in another workspace",
        (yield* objectBy("1", "acme", second))?.object.key,
        SubjectKey.make(1),
      )
      yield* expectSame("of another type", yield* objectBy("2", "acme"), null)
    }),
  },
  {
    name: "lists the objects of one type or of all types in pages and in both orders",
    check: Effect.gen(function* () {
      const names = ["a", "b", "c", "d", "e", "f", "g"]
      yield* apply(
        identify(byId("ada")),
        ...names.map((name, i) => identifyObject(objectOf(typeOf(i), name))),
        identifyObject(objectOf("1", "elsewhere"), [], [], { in: second }),
      )
      for (const limit of [1, 2, 7, 100]) {
        yield* expectSame("all", yield* idsOf(null, { limit }), names)
        yield* expectSame("backwards", yield* idsOf(null, { limit, order: "desc" }), names.toReversed())
        yield* expectSame("of one type", yield* idsOf("1", { limit }), ["b", "c", "e", "f"])
        yield* expectSame("of the other", yield* idsOf(typeOf(0), { limit, order: "desc" }), ["g", "d", "a"])
      }
      yield* expectSame("of no type", yield* idsOf("2"), [])
    }),
  },
  {
    name: "lists the types of the objects that there are, those with shorter names first",
    check: Effect.gen(function* () {
      const catalog = yield* Catalog
      const types = catalog.objectTypes(first.id)
      yield* expectSame("of no objects", yield* types, [])
      const names = ["10", "2", "1", "\uffff odd \0", "ö"]
      yield* apply(
        ...names.flatMap((type) => [
          identifyObject(objectOf(type, "a")),
          identifyObject(objectOf(type, "b")),
        ]),
        identifyObject(objectOf("3", "elsewhere"), [], [], { in: second }),
      )
      yield* expectSame("all", yield* types, ["1", "2", "ö", "10", "\uffff odd \0"])
      yield* apply(deleteObject(objectOf("2", "a")), deleteObject(objectOf("10", "a")))
      yield* apply(deleteObject(objectOf("10", "b")))
      yield* expectSame("without a deleted one", yield* types, ["1", "2", "ö", "\uffff odd \0"])
      const many = Array.from({ length: 250 }, (_, n) => identifyObject(objectOf(`type ${n}`, "a")))
      yield* apply(...many)
      yield* expectSame("of many types", (yield* types).length, 4 + many.length)
    }),
  },
  {
    name: "contract §9: an object lists its people and visitors, and a person lists their objects",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("bob")),
        identifyObject(acme, [], [[byId("ada"), [["role", "owner"]]], [byId("bob")]]),
        relatePeople(acme, [[byAnonymousId("cookie"), [["role", "guest"]]]]),
        identify(byId("bob"), [], { relatedTo: [[objectOf("1", "other")], [acme, [["since", 1999]]]] }),
      )
      const found = yield* relatedTo("1", "acme")
      const shown = found.map(({ attributes, subject }) => [
        subject._tag === "Person" ? subject.id : subject.knownAs.value,
        [...attributes.keys()],
      ])
      const everybody = [
        ["bob", ["since"]],
        ["ada", ["role"]],
        ["cookie", ["role"]],
      ]
      yield* expectSame("related", shown, everybody)
      yield* expectSame("objects of ada", yield* relationshipsOf("ada"), [["acme", [["role", "owner"]]]])
      yield* expectSame("objects of bob", yield* relationshipsOf("bob"), [
        ["acme", [["since", 1999]]],
        ["other", []],
      ])
      yield* apply(unrelate(byId("bob"), [[acme]]))
      yield* expectSame("objects of bob after a removal", yield* relationshipsOf("bob"), [["other", []]])
      const rest = yield* relatedTo("1", "acme")
      yield* expectSame(
        "related after a removal",
        rest.map(({ subject }) => subject.key),
        found.slice(1).map(({ subject }) => subject.key),
      )
    }),
  },
  {
    name: "contract §9 people of an object: any number of related people are listed in pages and in both orders",
    check: Effect.gen(function* () {
      const crowd = Array.from({ length: 1100 }, (_, i) => byId(`somebody ${i}`))
      yield* apply(...crowd.map((person) => identify(person)))
      yield* apply(
        relatePeople(
          acme,
          crowd.toReversed().map((person) => [person] as const),
        ),
      )
      const keys = firstKeys(crowd.length)
      for (const [limit, order] of [
        [1000, "asc"],
        [7, "desc"],
      ] as const) {
        const listed = yield* relatedTo("1", "acme", { limit, order })
        yield* expectSame(
          order,
          listed.map(({ subject }) => Number(subject.key)),
          order === "asc" ? keys : keys.toReversed(),
        )
      }
      yield* expectSame("total", yield* totalOf("1", "acme"), crowd.length)
      yield* expectSame("listed", (yield* objects(null))[0]?.peopleTotal, crowd.length)
    }),
  },
  {
    name: "contract §9 people of an object: the number of related people is exact after every kind of change",
    check: Effect.gen(function* () {
      const other = objectOf("1", "other")
      const totals = Effect.gen(function* () {
        return [yield* totalOf("1", "acme"), yield* totalOf("1", "other")]
      })
      const old = { receivedAt: noon - 31 * day }
      yield* apply(
        relatePeople(acme, [[byAnonymousId("forgotten")], [byId("ada")]], old),
        relatePeople(acme, [[byId("ada")], [byId("bob")], [byAnonymousId("cookie")]]),
        relate(byId("ada"), [[other], [acme]]),
      )
      yield* expectSame("related", yield* totals, [4, 1])
      yield* apply(identify(byId("bob"), [], { anonymousId: "cookie" }))
      yield* expectSame("attached", yield* totals, [3, 1])
      yield* apply(merge(byId("bob"), byId("ada")))
      yield* expectSame("merged", yield* totals, [2, 1])
      yield* apply(relatePeople(acme, [[byId("eve")], [byId("dan")]]), unrelate(byId("eve"), [[acme]]))
      yield* expectSame("unrelated", yield* totals, [3, 1])
      yield* apply(remove(byId("bob")), suppress(byId("dan")))
      yield* expectSame("deleted and suppressed", yield* totals, [1, 0])
      yield* sweepAll(noon)
      yield* expectSame("forgotten", yield* totals, [0, 0])
      yield* apply(deleteObject(acme), relatePeople(acme, [[byId("ada")]]))
      yield* expectSame("after relating another person", yield* totals, [1, 0])
      yield* sweepAll(noon)
      yield* expectSame("erased", yield* totals, [1, 0])
    }),
  },
  {
    name: "contract §9: a deleted object and its relationships are invisible at once, even before housekeeping erases them",
    check: Effect.gen(function* () {
      yield* apply(
        identifyObject(
          acme,
          [["plan", "pro"]],
          [[byId("ada"), [["role", "owner"]]], [byAnonymousId("cookie")]],
        ),
        relate(byId("ada"), [[objectOf("1", "other")]]),
      )
      yield* apply(deleteObject(acme))
      const reads = Effect.gen(function* () {
        const { identifiers } = yield* load({ identifiers: new Set([objectText("1", "acme")]) })
        return {
          object: yield* objectBy("1", "acme"),
          objects: yield* idsOf(null),
          ofType: yield* idsOf("1"),
          relationships: yield* relationshipsOf("ada"),
          identifiers,
        }
      })
      const before = yield* reads
      yield* expectSame("object", before.object, null)
      yield* expectSame("objects", [before.objects, before.ofType], [["other"], ["other"]])
      yield* expectSame("relationships", before.relationships, [["other", []]])
      yield* expectSame("identifiers", before.identifiers.size, 0)
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* reads, before)
      yield* expectSame(
        "objects in ada's stored document",
        (yield* personBy({ kind: "id", value: "ada" }))?.relationships.size,
        1,
      )
      const { subjects } = yield* load({ subjects: new Set([1, 3].map((key) => SubjectKey.make(key))) })
      const left = [...subjects.values()].map((one) => "relationships" in one && one.relationships.size)
      yield* expectSame("the erased subjects", left, [0])
      yield* apply(identifyObject(acme, [], [[byId("ada")]]))
      const again = yield* objectBy("1", "acme")
      yield* expectSame(
        "the object created again",
        [again?.object.attributes.size, again?.peopleTotal],
        [0, 1],
      )
      yield* expectSame("the new object has a new key", (again?.object.key ?? 0) > 4, true)
    }),
  },
  {
    name: "erases an object with many related people in steps",
    check: Effect.gen(function* () {
      const crowd = Array.from({ length: 600 }, (_, i) => byId(`somebody ${i}`))
      yield* apply(
        relatePeople(
          acme,
          crowd.map((person) => [person] as const),
        ),
      )
      yield* apply(deleteObject(acme))
      yield* sweepAll(noon + 1000)
      const { subjects } = yield* load({
        subjects: new Set(Array.from({ length: 601 }, (_, i) => SubjectKey.make(i + 1))),
      })
      yield* expectSame("the remaining people", subjects.size, 600)
      const naming = [...subjects.values()].filter(
        (one) => "relationships" in one && one.relationships.size > 0,
      )
      yield* expectSame("people that still refer to the object", naming, [])
    }),
  },
]
