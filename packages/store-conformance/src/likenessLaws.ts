import { alikeMax, Catalog } from "@inlet/core/catalog/Catalog"
import { duplicatePairs } from "@inlet/core/history/duplicates"
import { mergeIn } from "@inlet/core/person/mergeReceipt"
import { Dismissals, pairOf } from "@inlet/core/ports/Dismissals"
import { Registry } from "@inlet/core/ports/Registry"
import type { Store } from "@inlet/core/ports/Store"
import { SubjectKey } from "@inlet/core/values/Identifier"
import { likenessKinds, type LikenessKind } from "@inlet/core/workspace/Likeness"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
import { Effect } from "effect"
import { byId, first, identify, merge, noon, remove, unmerge } from "./commands.ts"
import { pairs } from "./duplicateLaws.ts"
import { expectSame, type Law } from "./Law.ts"
import { apply, sweepAll } from "./scenario.ts"

/** Creates the first workspace, which compares people. */
const begin = Effect.fnUntraced(function* (likeness: ReadonlyArray<LikenessKind>) {
  yield* (yield* Registry).createWorkspace({ ...defaultSettings("First", "us"), likeness })
})

const compareFromNow = Effect.fnUntraced(function* (likeness: ReadonlyArray<LikenessKind>) {
  const registry = yield* Registry
  for (const current of yield* registry.workspaces)
    yield* registry.updateWorkspace(current, { ...current, likeness })
})

const all = pairs(null, likenessKinds)

const withPhone = (id: string, phone = "+1 555 0100 2") => identify(byId(id), [["phone", phone]])

