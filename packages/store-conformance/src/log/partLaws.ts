import { Effect } from "effect"
import type { ActivityView } from "@inlethq/core/catalog/ActivityView"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Store } from "@inlethq/core/ports/Store"
import {
  byAnonymousId,
  byEmail,
  byId,
  deleteObject,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  relatePeople,
  remove,
  suppress,
  unrelatePeople,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, personBy, sweepAll } from "../script/scenario.ts"

const acme = objectOf("1", "acme")

/** Returns the activity of the person with an id, or an empty list if the id is unknown. */
const activityOf = Effect.fnUntraced(function* (id: string) {
  const person = yield* personBy({ kind: "id", value: id })
  if (person === null) return []
  const views = yield* activity({ person }, { limit: 2 })
  const backwards = yield* activity({ person }, { limit: 2, order: "desc" })
  yield* expectSame("backwards", backwards, views.toReversed())
  return views
})

const kindsOf = (id: string) => Effect.map(activityOf(id), (views) => views.map(({ kind }) => kind))

const contentOf = ({ changes, data }: ActivityView) => ({ changes, data })

/** Returns the expected element about one person in the list `relationships` of an entry. */
const related = (svc_id: string | null, identifiers: JsonObject, relationship_attributes: JsonObject) => ({
  svc_id,
  identifiers,
  relationship_attributes,
})

/** Returns the expected changes in an entry that relates a person to the object `acme`. */
const joined = (who: string, role: string) => [
  { path: `people.${who}.relationships.1.acme`, from: null, to: {} },
  { path: `people.${who}.relationships.1.acme.role`, from: null, to: role },
]

