import { Effect } from "effect"
import { identifierText, SubjectKey, type Identifier } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { Store } from "@inlethq/core/ports/Store"
import { toPlainSubject } from "@inlethq/core/state/Subject"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { expectSame, type Law } from "../script/Law.ts"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  reject,
  relate,
  remove,
  report,
  second,
  submitForm,
} from "../script/commands.ts"
import { createSegment } from "../script/segmentCommands.ts"
import { activity, apply, load, people, personBy, sweepAll } from "../script/scenario.ts"

const acme = objectOf("1", "acme")

/** The properties that every store must have when it loads and commits batches. */
export const storeLaws: ReadonlyArray<Law> = [
  {
    name: "reports the size of the stored data, or null if there is no file",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")))
      const size = yield* (yield* Store).size
      yield* expectSame("the size", size === null || (Number.isSafeInteger(size) && size > 4096), true)
    }),
  },
  {
    name: "loads subjects of every kind as they were committed",
    check: Effect.gen(function* () {
      const attributes: ReadonlyArray<readonly [string, Json]> = [
        ["plan", "pro"],
        ["2", 2],
        ["1", 1],
        ["nested", { list: [1, "two", null, { three: 3.5 }], empty: {} }],
        ["gone", true],
      ]
      const { state: seen } = yield* apply(
        identify(byId("ada"), attributes, { email: "Ada@Example.com" }),
        identify(byId("ada"), [["gone", null]], { receivedAt: noon + 5, at: noon - 1000 }),
        identify(byId("ada"), [["gone", ""]], { receivedAt: noon + 10 }),
        identify(byAnonymousId("cookie"), [["colour", "red"]]),
        event(byAnonymousId("other cookie"), "seen"),
        identify(byId("ada"), [], { anonymousId: "other cookie" }),
        event(byEmail("waiting@example.com"), "waited"),
        identify(byId("bob")),
        event(byAnonymousId("bob's cookie"), "seen"),
        identify(byId("bob"), [], { anonymousId: "bob's cookie" }),
        remove(byId("bob")),
        identify(byId("cyd"), attributes, { email: "cyd@example.com", anonymousId: "cyd's cookie" }),
        addDevice(byId("cyd"), "phone", [["model", "A1"]], { lastUsed: noon }),
        addDevice(byAnonymousId("cookie"), "visitor's"),
        relate(byAnonymousId("cookie"), [[acme, [["role", "guest"]]]]),
        identifyObject(acme, attributes, [[byId("cyd"), [["role", "owner"]]]]),
        createSegment("segment", { description: "all" }),
        submitForm("form", [
          ["id", "ada"],
          ["note", "x"],
        ]),
        register("delivery", byId("cyd"), {
          recipient: "cyd@example.com",
          subject: "",
          sources: [["trigger_event_id", "x"]],
        }),
        report("delivery", "opened"),
        report("another", "clicked"),
        merge(byId("ada"), byId("cyd")),
      )
      const loaded = yield* load({ subjects: new Set(seen.subjects.keys()) })
      yield* expectSame(
        "kinds of subjects",
        [...new Set([...loaded.subjects.values()].map(({ _tag }) => _tag))].toSorted(),
        ["Attached", "DataObject", "Delivery", "Erased", "Form", "Person", "Segment", "Visitor"],
      )
      yield* expectSame(
        "subjects",
        [...loaded.subjects.values()].map(toPlainSubject),
        [...loaded.subjects.keys()].map((key) => seen.subjects.get(key)),
      )
      yield* expectSame("keys", new Set(loaded.subjects.keys()), new Set(seen.subjects.keys()))
    }),
  },
  {
    name: "contract §16 receipt time: receipt times of a workspace never decrease, even if the clock is set back",
    check: Effect.gen(function* () {
      const ada = byId("ada")
      yield* apply(identify(ada, [["plan", "first"]]))
      const early = { receivedAt: noon - hourMs }
      const { entries } = yield* apply(
        identify(ada, [["plan", "second"]], early),
        identify(ada, [["plan", "stamped"]], { ...early, at: noon - 1000 }),
        identify(ada, [["plan", "elsewhere"]], { ...early, in: second }),
      )
      yield* expectSame(
        "receipts, times and outcomes",
        entries.map(({ at, outcome, receivedAt }) => [receivedAt, at, outcome]),
        [
          [noon, noon, "applied"],
          [noon, noon - 1000, "partial"],
          [noon - hourMs, noon - hourMs, "created"],
        ],
      )
      const person = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("plan", person?.attributes.get("plan"), { value: "second", at: noon })
    }),
  },
  {
    name: "keeps the order of a person's attributes",
    check: Effect.gen(function* () {
      const names = ["z", "10", "9", "a", "__proto__", "constructor"]
      yield* apply(
        identify(
          byId("ada"),
          names.map((name) => [name, 1]),
        ),
      )
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("names", [...(ada?.attributes.keys() ?? [])], names)
    }),
  },
  {
    name: "an identifier resolves to the subject that has it, and to nothing after it was freed",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada"), [], { email: "ada@example.com" }), identify(byId("bob")))
      yield* apply(identify(bySvcId(1), [], { id: "countess", email: "countess@example.com" }))
      yield* apply(identify(byId("ada")), remove(byId("bob")))
      const identifiers = new Set(["ada", "bob", "countess"].map((id) => identifierText("id", id)))
      for (const local of ["ada", "countess"])
        identifiers.add(identifierText("email", `${local}@example.com`))
      const loaded = yield* load({ identifiers })
      yield* expectSame(
        "identifiers",
        loaded.identifiers,
        new Map([
          [identifierText("id", "countess"), SubjectKey.make(1)],
          [identifierText("email", "countess@example.com"), SubjectKey.make(1)],
          [identifierText("id", "ada"), SubjectKey.make(3)],
        ]),
      )
      yield* expectSame("subjects found by them", [...loaded.subjects.keys()].toSorted(), [1, 3])
    }),
  },
  {
    name: "finds a person by email in upper or lower case",
    check: Effect.gen(function* () {
      yield* apply(identify(byEmail("Ada@Example.com")))
      const { entries } = yield* apply(identify(byEmail("aDA@eXAMPLE.com")))
      yield* expectSame("subject", entries[0]?.subject, SubjectKey.make(1))
      yield* expectSame(
        "email",
        (yield* personBy({ kind: "email", value: "ADA@EXAMPLE.COM" }))?.email,
        "Ada@Example.com",
      )
    }),
  },
  {
    name: "all operations except rejected ones claim their deduplication key",
    check: Effect.gen(function* () {
      yield* apply(
        event(byId("ada"), "bought", { deduplicationKey: "taken" }),
        remove(byId("nobody"), { deduplicationKey: "dropped" }),
        reject({ deduplicationKey: "free" }),
        event(byId("ada"), "bought", { deduplicationKey: "elsewhere", in: second }),
      )
      const keys = ["taken", "dropped", "free", "elsewhere", "never seen"]
      const loaded = yield* load({ deduplication: new Set(keys) })
      yield* expectSame("claimed", new Set(loaded.claimed.keys()), new Set(["taken", "dropped"]))
      const { entries } = yield* apply(event(byId("ada"), "bought", { deduplicationKey: "taken" }))
      yield* expectSame("outcome", entries[0]?.outcome, "duplicate")
    }),
  },
  {
    name: "loads only the rows of the requested keys",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")))
      const loaded = yield* load({ identifiers: new Set([identifierText("id", "ada")]) })
      yield* expectSame("subjects", [...loaded.subjects.keys()], [1])
      yield* expectSame("identifiers", [...loaded.identifiers.keys()], [identifierText("id", "ada")])
      const nothing = yield* load({ subjects: new Set([SubjectKey.make(99)]) })
      yield* expectSame("subjects of an unknown key", nothing.subjects.size, 0)
    }),
  },
  {
    name: "subject keys and log positions only grow",
    check: Effect.gen(function* () {
      const { state: seen } = yield* apply(identify(byId("ada")), event(byId("bob"), "waited"))
      yield* expectSame("next key", (yield* load({})).nextKey, seen.nextKey)
      yield* expectSame("next position", (yield* load({})).nextSequence, seen.nextSequence)
      yield* apply(remove(byId("ada")), remove(byId("bob")))
      const { entries } = yield* apply(identify(byId("ada")))
      yield* expectSame("key after deletion", entries[0]?.subject, SubjectKey.make(3))
      yield* expectSame("position", entries[0]?.sequence, (yield* load({})).nextSequence - 1)
    }),
  },
  {
    name: "contract §5 full workspaces: counts the records of each batch, and refuses records beyond the limit",
    check: Effect.gen(function* () {
      const full = { in: { ...first, recordsMax: 3 } }
      yield* apply(identify(byId("ada"), [], full), event(byId("bob"), "waited", full))
      yield* apply(identifyObject(acme, [], [], full))
      yield* expectSame("records", (yield* load({})).records, 3)
      const { entries } = yield* apply(
        identify(byId("cleo"), [], full),
        identify(byId("bob"), [], full),
        remove(byId("ada"), full),
        identify(byId("cleo"), [], full),
      )
      yield* expectSame(
        "outcomes",
        entries.map(({ outcome }) => outcome),
        ["rejected", "created", "applied", "created"],
      )
      yield* expectSame("records after a deletion", (yield* load({})).records, 3)
      yield* sweepAll(noon)
      yield* expectSame("records after housekeeping", (yield* load({})).records, 3)
    }),
  },
  {
    name: "stores any text as an identifier, a name, a value and a deduplication key",
    check: Effect.forEach(awkwardTexts(), checkText, { discard: true }),
  },
  {
    name: "commits a batch without effect, and an empty batch",
    check: Effect.gen(function* () {
      yield* apply()
      yield* apply(reject())
      yield* expectSame("entries", (yield* activity()).length, 1)
      yield* expectSame("people", yield* people(), [])
    }),
  },
  {
    name: "a probe succeeds if the store can commit, and changes nothing",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")))
      const seen = Effect.gen(function* () {
        const { digest: _, ...state } = yield* load({ identifiers: new Set([identifierText("id", "ada")]) })
        return state
      })
      const before = yield* seen
      yield* (yield* Store).probe
      yield* expectSame("state", yield* seen, before)
    }),
  },
]