/** The properties that every store must have when it finds people who are alike. */
export const likenessLaws: ReadonlyArray<Law<Store | Catalog | Registry | Dismissals>> = [
  {
    name: "contract §6 likeness: an email but for case, dots and what follows a plus, the digits of a phone, or a name with the postcode make a pair",
    check: Effect.gen(function* () {
      yield* begin(likenessKinds)
      yield* apply(
        identify(byId("ada"), [], { email: "a.da@example.com" }),
        identify(byId("ada 2"), [], { email: "Ada+news@Example.com" }),
        withPhone("bob", "+44 20 7946 0958"),
        withPhone("bob 2", "0044 (20) 7946-0958"),
        identify(byId("eve"), [
          ["name", "Ève  Smith"],
          ["postcode", "AB1 2CD"],
        ]),
        identify(byId("eve 2"), [
          ["first_name", "eve"],
          ["last_name", "Smith"],
          ["address", { street: "Main", postal_code: "ab1-2cd" }],
        ]),
        identify(byId("somebody else"), [
          ["name", "Eve Smith"],
          ["phone", "12345"],
        ]),
      )
      const found = ["1 and 2: email", "3 and 4: phone", "5 and 6: name_postcode"]
      yield* expectSame("pairs", yield* all, found)
      yield* expectSame("by phone", yield* pairs("phone", likenessKinds), ["3 and 4: phone"])
      yield* expectSame("by device", yield* pairs("device", likenessKinds), [])
      yield* expectSame("of two kinds", yield* pairs(null, ["email", "phone"]), found.slice(0, 2))
    }),
  },
  {
    name: "people who are alike follow changes, merges and their end, and deletions, in the same commit",
    check: Effect.gen(function* () {
      yield* begin(likenessKinds)
      yield* apply(withPhone("ada"), withPhone("bob"), withPhone("eve", "5550100777"))
      yield* expectSame("pairs", yield* all, ["1 and 2: phone"])
      yield* apply(withPhone("bob", "5550100777"))
      yield* expectSame("changed", yield* all, ["2 and 3: phone"])
      yield* apply(identify(byId("bob"), [["phone", ""]]))
      yield* expectSame("removed", yield* all, [])
      yield* apply(withPhone("bob"), withPhone("eve"))
      yield* expectSame("three", yield* all, ["1 and 2: phone", "1 and 3: phone", "2 and 3: phone"])
      const { entries } = yield* apply(merge(byId("ada"), byId("bob")))
      yield* expectSame("merged", yield* all, ["1 and 3: phone"])
      yield* apply(
        ...entries.flatMap((entry) => {
          const merged = mergeIn(entry)
          return merged === null ? [] : [unmerge(merged)]
        }),
      )
      yield* expectSame("apart again", yield* all, ["1 and 2: phone", "1 and 3: phone", "2 and 3: phone"])
      yield* apply(remove(byId("ada")))
      yield* expectSame("deleted", yield* all, ["2 and 3: phone"])
      yield* apply(remove(byId("eve")))
      yield* sweepAll(noon)
      yield* expectSame("erased", yield* all, [])
      yield* apply(withPhone("ada"))
      yield* expectSame("somebody new", yield* all, ["2 and 4: phone"])
    }),
  },
  {
    name: "whoever was there before a workspace compares people is compared by housekeeping, also after it was turned off",
    check: Effect.gen(function* () {
      yield* begin([])
      yield* apply(withPhone("ada"), withPhone("bob"), withPhone("eve"))
      yield* compareFromNow(["phone"])
      yield* apply(withPhone("bob", "5550100777"))
      yield* sweepAll(noon)
      yield* expectSame("compared", yield* pairs(null, ["phone"]), ["1 and 3: phone"])
      yield* compareFromNow([])
      yield* apply(withPhone("bob"), remove(byId("ada")), identify(byId("fay"), [["phone", "15550100777"]]))
      yield* compareFromNow(likenessKinds)
      yield* sweepAll(noon)
      yield* expectSame("compared again", yield* all, ["2 and 3: phone"])
      yield* compareFromNow(["email"])
      yield* sweepAll(noon)
      yield* compareFromNow(["email", "phone"])
      yield* apply(withPhone("gil", "15550100777"))
      yield* sweepAll(noon)
      yield* expectSame("and again", (yield* all).toSorted(), ["2 and 3: phone", "4 and 5: phone"])
    }),
  },
  {
    name: "a pair that an operation names and that is alike is listed once, and a dismissed one not at all",
    check: Effect.gen(function* () {
      yield* begin(likenessKinds)
      yield* apply(
        identify(byId("ada"), [["phone", "5550100777"]], { email: "ada@example.com" }),
        identify(byId("bob"), [["phone", "555-0100-777"]], { email: "bob@example.com" }),
        identify(byId("ada"), [], { email: "bob@example.com" }),
      )
      const once = ["1 and 2: identifier, phone at 3"]
      yield* expectSame("once", yield* all, once)
      yield* expectSame("by identifier", yield* pairs("identifier", likenessKinds), once)
      yield* expectSame("by phone", yield* pairs("phone", likenessKinds), once)
      const dismissals = yield* Dismissals
      const pair = pairOf(SubjectKey.make(1), SubjectKey.make(2))
      yield* dismissals.save(first.id, { ...pair, at: noon })
      yield* expectSame("dismissed", [yield* all, yield* pairs("phone", likenessKinds)], [[], []])
    }),
  },
  {
    name: "what more people have alike than the limit is not listed",
    check: Effect.gen(function* () {
      yield* begin(["phone"])
      const many = Array.from({ length: alikeMax + 1 }, (_, n) => withPhone(`person ${n}`))
      yield* apply(...many, withPhone("ada", "5550100777"), withPhone("bob", "5550100777"))
      const listed = pairs(null, ["phone"])
      yield* expectSame("without the many", yield* listed, [`${alikeMax + 2} and ${alikeMax + 3}: phone`])
      yield* apply(remove(byId("person 7")))
      const sources = {
        catalog: yield* Catalog,
        dismissals: yield* Dismissals,
        workspace: first.id,
        kinds: ["phone"] as const,
      }
      const { items } = yield* duplicatePairs(sources, { after: null, limit: 9, reason: "phone" })
      yield* expectSame("few enough", items.length, 9)
    }),
  },
]
