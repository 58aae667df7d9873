import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { SubjectSearch, FoundSubject } from "@inlethq/core/catalog/SubjectSearch"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  byAnonymousId,
  byId,
  deleteObject,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  remove,
  second,
  submitForm,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, sweepAll } from "../script/scenario.ts"

const search = (text: string, given: Partial<SubjectSearch> = {}, workspace: Workspace = first) =>
  Effect.gen(function* () {
    const catalog = yield* Catalog
    const { found, hasAllTypes } = yield* catalog.search(workspace.id, {
      text,
      personKey: null,
      objectKey: null,
      limit: 10,
      ...given,
    })
    return [...found.map(described), ...(hasAllTypes ? [] : ["not all types"])]
  })

const described = ({ exact, merged, subject }: FoundSubject): string =>
  `${merged !== null ? "merged" : exact ? "=" : "~"} ${nameOf(subject)}`

const nameOf = (subject: FoundSubject["subject"]): string => {
  switch (subject._tag) {
    case "Person":
      return subject.id ?? subject.email ?? "nobody"
    case "DataObject":
      return `${subject.typeId}/${subject.objectId}`
    case "Delivery":
      return `delivery ${subject.deliveryId}`
    case "Form":
      return `form ${subject.formId}`
  }
}

const names = (given: Readonly<Record<string, string>>) => Object.entries(given)

const longName = `Zoë${" very".repeat(40)} long`

