import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { identifierText, SubjectKey } from "@inlethq/core/values/Identifier"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  merge,
  noon,
  objectOf,
  remove,
} from "../script/commands.ts"
import { createSegment, joinSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, load, people, personBy, recordBy, sweepAll } from "../script/scenario.ts"

/**
 * The stored people and visitors: Ada has key 1 and Bob has key 3. Bob's activity before he was identified belongs to
 * the visitor with key 2.
 */
const lives = [
  identify(byId("ada"), [["plan", "pro"]], { anonymousId: "ada's cookie" }),
  event(byAnonymousId("bob's cookie"), "seen"),
  identify(
    byId("bob"),
    [
      ["plan", "free"],
      ["city", "Paris"],
    ],
    { email: "bob@example.com", anonymousId: "bob's cookie" },
  ),
  event(byId("bob"), "bought"),
  addDevice(byId("bob"), "phone"),
  identify(byId("bob"), [], { relatedTo: [[objectOf("1", "acme"), [["role", "owner"]]]] }),
  createSegment("a"),
]

const names = Effect.map(activity({ kind: "event" }), (found) =>
  found.map(({ name, person }) => [name, person?.id ?? null]),
)

/** The properties that every store must have when people are merged. */
export const mergeLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6: the primary has all data of the secondary as soon as the merge is committed",
    check: Effect.gen(function* () {
      yield* apply(...lives)
      yield* apply(joinSegment(5, [byId("bob")]))
      yield* apply(merge(byId("ada"), byId("bob")))
      const record = yield* recordBy({ kind: "id", value: "ada" })
      const ada = record?.person
      yield* expectSame(
        "attributes",
        ["plan", "city"].map((name) => ada?.attributes.get(name)?.value),
        ["pro", "Paris"],
      )
      yield* expectSame("email", ada?.email, "bob@example.com")
      yield* expectSame("anonymous ids", ada?.anonymousIds, ["ada's cookie", "bob's cookie"])
      yield* expectSame("devices", [...(ada?.devices.keys() ?? [])], ["phone"])
      yield* expectSame(
        "objects",
        record?.relationships.map(({ object }) => object.objectId),
        ["acme"],
      )
      yield* expectSame("segments", record?.segments, [SubjectKey.make(5)])
      yield* expectSame(
        "size",
        Option.getOrNull(yield* (yield* Catalog).segment(first.id, SubjectKey.make(5)))?.size,
        1,
      )
      yield* expectSame(
        "people",
        (yield* people()).map(({ id }) => id),
        ["ada"],
      )
      const hers = [
        ["seen", "ada"],
        ["bought", "ada"],
      ]
      yield* expectSame("events", yield* names, hers)
      yield* expectSame(
        "the primary's activity",
        (yield* activity({ person: ada ?? null, kind: "event" })).map(({ name }) => name),
        ["seen", "bought"],
      )
      const { identifiers } = yield* load({
        identifiers: new Set([identifierText("id", "bob"), identifierText("email", "bob@example.com")]),
      })
      yield* expectSame(
        "subjects of the secondary's identifiers",
        identifiers,
        new Map([[identifierText("email", "bob@example.com"), ada?.key]]),
      )
    }),
  },
  {
    name: "deleting the primary of a merge also deletes the secondary, and the secondary's id can be used again",
    check: Effect.gen(function* () {
      yield* apply(...lives, merge(byId("ada"), byId("bob")))
      yield* apply(identify(byId("bob")), event(byId("bob"), "came anew"), event(bySvcId(3), "too late"))
      yield* apply(identify(byId("cyd")), merge(byId("cyd"), byId("ada")))
      yield* expectSame("events", yield* names, [
        ["seen", "cyd"],
        ["bought", "cyd"],
        ["came anew", "bob"],
        ["too late", null],
      ])
      const { subjects } = yield* load({ subjects: new Set([1, 2, 3].map((key) => SubjectKey.make(key))) })
      const owners = [...subjects.values()].flatMap((one) => (one._tag === "Attached" ? [one.owner] : []))
      const cyd = yield* personBy({ kind: "id", value: "cyd" })
      yield* expectSame(
        "owners",
        owners,
        Array.from({ length: 3 }, () => cyd?.key),
      )
      yield* apply(remove(byEmail("bob@example.com")))
      const rest = [
        ["came anew", "bob"],
        ["too late", null],
      ]
      yield* expectSame("events after the deletion", yield* names, rest)
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* names, rest)
      const gone = yield* load({ subjects: new Set([1, 2, 3].map((key) => SubjectKey.make(key))) })
      yield* expectSame("subjects", gone.subjects.size, 0)
    }),
  },
]
