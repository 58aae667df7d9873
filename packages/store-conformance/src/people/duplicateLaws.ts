import { Effect } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { duplicatePairs } from "@inlethq/log/history/duplicates"
import type { DuplicatePage } from "@inlethq/log/history/duplicatePairs"
import type { EvidenceReason } from "@inlethq/core/log/evidence"
import { Dismissals, dismissalsMax, pairOf } from "@inlethq/core/ports/Dismissals"
import { SubjectKey, type Sequence } from "@inlethq/core/values/Identifier"
import { addDevice, alias, byId, bySvcId, first, identify, merge, noon, remove } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, sweepAll } from "../script/scenario.ts"
import type { Store } from "@inlethq/core/ports/Store"

const one = SubjectKey.make(1)
const two = SubjectKey.make(2)
const three = SubjectKey.make(3)

/** Lists all pairs of the first workspace, as one text each. */
const pairs = Effect.fnUntraced(function* (reason: EvidenceReason | null = null) {
  const sources = { catalog: yield* Catalog, dismissals: yield* Dismissals, workspace: first.id }
  const found: Array<string> = []
  let after: Sequence | null = null
  do {
    const page: DuplicatePage = yield* duplicatePairs(sources, { after, limit: 2, reason })
    for (const { operations, people, reasons } of page.items) {
      const at = operations.map(({ sequence }) => sequence).join(", ")
      found.push(`${people.map(({ key }) => key).join(" and ")}: ${reasons.join(", ")} at ${at}`)
    }
    after = page.next
  } while (after !== null)
  return found
})

/** Ada (1) and Bob (2), who had an anonymous id and a phone. */
const twoPeople = [
  identify(byId("ada"), [], { email: "ada@example.com" }),
  identify(byId("bob"), [], { email: "bob@example.com", anonymousId: "bob's cookie" }),
  addDevice(byId("bob"), "phone"),
]

const dismiss = Effect.fnUntraced(function* (a = one, b = two) {
  return yield* (yield* Dismissals).save(first.id, { ...pairOf(a, b), at: noon })
})

/** The properties that every store must have when it lists people who may be one. */
export const duplicateLaws: ReadonlyArray<Law<Store | Catalog | Dismissals>> = [
  {
    name: "contract §6 duplicates: a pair has every reason and operation that says its people may be one, newest first",
    check: Effect.gen(function* () {
      yield* apply(...twoPeople)
      yield* expectSame("at first", yield* pairs(), [])
      yield* apply(identify(byId("ada"), [], { email: "bob@example.com" }))
      yield* apply(addDevice(byId("ada"), "phone"), alias(byId("ada"), "bob's cookie"))
      const all = ["1 and 2: alias, device, identifier at 6, 5, 4"]
      yield* expectSame("all", yield* pairs(), all)
      yield* expectSame("by device", yield* pairs("device"), all)
      yield* apply(identify(byId("eve"), [], { email: "bob@example.com" }))
      yield* expectSame("newest first", yield* pairs("identifier"), ["2 and 3: identifier at 7", ...all])
      yield* expectSame("not by device", yield* pairs("device"), all)
    }),
  },
  {
    name: "a pair follows merges, and is gone when its people are merged or one of them is deleted",
    check: Effect.gen(function* () {
      yield* apply(...twoPeople, identify(byId("ada"), [], { email: "bob@example.com" }))
      yield* apply(identify(byId("eve")), merge(byId("eve"), byId("bob")))
      yield* expectSame("with the primary", yield* pairs(), ["1 and 3: identifier at 4"])
      yield* apply(merge(byId("ada"), byId("eve")))
      yield* expectSame("merged", yield* pairs(), [])
      yield* apply(...twoPeople.slice(0, 1), identify(byId("fay"), [], { email: "ada@example.com" }))
      yield* expectSame("another pair", (yield* pairs()).length, 1)
      yield* apply(remove(byId("fay")))
      yield* expectSame("deleted", yield* pairs(), [])
      yield* sweepAll(noon)
      yield* expectSame("erased", yield* pairs(), [])
    }),
  },
  {
    name: "a dismissed pair is not listed, also after one of them was merged, until the dismissal is removed",
    check: Effect.gen(function* () {
      const dismissals = yield* Dismissals
      yield* apply(...twoPeople, identify(byId("ada"), [], { email: "bob@example.com" }))
      yield* expectSame("dismissed", [yield* dismiss(), yield* dismiss()], [true, true])
      yield* expectSame("pairs", yield* pairs(), [])
      yield* apply(identify(byId("eve")), merge(byId("eve"), byId("bob")))
      yield* expectSame("pairs after a merge", yield* pairs(), [])
      const listed = yield* dismissals.list(first.id, { after: null, limit: 1 })
      yield* expectSame("list", listed, { items: [{ one, other: two, at: noon }], next: null })
      const pair = pairOf(two, one)
      const removed = [yield* dismissals.remove(first.id, pair), yield* dismissals.remove(first.id, pair)]
      yield* expectSame("removed", removed, [true, false])
      yield* expectSame("listed again", (yield* pairs()).length, 1)
    }),
  },
  {
    name: "a dismissal is erased with either of its people",
    check: Effect.gen(function* () {
      const dismissals = yield* Dismissals
      yield* apply(...twoPeople, identify(byId("eve")))
      yield* dismiss(one, two)
      yield* dismiss(one, three)
      yield* dismiss(two, three)
      yield* apply(remove(bySvcId(2)))
      yield* sweepAll(noon)
      const { items } = yield* dismissals.list(first.id, { after: null, limit: 5 })
      yield* expectSame("left", items, [{ ...pairOf(one, three), at: noon }])
      yield* expectSame("of the other", yield* dismissals.of(first.id, three), new Set([one]))
      yield* apply(remove(bySvcId(1)))
      yield* sweepAll(noon)
      yield* expectSame("of the last", yield* dismissals.of(first.id, three), new Set())
    }),
  },
  {
    name: "dismissals are listed page by page, and a person has at most the limit of them",
    check: Effect.gen(function* () {
      const dismissals = yield* Dismissals
      const people = Array.from({ length: dismissalsMax + 2 }, (_, n) => identify(byId(`p${n}`)))
      yield* apply(...people)
      const others = people.slice(1).map((_, n) => SubjectKey.make(n + 2))
      const saved = yield* Effect.forEach(others, (other) => dismiss(one, other))
      yield* expectSame("refused", saved.indexOf(false), dismissalsMax)
      const page = yield* dismissals.list(first.id, { after: null, limit: 2 })
      yield* expectSame(
        "first page",
        page.items.map(({ other }) => Number(other)),
        [2, 3],
      )
      const next = yield* dismissals.list(first.id, { after: page.next, limit: 2 })
      yield* expectSame(
        "second page",
        next.items.map(({ other }) => Number(other)),
        [4, 5],
      )
    }),
  },
]