/** The properties that every store must have for operations that are about an object and also name people. */
export const partLaws: ReadonlyArray<Law> = [
  {
    name: "contract §9: an operation about an object appears in full in the activity of every person it names",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), identify(byId("eve")))
      yield* apply(
        identifyObject(
          acme,
          [["plan", "pro"]],
          [
            [byId("ada"), [["role", "owner"]]],
            [byEmail("new@example.com"), [["role", "guest"]]],
          ],
        ),
        relatePeople(acme, [[byId("bob")], [byId("ada"), [["role", "admin"]]]]),
        unrelatePeople(acme, [[byId("ada")]]),
      )
      const [, identified, relatedLater, unrelated] = yield* activityOf("ada")
      yield* expectSame("identified", identified && contentOf(identified), {
        data: {
          object_type_id: "1",
          object_id: "acme",
          attributes: { plan: "pro" },
          relationships: [
            related("p11000000001", { id: "ada" }, { role: "owner" }),
            related("p11000000005", { email: "new@example.com" }, { role: "guest" }),
          ],
        },
        changes: [
          { path: "attributes.plan", from: null, to: "pro" },
          ...joined("p11000000001", "owner"),
          { path: "people.p11000000005.email", from: null, to: "new@example.com" },
          ...joined("p11000000005", "guest"),
        ],
      })
      yield* expectSame("related later", relatedLater?.changes, [
        { path: "people.p11000000002.relationships.1.acme", from: null, to: {} },
        { path: "people.p11000000001.relationships.1.acme.role", from: "owner", to: "admin" },
      ])
      yield* expectSame("unrelated", unrelated?.changes, [
        { path: "people.p11000000001.relationships.1.acme", from: { role: "admin" }, to: null },
      ])
      yield* expectSame("the object's entry", (yield* activity()).slice(3, 4), identified ? [identified] : [])
      yield* expectSame("activity of bob", yield* kindsOf("bob"), ["identify", "add_relationships"])
      yield* expectSame("activity of eve", yield* kindsOf("eve"), ["identify"])
    }),
  },
  {
    name: "contract §16: deleting or suppressing a person removes only their part from entries about objects",
    check: Effect.gen(function* () {
      yield* apply(
        identifyObject(
          acme,
          [],
          [
            [byId("ada"), [["role", "owner"]]],
            [byId("bob"), [["role", "guest"]]],
            [byAnonymousId("cookie"), [["role", "reader"]]],
          ],
        ),
        relatePeople(acme, [[byId("eve")]]),
        identify(byId("eve"), [], { anonymousId: "cookie" }),
      )
      const [first] = yield* activity()
      yield* apply(remove(byId("ada")), suppress(byId("eve")))
      yield* apply(relatePeople(acme, [[byId("ada"), [["role", "again"]]]]))
      const reads = Effect.gen(function* () {
        return {
          log: yield* activity(),
          ofBob: yield* activityOf("bob"),
          ofAda: (yield* activityOf("ada")).map(({ changes }) => changes),
        }
      })
      const before = yield* reads
      const left = before.log[0]
      yield* expectSame("what is left of the first entry", left && contentOf(left), {
        data: {
          object_type_id: "1",
          object_id: "acme",
          attributes: {},
          relationships: [related("p11000000003", { id: "bob" }, { role: "guest" })],
        },
        changes: [
          { path: "people.p11000000003.id", from: null, to: "bob" },
          ...joined("p11000000003", "guest"),
        ],
      })
      yield* expectSame("changes of the first entry before the deletion", first?.changes.length, 8)
      yield* expectSame("changes of the second entry", before.log[1]?.changes, [])
      yield* expectSame("activity of bob", before.ofBob, left ? [left] : [])
      yield* expectSame("activity of ada, who is a new person", before.ofAda, [
        [{ path: "people.p11000000006.id", from: null, to: "ada" }, ...joined("p11000000006", "again")],
      ])
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* reads, before)
    }),
  },
  {
    name: "contract §9: entries about objects move with an identified visitor and a merged person",
    check: Effect.gen(function* () {
      yield* apply(
        relatePeople(acme, [[byAnonymousId("cookie"), [["role", "guest"]]], [byId("bob")]]),
        identify(byId("ada")),
      )
      yield* expectSame("before", yield* kindsOf("ada"), ["identify"])
      yield* apply(identify(byId("bob"), [], { anonymousId: "cookie" }))
      yield* expectSame("identified", yield* kindsOf("bob"), ["add_relationships", "identify"])
      yield* apply(merge(byId("ada"), byId("bob")))
      const [entry, ...rest] = yield* activityOf("ada")
      yield* expectSame(
        "merged",
        rest.map(({ kind }) => kind),
        ["identify", "identify", "merge"],
      )
      yield* expectSame("the entry", entry?.changes.slice(0, 2), joined("cookie", "guest"))
      yield* apply(remove(byId("ada")))
      yield* expectSame("deleted", (yield* activity())[0]?.changes, [])
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", (yield* activity())[0]?.changes, [])
    }),
  },
  {
    name: "the entries about a deleted object, its deletion included, stay in the activity of the people related to it",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), relatePeople(acme, [[byId("ada"), [["role", "owner"]]]]))
      yield* apply(deleteObject(acme))
      const kinds = yield* kindsOf("ada")
      yield* expectSame("at once", kinds, ["identify", "add_relationships", "object_delete"])
      yield* sweepAll(noon + 1000)
      yield* expectSame("after housekeeping", yield* kindsOf("ada"), kinds)
      yield* apply(remove(byId("ada")))
      yield* sweepAll(noon + 2000)
      const left = yield* activity()
      yield* expectSame("entries", left.length, 4)
      const named = left.flatMap(({ overwritten, parts }) => [...overwritten, ...parts])
      yield* expectSame(
        "what is left of ada",
        named.filter(({ subject }) => subject === 1),
        [],
      )
    }),
  },
  {
    name: "removes a thousand people from one entry in steps",
    check: Effect.gen(function* () {
      const store = yield* Store
      const crowd = Array.from({ length: 1000 }, (_, i) => byId(`somebody ${i}`))
      yield* apply(relatePeople(acme, [[byId("ada")], ...crowd.map((person) => [person] as const)]))
      yield* expectSame("activity of one of them", yield* kindsOf("somebody 999"), ["add_relationships"])
      yield* apply(...crowd.map((person) => remove(person)))
      const [entry] = yield* activityOf("ada")
      yield* expectSame("at once", entry?.parts.length, 1)
      for (let swept = yield* store.sweep(noon); !swept.done; swept = yield* store.sweep(noon)) {
        yield* expectSame("entries of a step are bounded", swept.entries <= 1000, true)
      }
      yield* expectSame("after erasing", yield* activityOf("ada"), entry ? [entry] : [])
    }),
  },
]