function awkwardTexts(): ReadonlyArray<string> {
  return [
    "__proto__",
    "constructor",
    "'; DROP TABLE activity; --",
    '"quoted" \\ and / slashed',
    "line\nbreak\ttab\u0001",
    "nothing\0after",
    "nothing",
    "half \ud83d a pair",
    "other half \ude00",
    "half \ufffd a pair",
    "\uffff0000",
    "\u{1F600} ünïcödé \u{10FFFF}",
    "e\u0301",
    "\u00e9",
    "100%_",
    " ",
  ]
}

function checkText(text: string) {
  return Effect.gen(function* () {
    const identifier: Identifier = { kind: "id", value: text }
    const target = { _tag: "ByIdentifier", ...identifier } as const
    const { entries } = yield* apply(
      identify(target, [[text, text]], { anonymousId: text, deduplicationKey: `identify ${text}` }),
      event(target, text, { deduplicationKey: text, data: { [text]: text, list: [text] } }),
    )
    const person = yield* personBy(identifier)
    yield* expectSame("person by id", person?.id, text)
    yield* expectSame("attribute", person?.attributes.get(text)?.value, text)
    yield* expectSame(
      "person by anonymous id",
      yield* personBy({ kind: "anonymous_id", value: text }),
      person,
    )
    const views = yield* activity({ person })
    const kept = views.map(({ changes, data, id, name, sequence }) => ({ changes, data, id, name, sequence }))
    yield* expectSame(
      "entries",
      kept,
      entries.map(({ changes, data, id, name, sequence }) => ({ changes, data, id, name, sequence })),
    )
    yield* expectSame("entries of that name", (yield* activity({ name: text })).length, 1)
    const again = yield* apply(event(target, "again", { deduplicationKey: text }))
    yield* expectSame("the outcome of a repeated event", again.entries[0]?.outcome, "duplicate")
  })
}