export const searchLaws: ReadonlyArray<Law> = [
  {
    name: "a search gives exact matches first: people, objects of any type, deliveries and forms, in the own workspace",
    check: Effect.gen(function* () {
      yield* apply(
        ...["x12", "x129", "x1200"].map((id) => identify(byId(id), [], { email: `${id}@example.com` })),
        identify(byId("other"), [], { anonymousId: "x12" }),
        identify(byId("x12"), [], { in: second }),
        identifyObject(objectOf("1", "x12"), [], []),
        identifyObject(objectOf("a/b", "x12"), [], []),
        identifyObject(objectOf("1", "x123"), [], []),
        register("x12", byId("other"), {}),
        register("x12b", byId("other"), {}),
        submitForm("x12", [["id", "other"]]),
        event(byAnonymousId("x12 visitor"), "seen"),
      )
      const exact = ["= form x12", "= delivery x12", "= a/b/x12", "= 1/x12", "= other", "= x12"]
      yield* expectSame("x12", yield* search("x12"), [
        ...exact,
        "~ x1200",
        "~ x129",
        "~ 1/x123",
        "~ delivery x12b",
      ])
      yield* expectSame("one of each kind", yield* search("x12", { limit: 1 }), [
        ...exact,
        "~ x1200",
        "~ 1/x123",
        "~ delivery x12b",
      ])
      yield* expectSame("an email in another case", yield* search("X12@Example.com"), ["= x12"])
      yield* expectSame("the beginning of an email", yield* search("x12@"), ["~ x12"])
      yield* expectSame("a type and an id", yield* search("a/b/x1"), ["~ a/b/x12"])
      yield* expectSame("all of a type", yield* search("1/"), ["~ 1/x123", "~ 1/x12"])
      const key = SubjectKey.make(2)
      yield* expectSame("a key", yield* search("p", { personKey: key }), ["= x129"])
      yield* expectSame("a key of no object", yield* search("o", { objectKey: key }), ["~ other"])
      yield* expectSame("nothing", yield* search("y"), [])
      yield* expectSame("the other workspace", yield* search("x1", {}, second), ["~ x12"])
    }),
  },
  {
    name: "a search finds an object by its id alone among 500 types of objects",
    check: Effect.gen(function* () {
      yield* apply(
        ...Array.from({ length: 500 }, (_, type) =>
          identifyObject(objectOf(`type ${type}`, type % 499 === 0 ? "acme" : `other ${type}`), [], []),
        ),
      )
      yield* expectSame("an id", yield* search("acme"), ["= type 499/acme", "= type 0/acme"])
      yield* expectSame("the beginning of an id", yield* search("other 49", { limit: 3 }), [
        "= type 49/other 49",
        "~ type 498/other 498",
        "~ type 497/other 497",
        "~ type 496/other 496",
      ])
    }),
  },
  {
    name: "the svc_id of a merged person finds the person who remains",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")))
      const catalog = yield* Catalog
      const bob = yield* catalog.personByIdentifier(first.id, { kind: "id", value: "bob" })
      const personKey = Option.getOrNull(bob)?.person.key ?? null
      yield* apply(merge(byId("ada"), byId("bob")))
      yield* expectSame("merged", yield* search("nobody", { personKey }), ["merged ada"])
      yield* apply(identify(byId("eve")), merge(byId("eve"), byId("ada")))
      yield* expectSame("merged again", yield* search("nobody", { personKey }), ["merged eve"])
      yield* apply(remove(byId("eve")))
      yield* expectSame("deleted", yield* search("nobody", { personKey }), [])
    }),
  },
  {
    name: "an id or email that a merge freed finds the person who remains, until somebody else has it or they are deleted",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [], { email: "ada@example.com" }),
        identify(byId("bob"), [], { email: "Bob@example.com" }),
        identify(byId("bobby"), [], { email: "bobby@example.com" }),
        identify(byId("x12"), [], { in: second }),
        merge(byId("ada"), byId("bob")),
      )
      yield* expectSame("the id", yield* search("bob"), ["merged ada", "~ bobby"])
      yield* expectSame("the email in another case", yield* search("bob@EXAMPLE.com"), ["merged ada"])
      yield* expectSame("the beginning of the email", yield* search("bob@"), [])
      yield* expectSame("the other workspace", yield* search("bob", {}, second), [])
      yield* apply(identify(byId("eve")), merge(byId("eve"), byId("ada")))
      yield* expectSame("merged again", yield* search("bob"), ["merged eve", "~ bobby"])
      yield* expectSame("the one between", yield* search("ada"), ["merged eve"])
      yield* expectSame("an email that moved", yield* search("ada@example.com"), ["= eve"])
      yield* apply(identify(byId("bob")))
      yield* expectSame("a new person with the id", yield* search("bob"), ["= bob", "merged eve", "~ bobby"])
      yield* apply(remove(byId("eve")))
      yield* expectSame("after the deletion", yield* search("bob"), ["= bob", "~ bobby"])
      yield* expectSame("after the deletion, the email", yield* search("bob@example.com"), [])
      yield* sweepAll(noon)
      yield* expectSame("after housekeeping", yield* search("bob@example.com"), [])
    }),
  },
  {
    name: "people are found by name without case and accents, and by its words in any order",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("zoe"), [["name", "Zo\u00eb  M\u00dcLLER-Wei\u00df"]]),
        identify(byId("ada"), [
          ["first_name", "Ada King"],
          ["last_name", "Lovelace"],
        ]),
      )
      yield* expectSame("folded", yield* search("zoe mull"), ["~ zoe"])
      yield* expectSame("with accents", yield* search("Zo\u00eb m\u00fcller-weiss"), ["~ zoe"])
      yield* expectSame("decomposed", yield* search("zoe\u0308"), ["~ zoe"])
      yield* expectSame("in another order", yield* search("lovelace  ada"), ["~ ada"])
      yield* expectSame("beginnings of words", yield* search("lov king"), ["~ ada"])
      yield* expectSame("a word that nobody has", yield* search("lovelace zoe"), [])
      yield* apply(identify(byId("zoe"), [["name", "Yan"]]))
      yield* expectSame("renamed", yield* search("muller"), [])
    }),
  },
  {
    name: "people are found by name, by each word of it, and only while they have it",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), names({ first_name: "Ada", last_name: "King  Lovelace" })),
        identify(byId("grace"), names({ name: "Grace Hopper" })),
        identify(byId("adam"), names({ name: "ADA", last_name: "Smith", first_name: "Adam" })),
        identify(byId("zoe"), names({ name: longName })),
        identify(byId("number"), [["name", 7]]),
      )
      yield* expectSame("first name", yield* search("ada k"), ["~ ada"])
      yield* expectSame("several", yield* search("ADA"), ["~ adam", "~ ada"])
      yield* expectSame("a later word", yield* search("lovel"), ["~ ada"])
      yield* expectSame("two words", yield* search(" king   love"), ["~ ada"])
      yield* expectSame("first and last name beside name", yield* search("adam s"), ["~ adam"])
      yield* expectSame("a long name", yield* search(longName), ["~ zoe"])
      yield* expectSame("the middle of a word", yield* search("ovelace"), [])
      yield* apply(
        identify(byId("grace"), names({ name: "Grace Murray" }), { receivedAt: noon + 1 }),
        identify(byId("zoe"), names({ name: "" }), { receivedAt: noon + 1 }),
      )
      yield* expectSame("the old name", yield* search("hopper"), [])
      yield* expectSame("the new name", yield* search("murray"), ["~ grace"])
      yield* expectSame("a removed name", yield* search("zoë"), [])
      yield* apply(merge(byId("number"), byId("grace")), remove(byId("ada")))
      yield* expectSame("a deleted person", yield* search("lovelace"), [])
      yield* expectSame("after a merge, the name that the primary keeps", yield* search("murray"), [])
      yield* sweepAll(noon + 2)
      yield* expectSame("after housekeeping", yield* search("lovelace"), [])
      yield* expectSame("the others stay", yield* search("adam"), ["= adam"])
    }),
  },
  {
    name: "a deleted object is not found, and one that is created again is",
    check: Effect.gen(function* () {
      yield* apply(identifyObject(objectOf("1", "acme"), [], []), deleteObject(objectOf("1", "acme")))
      yield* expectSame("deleted", yield* search("acme"), [])
      yield* apply(identifyObject(objectOf("1", "acme"), [], []))
      yield* expectSame("again", yield* search("acme"), ["= 1/acme"])
    }),
  },
]
