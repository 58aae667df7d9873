import { Effect, Option } from "effect"
import { activityScanMax, Directory, everything, type ActivityFilter } from "../Directory.ts"
import { Sequence, SubjectKey } from "../Identifier.ts"
import { expectSame, type Law } from "./Law.ts"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  first,
  identify,
  noon,
  reject,
  remove,
  second,
} from "./commands.ts"
import { activity, apply, people, personBy } from "./scenario.ts"

const day = 24 * 60 * 60 * 1000

const sequencesOf = (filter: Partial<ActivityFilter>) =>
  Effect.map(activity(filter, { limit: 2 }), (found) => found.map(({ sequence }) => Number(sequence)))

const namesOf = (filter: Partial<ActivityFilter>) =>
  Effect.map(activity(filter, { limit: 1 }), (found) => found.map(({ name }) => name))

const keysUnder = (prefix: string, order: "asc" | "desc" = "asc") =>
  Effect.map(people(prefix, { limit: 2, order }), (found) => found.map(({ key }) => Number(key)))

const beginsWithSo = (name: string) => name.startsWith("so")

/** What operators' reads promise. */
export const directoryLaws: ReadonlyArray<Law> = [
  {
    name: "a person is found by key and by each identifier, in its workspace",
    check: Effect.gen(function* () {
      const directory = yield* Directory
      yield* apply(identify(byId("ada"), [], { email: "ada@example.com", anonymousId: "cookie" }))
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("key", ada?.key, SubjectKey.make(1))
      yield* expectSame("by email", yield* personBy({ kind: "email", value: "ADA@example.com" }), ada)
      yield* expectSame("by anonymous id", yield* personBy({ kind: "anonymous_id", value: "cookie" }), ada)
      yield* expectSame(
        "by key",
        Option.map(yield* directory.person(first.id, SubjectKey.make(1)), ({ person }) => person),
        Option.fromNullOr(ada),
      )
      yield* expectSame("elsewhere", yield* directory.person(second.id, SubjectKey.make(1)), Option.none())
      yield* expectSame("elsewhere by id", yield* personBy({ kind: "id", value: "ada" }, second), null)
      yield* apply(event(byId("waiting"), "waited"))
      yield* expectSame("who only waits", yield* personBy({ kind: "id", value: "waiting" }), null)
    }),
  },
  {
    name: "people are listed in pages, in both orders, without visitors and without other workspaces",
    check: Effect.gen(function* () {
      const names = ["ada", "bob", "cyd", "dan", "eve", "fay", "gil"]
      yield* apply(event(byId("waiting"), "waited"), identify(byAnonymousId("cookie"), [["a", 1]]))
      yield* apply(...names.map((name) => identify(byId(name))), identify(byId("zoe"), [], { in: second }))
      for (const limit of [1, 3, 7, 100]) {
        const up = yield* people(null, { limit })
        yield* expectSame(
          `oldest first, ${limit} a page`,
          up.map(({ id }) => id),
          names,
        )
        const down = yield* people(null, { limit, order: "desc" })
        yield* expectSame(`newest first, ${limit} a page`, down, up.toReversed())
      }
      const whole = yield* (yield* Directory).people(first.id, null, { limit: 7, after: null, order: "asc" })
      yield* expectSame("after a page that holds all", whole.next, null)
    }),
  },
  {
    name: "people are searched by how their id or email begins",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [], { email: "Countess@Example.com" }),
        identify(byId("Adam")),
        identify(byId("a%_")),
        identify(byEmail("ADA@example.com")),
        identify(byId("ad\u{1F600}")),
        identify(byId("ae")),
        event(byId("adwaits"), "waited"),
        identify(byId("ada"), [], { in: second }),
      )
      yield* expectSame("ad", yield* keysUnder("ad"), [1, 4, 5])
      yield* expectSame("ad, newest first", yield* keysUnder("ad", "desc"), [5, 4, 1])
      yield* expectSame("Ada", yield* keysUnder("Ada"), [2, 4])
      yield* expectSame("COUNT", yield* keysUnder("COUNT"), [1])
      yield* expectSame("a%", yield* keysUnder("a%"), [3])
      yield* expectSame("%", yield* keysUnder("%"), [])
      yield* expectSame("ad\u{1F600}", yield* keysUnder("ad\u{1F600}"), [5])
      yield* expectSame("nobody", yield* keysUnder("nobody"), [])
      yield* expectSame("all", yield* keysUnder(""), [1, 2, 3, 4, 5, 6])
    }),
  },
  {
    name: "the log is read in pages, in both orders, each workspace its own",
    check: Effect.gen(function* () {
      yield* apply(
        ...["a", "b", "c", "d", "e", "f", "g"].flatMap((name) => [
          event(byId("ada"), name),
          event(byId("ada"), `${name} elsewhere`, { in: second }),
        ]),
      )
      for (const limit of [1, 3, 7, 100]) {
        const up = yield* activity({}, { limit })
        yield* expectSame(`oldest first, ${limit} a page`, up.map(({ name }) => name).join(""), "abcdefg")
        yield* expectSame(
          `newest first, ${limit} a page`,
          yield* activity({}, { limit, order: "desc" }),
          up.toReversed(),
        )
      }
      const operation = (yield* Directory).operation
      yield* expectSame("by position", Option.isSome(yield* operation(first.id, Sequence.make(1))), true)
      yield* expectSame("of another", Option.isSome(yield* operation(first.id, Sequence.make(2))), false)
      yield* expectSame("of nobody", Option.isSome(yield* operation(first.id, Sequence.make(99))), false)
    }),
  },
  {
    name: "the log is filtered by kind, outcome and name, each and together",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada")),
        event(byId("ada"), "bought"),
        event(byId("ada"), "sold", { kind: "page" }),
        event(byId("ada"), "bought", { kind: "screen" }),
        reject(),
        event(byId("nobody"), "bought"),
        remove(byId("nobody at all")),
      )
      yield* expectSame("kind", yield* sequencesOf({ kind: "page" }), [3])
      yield* expectSame("outcome", yield* sequencesOf({ outcome: "applied" }), [2, 3, 4])
      yield* expectSame("name", yield* sequencesOf({ name: "bought" }), [2, 4, 6])
      yield* expectSame("name and kind", yield* sequencesOf({ name: "bought", kind: "event" }), [2, 6])
      yield* expectSame("name and outcome", yield* sequencesOf({ name: "bought", outcome: "pending" }), [6])
      yield* expectSame(
        "all three",
        yield* sequencesOf({ name: "bought", outcome: "applied", kind: "screen" }),
        [4],
      )
      yield* expectSame("a search of names", yield* sequencesOf({ search: beginsWithSo }), [3])
      yield* expectSame("nothing", yield* sequencesOf({ outcome: "ignored" }), [])
      yield* expectSame("rejected", yield* sequencesOf({ outcome: "rejected" }), [5])
    }),
  },
  {
    name: "what was pending is applied once it is somebody's, and is theirs",
    check: Effect.gen(function* () {
      yield* apply(
        event(byAnonymousId("cookie"), "long ago", { receivedAt: noon - 31 * day }),
        event(byAnonymousId("cookie"), "lately", { receivedAt: noon - day }),
        event(byId("ada"), "waited", { receivedAt: noon - 40 * day }),
        event(byEmail("ada@example.com"), "waited too", { receivedAt: noon - day }),
      )
      yield* expectSame("pending", (yield* activity({ outcome: "pending" })).length, 4)
      yield* apply(identify(byId("ada"), [], { email: "ada@example.com", anonymousId: "cookie" }))
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("still pending", yield* namesOf({ outcome: "pending" }), ["long ago"])
      const theirs = ["lately", "waited", "waited too"]
      yield* expectSame("applied", yield* namesOf({ outcome: "applied" }), theirs)
      yield* expectSame("hers", yield* namesOf({ person: ada, kind: "event" }), theirs)
      yield* expectSame("all of hers", yield* namesOf({ person: ada }), [...theirs, null])
      const events = yield* activity({ person: ada, kind: "event" }, { order: "desc", limit: 2 })
      yield* expectSame(
        "newest first",
        events.map(({ name }) => name),
        theirs.toReversed(),
      )
      yield* expectSame(
        "in effect since",
        events.map(({ processedAt }) => processedAt),
        [noon, noon, noon],
      )
      yield* expectSame("whose", [...new Set(events.map(({ person }) => person?.id))], ["ada"])
    }),
  },
  {
    name: "a person's activity holds nobody else's",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), event(byAnonymousId("cookie"), "seen"))
      yield* apply(identify(byId("bob"), [], { anonymousId: "cookie" }))
      yield* apply(
        event(byId("ada"), "hers"),
        event(byId("bob"), "his"),
        event(byAnonymousId("cookie"), "his"),
      )
      const ada = yield* personBy({ kind: "id", value: "ada" })
      const bob = yield* personBy({ kind: "id", value: "bob" })
      yield* expectSame("ada's", yield* sequencesOf({ person: ada }), [1, 5])
      yield* expectSame("bob's", yield* sequencesOf({ person: bob }), [2, 3, 4, 6, 7])
      yield* expectSame("bob's elsewhere", yield* activity({ person: bob }, { workspace: second }), [])
    }),
  },
  {
    name: "a filter that matches little answers short pages, and comes to the end",
    check: Effect.gen(function* () {
      const rejections = Array.from({ length: 5000 }, () => reject())
      yield* apply(event(byId("ada"), "needle"))
      for (let i = 0; i < activityScanMax; i += rejections.length) yield* apply(...rejections)
      const page = yield* (yield* Directory).activity(
        first.id,
        { ...everything, kind: "event" },
        { limit: 10, after: null, order: "desc" },
      )
      yield* expectSame("first page", page, { items: [], next: Sequence.make(2) })
      const found = yield* activity({ kind: "event" }, { order: "desc" })
      yield* expectSame(
        "found",
        found.map(({ name }) => name),
        ["needle"],
      )
    }),
  },
]
