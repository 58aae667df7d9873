import { Effect, Option } from "effect"
import {
  Catalog,
  noFilter,
  followedMax,
  type ActivityFilter,
  type Followed,
} from "@inlethq/core/catalog/Catalog"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { expectSame, type Law } from "../script/Law.ts"
import {
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  noon,
  reject,
  remove,
  second,
} from "../script/commands.ts"
import { activity, apply, people, personBy } from "../script/scenario.ts"

const day = 24 * 60 * 60 * 1000

const sequencesOf = (filter: Partial<ActivityFilter>) =>
  Effect.map(activity(filter, { limit: 2 }), (found) => found.map(({ sequence }) => Number(sequence)))

const namesOf = (filter: Partial<ActivityFilter>) =>
  Effect.map(activity(filter, { limit: 1 }), (found) => found.map(({ name }) => name))

const keysUnder = (prefix: string, order: "asc" | "desc" = "asc") =>
  Effect.map(people(prefix, { limit: 2, order }), (found) => found.map(({ key }) => Number(key)))

const beginsWithSo = (name: string) => name.startsWith("so")

/** Properties that every store's catalog must have. Operators read the data through the catalog. */
export const catalogLaws: ReadonlyArray<Law> = [
  {
    name: "finds a person by key and by each identifier, but only in the person's own workspace",
    check: Effect.gen(function* () {
      const catalog = yield* Catalog
      yield* apply(identify(byId("ada"), [], { email: "ada@example.com", anonymousId: "cookie" }))
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("key", ada?.key, SubjectKey.make(1))
      yield* expectSame("by email", yield* personBy({ kind: "email", value: "ADA@example.com" }), ada)
      yield* expectSame("by anonymous id", yield* personBy({ kind: "anonymous_id", value: "cookie" }), ada)
      yield* expectSame(
        "by key",
        Option.map(yield* catalog.person(first.id, SubjectKey.make(1)), ({ person }) => person),
        Option.fromNullOr(ada),
      )
      yield* expectSame(
        "in another workspace",
        yield* catalog.person(second.id, SubjectKey.make(1)),
        Option.none(),
      )
      yield* expectSame(
        "in another workspace by id",
        yield* personBy({ kind: "id", value: "ada" }, second),
        null,
      )
      yield* apply(event(byId("waiting"), "waited"))
      yield* expectSame(
        "an id that only events have named",
        yield* personBy({ kind: "id", value: "waiting" }),
        null,
      )
    }),
  },
  {
    name: "lists the people of one workspace in pages, in both orders and without visitors",
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
      const whole = yield* (yield* Catalog).people(first.id, null, { limit: 7, after: null, order: "asc" })
      yield* expectSame("the cursor after a page that holds all", whole.next, null)
    }),
  },
  {
    name: "searches people by the prefix of their id or email",
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
    name: "searches people by the beginning of a word of their name",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("one"), [["name", "Ada King  Lovelace"]]),
        identify(byId("king"), [["first_name", "Grace"]]),
        identify(byId("three"), [["last_name", "Kingsley"]]),
        identify(byId("four"), [["name", "Ada"]], { in: second }),
      )
      yield* expectSame("king", yield* keysUnder("KING"), [1, 3])
      yield* expectSame("king, newest first", yield* keysUnder("king", "desc"), [3, 2, 1])
      yield* expectSame("two words", yield* keysUnder(" king love"), [1])
      yield* expectSame("the middle of a word", yield* keysUnder("ing"), [])
      yield* apply(identify(byId("three"), [["last_name", "Hopper"]]), remove(byId("one")))
      yield* expectSame("after changes", yield* keysUnder("king"), [2])
    }),
  },
  {
    name: "reads the log of one workspace in pages and in both orders",
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
      const operation = (yield* Catalog).operation
      yield* expectSame(
        "an operation by its position",
        Option.isSome(yield* operation(first.id, Sequence.make(1))),
        true,
      )
      yield* expectSame(
        "an operation that does not exist",
        Option.isSome(yield* operation(first.id, Sequence.make(99))),
        false,
      )
    }),
  },
  {
    name: "filters the log by kind, by outcome, by name, and by combinations of them",
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
      yield* expectSame("by a search for names", yield* sequencesOf({ search: beginsWithSo }), [3])
      yield* expectSame("nothing", yield* sequencesOf({ outcome: "ignored" }), [])
      yield* expectSame("rejected", yield* sequencesOf({ outcome: "rejected" }), [5])
    }),
  },
  {
    name: "shows pending entries as applied, and in the person's activity, after their person is known",
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
      yield* expectSame("events of ada", yield* namesOf({ person: ada, kind: "event" }), theirs)
      yield* expectSame("all entries of ada", yield* namesOf({ person: ada }), [...theirs, null])
      const events = yield* activity({ person: ada, kind: "event" }, { order: "desc", limit: 2 })
      yield* expectSame(
        "newest first",
        events.map(({ name }) => name),
        theirs.toReversed(),
      )
      yield* expectSame(
        "processing times",
        events.map(({ processedAt }) => processedAt),
        [noon, noon, noon],
      )
      yield* expectSame(
        "the people of the events",
        [...new Set(events.map(({ person }) => person?.id))],
        ["ada"],
      )
    }),
  },
  {
    name: "a person's activity contains no entries of other people",
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
      yield* expectSame("entries of ada", yield* sequencesOf({ person: ada }), [1, 5])
      yield* expectSame("entries of bob", yield* sequencesOf({ person: bob }), [2, 3, 4, 6, 7])
      yield* expectSame(
        "entries of bob in another workspace",
        yield* activity({ person: bob }, { workspace: second }),
        [],
      )
    }),
  },
  {
    name: "fills a page of the log even if the matching entries are far apart",
    check: Effect.gen(function* () {
      const rejections = Array.from({ length: 5000 }, () => reject())
      const needles = [
        { ...noFilter, kind: "page" },
        { ...noFilter, outcome: "dropped" },
        { ...noFilter, name: "needle" },
        { ...noFilter, search: (name: string) => name.startsWith("need") },
      ] as const
      for (let i = 0; i < 2; i++) {
        yield* apply(event(bySvcId(1000), "needle", { kind: "page" }), ...rejections, ...rejections)
      }
      const { activity } = yield* Catalog
      for (const filter of needles) {
        const down = yield* activity(first.id, filter, { limit: 2, after: null, order: "desc" })
        yield* expectSame(
          "both",
          down.items.map(({ entry }) => Number(entry.sequence)),
          [10_002, 1],
        )
        yield* expectSame("the cursor after the last match", down.next, null)
        const up = yield* activity(first.id, filter, { limit: 1, after: null, order: "asc" })
        yield* expectSame(
          "the oldest match",
          up.items.map(({ entry }) => Number(entry.sequence)),
          [1],
        )
        yield* expectSame("the cursor in ascending order", up.next, Sequence.make(1))
      }
    }),
  },
  {
    name: "a page of the log ends before its end position in both orders, whatever the filter",
    check: Effect.gen(function* () {
      yield* apply(
        ...Array.from({ length: 4 }, () => event(byId("ada"), "wanted")),
        ...Array.from({ length: 5000 }, () => reject()),
        event(byId("ada"), "wanted"),
      )
      const { activity } = yield* Catalog
      const ada = (yield* personBy({ kind: "id", value: "ada" })) ?? null
      const filters = [
        noFilter,
        { ...noFilter, kind: "event" },
        { ...noFilter, name: "wanted" },
        { ...noFilter, search: (name: string) => name.startsWith("want") },
        { ...noFilter, person: ada },
      ] as const
      for (const filter of filters) {
        const read = (order: "asc" | "desc", after: number, end: number) =>
          Effect.map(
            activity(first.id, filter, {
              limit: 10,
              after: Sequence.make(after),
              order,
              end: Sequence.make(end),
            }),
            ({ items, next }) => [items.map(({ entry }) => Number(entry.sequence)), next],
          )
        yield* expectSame("ascending", yield* read("asc", 1, 4), [[2, 3], null])
        yield* expectSame("descending", yield* read("desc", 5, 2), [[4, 3], null])
        yield* expectSame("empty when ascending", yield* read("asc", 4, 2), [[], null])
        yield* expectSame("empty when descending", yield* read("desc", 2, 4), [[], null])
      }
    }),
  },
  {
    name: "following the log continues after the last position that was read, and stops at the end of the log",
    check: Effect.gen(function* () {
      const { follow } = yield* Catalog
      const wanted = { ...noFilter, name: "wanted" }
      yield* expectSame("an empty log", yield* follow(first.id, wanted, null), nothingYet)
      yield* apply(event(byId("ada"), "wanted"), event(byId("ada"), "other"), event(byId("ada"), "wanted"))
      const some = yield* follow(first.id, wanted, null)
      yield* expectSame("existing entries", names(some), ["wanted", "wanted"])
      const end = yield* follow(first.id, wanted, some.readTo)
      yield* expectSame("the end of the log", end, { items: [], readTo: Sequence.make(3), caughtUp: true })
      const elsewhere = yield* follow(second.id, wanted, null)
      yield* expectSame("in another workspace", names(elsewhere), [])
      yield* apply(event(byId("ada"), "other", { in: second }), event(byId("ada"), "wanted"))
      yield* expectSame("new entries", names(yield* follow(first.id, wanted, end.readTo)), ["wanted"])
      yield* apply(...Array.from({ length: followedMax }, () => event(byId("ada"), "wanted")))
      const many = yield* follow(first.id, wanted, null)
      yield* expectSame("entries of one answer", many.items.length, followedMax)
      yield* expectSame("the position after them", many.readTo, many.items.at(-1)?.entry.sequence)
      const rest = yield* follow(first.id, wanted, many.readTo)
      yield* expectSame("the remaining entries", rest.items.length, 3)
    }),
  },
  {
    name: "follows every entry of a log whose texts have several bytes for each character",
    check: Effect.gen(function* () {
      const { follow } = yield* Catalog
      const data = { text: "\u{1F600}".repeat(700) }
      const count = followedMax - 1
      yield* apply(...Array.from({ length: count }, () => event(byId("ada"), "wanted", { data })))
      const seen: Array<number> = []
      for (let after: Sequence | null = null; ;) {
        const page: Followed = yield* follow(first.id, noFilter, after)
        seen.push(...page.items.map(({ entry }) => entry.sequence))
        after = page.readTo
        if (page.caughtUp) break
      }
      yield* expectSame(
        "the positions",
        seen,
        Array.from({ length: count }, (_, index) => index + 1),
      )
    }),
  },
]

const names = ({ items }: Followed) => items.map(({ entry }) => entry.name)

const nothingYet: Followed = { items: [], readTo: null, caughtUp: true }
