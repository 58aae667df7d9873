import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import type { Json } from "@inlethq/core/values/Json"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import {
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  remove,
  unmerge,
} from "../script/commands.ts"
import { createSegment, updateSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, personBy, sweepAll } from "../script/scenario.ts"

const planIs = (value: string) => ({ attribute: { field: "plan", operator: "eq", value } })

const bought = (n: number) => ({ event: { name: "bought", count: { gte: n } } })

const buy = (id: string) => event(byId(id), "bought")

const visitorBuys = (day: number) =>
  event(byAnonymousId("cookie"), "bought", { receivedAt: noon + day * dayMs })

/** Creates a segment by rule and builds it. Returns its id. */
const segmentBy = Effect.fnUntraced(function* (rule: Json) {
  const { entries } = yield* apply(createSegment("by rule", { rule }))
  for (let steps = yield* build; steps.length > 0; steps = yield* build) yield* apply(...steps)
  return Number(entries[0]?.subject)
})

const build = nextBuildStep(first, noon)

/** Returns the ids of the people in a segment. */
const membersOf = (segment: number) =>
  Effect.map(
    list((catalog, { id }, page) => catalog.members(id, SubjectKey.make(segment), page)),
    (members) => members.map(({ person }) => person.id),
  )

/** Merges two people. Returns an effect that undoes the merge, and returns the outcome. */
const merged = Effect.fnUntraced(function* (primary: string, secondary: string) {
  const { entries } = yield* apply(merge(byId(primary), byId(secondary)))
  const [entry] = entries
  return Effect.gen(function* () {
    const record = entry && (yield* (yield* Catalog).operation(first.id, entry.sequence))
    const found = record !== undefined && Option.isSome(record) ? mergeIn(record.value.entry) : null
    return found === null ? null : (yield* apply(unmerge(found))).entries[0]?.outcome
  })
})

/** Returns what entries tell about a segment: who entered and left, each as `id change`. `names` has the ids of the people. */
const told = Effect.fnUntraced(function* (segment: number, names: ReadonlyMap<SubjectKey, string>) {
  const entries = yield* activity({}, { limit: 100 })
  return entries.flatMap(({ effects }) =>
    effects.flatMap(({ change, segment: key, subject }) =>
      Number(key) === segment ? [`${names.get(subject) ?? "somebody"} ${change}`] : [],
    ),
  )
})

/** Creates people. Returns their ids by their keys. */
const people = Effect.fnUntraced(function* (...ids: ReadonlyArray<string>) {
  yield* apply(...ids.map((id) => identify(byId(id))))
  const names = new Map<SubjectKey, string>()
  for (const id of ids) {
    const person = yield* personBy({ kind: "id", value: id })
    if (person !== null) names.set(person.key, id)
  }
  return names
})

/** The properties that every store must have in who is in a segment by rule, and in what entries tell about it. */
export const membershipLaws: ReadonlyArray<Law> = [
  {
    name: "contract §12 segments by rule: a new person is in a segment whose rule denies one that negates",
    check: Effect.gen(function* () {
      const others = yield* segmentBy({ not: planIs("pro") })
      const pros = yield* segmentBy({ not: { segment: { id: others } } })
      const again = yield* segmentBy({ not: { not: { segment: { id: pros } } } })
      yield* apply(identify(byId("ada"), [["plan", "pro"]]), identify(byId("bob")))
      yield* expectSame("the others", yield* membersOf(others), ["bob"])
      yield* expectSame("who is not one of the others", yield* membersOf(pros), ["ada"])
      yield* expectSame("who is one of those", yield* membersOf(again), ["ada"])
    }),
  },
  {
    name: "contract §6 unmerge: what two merged people did goes back to each, in whatever order the merges are undone",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(2))
      yield* people("ada", "bob", "cy")
      yield* apply(buy("ada"), buy("bob"))
      const undoBob = yield* merged("ada", "bob")
      const undoCy = yield* merged("ada", "cy")
      yield* expectSame("while merged", yield* membersOf(often), ["ada"])
      yield* expectSame("the first outcome", yield* undoBob, "applied")
      yield* expectSame("without bob", yield* membersOf(often), [])
      yield* expectSame("the second outcome", yield* undoCy, "applied")
      yield* expectSame("without cy", yield* membersOf(often), [])
    }),
  },
  {
    name: "contract §6 unmerge: what somebody did who was merged later stays",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(2))
      yield* people("ada", "bob", "cy")
      yield* apply(buy("bob"), buy("bob"), buy("cy"), buy("cy"))
      const undoBob = yield* merged("ada", "bob")
      const undoCy = yield* merged("ada", "cy")
      yield* undoBob
      yield* expectSame("with cy", yield* membersOf(often), ["ada", "bob"])
      yield* undoCy
      yield* expectSame("alone", yield* membersOf(often), ["bob", "cy"])
    }),
  },
  {
    name: "contract §6 unmerge: a rule that was made while two people were one counts apart what each of them did",
    check: Effect.gen(function* () {
      yield* people("ada", "bob")
      yield* apply(buy("bob"), buy("bob"), buy("ada"))
      const undo = yield* merged("ada", "bob")
      const often = yield* segmentBy(bought(2))
      yield* expectSame("while merged", yield* membersOf(often), ["ada"])
      yield* undo
      yield* expectSame("afterwards", yield* membersOf(often), ["bob"])
      yield* apply(buy("ada"))
      yield* expectSame("with another purchase", yield* membersOf(often), ["ada", "bob"])
    }),
  },
  {
    name: "contract §6 unmerge: what a visitor of the secondary did goes back with them, also to a rule that was made since the merge",
    check: Effect.gen(function* () {
      const now = { receivedAt: noon + 35 * dayMs }
      yield* apply(visitorBuys(0), visitorBuys(33), visitorBuys(34))
      yield* apply(
        identify(byId("ada"), [], now),
        identify(byId("bob"), [], { ...now, anonymousId: "cookie" }),
      )
      const undo = yield* merged("ada", "bob")
      const twice = yield* segmentBy(bought(2))
      const thrice = yield* segmentBy(bought(3))
      yield* expectSame("while merged", yield* membersOf(twice), ["ada"])
      yield* undo
      yield* expectSame("afterwards", yield* membersOf(twice), ["bob"])
      yield* expectSame("with what came 30 days before", yield* membersOf(thrice), [])
      yield* apply(event(byId("bob"), "bought", now))
      yield* expectSame("with another purchase", yield* membersOf(thrice), ["bob"])
    }),
  },
  {
    name: "contract §12 segments by rule: the age of a profile is counted from the created_at that is shown",
    check: Effect.gen(function* () {
      const old = yield* segmentBy({ age: { gte: "7d" } })
      const quiet = yield* segmentBy({ not: { event: { name: "bought", within: "30d" } } })
      const created = Math.floor(noon / 1000) - 60 * 86_400
      yield* apply(
        identify(byId("ada"), [["created_at", created]]),
        identify(byId("bob")),
        identify(byId("cy"), [["created_at", "a while ago"]]),
      )
      yield* expectSame("old", yield* membersOf(old), ["ada"])
      yield* expectSame("quiet for as long", yield* membersOf(quiet), ["ada"])
      yield* apply(
        identify(byId("ada"), [["created_at", null]]),
        identify(byId("bob"), [["created_at", created]]),
      )
      yield* expectSame("once it was changed", yield* membersOf(old), ["bob"])
    }),
  },
  {
    name: "contract §12 segments by rule: entries tell that somebody who is merged leaves, and enters again once that is undone",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(1))
      const names = yield* people("ada", "bob")
      yield* apply(buy("bob"), buy("ada"))
      const undo = yield* merged("ada", "bob")
      yield* undo
      yield* expectSame("told", yield* told(often, names), [
        "bob entered",
        "ada entered",
        "bob left",
        "bob entered",
      ])
      yield* expectSame("members", yield* membersOf(often), ["ada", "bob"])
    }),
  },
  {
    name: "contract §12 segments by rule: a merge that is undone leaves somebody in a paused segment",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(1))
      const names = yield* people("ada", "bob")
      yield* apply(buy("bob"), updateSegment(often, { paused: true }))
      const undo = yield* merged("ada", "bob")
      yield* expectSame("while merged", yield* membersOf(often), [])
      yield* undo
      yield* expectSame("afterwards", yield* membersOf(often), ["bob"])
      yield* expectSame("told", yield* told(often, names), ["bob entered", "bob left", "bob entered"])
    }),
  },
  {
    name: "contract §12 segments by rule: the entry of a deletion tells that the person leaves",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(1))
      const names = yield* people("ada")
      yield* apply(buy("ada"), remove(byId("ada")))
      yield* expectSame("told", (yield* told(often, names)).at(-1), "ada left")
      yield* sweepAll(noon)
      yield* expectSame("told after erasing", yield* told(often, names), ["ada left"])
    }),
  },
  {
    name: "contract §12 segments by rule: deleting somebody who was merged tells what it makes of the others, in the order of the items",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(2))
      const names = yield* people("ada", "bob")
      yield* apply(buy("bob"), buy("bob"))
      yield* apply(merge(byId("ada"), byId("bob")))
      const items = [remove(byId("bob")), buy("ada"), buy("ada")]
      yield* apply(...items.map((item, batchIndex) => ({ ...item, batchIndex })))
      yield* expectSame("members", yield* membersOf(often), ["ada"])
      yield* expectSame(
        "told of ada",
        (yield* told(often, names)).filter((one) => one.startsWith("ada")),
        ["ada entered", "ada left", "ada entered"],
      )
    }),
  },
  {
    name: "contract §12 segments by rule: deleting somebody keeps what their entries tell about others",
    check: Effect.gen(function* () {
      const often = yield* segmentBy(bought(1))
      const names = yield* people("ada", "bob", "zoe")
      yield* apply(buy("bob"))
      const undo = yield* merged("zoe", "bob")
      yield* undo
      yield* apply(remove(byId("zoe")))
      const expected = ["bob entered", "bob left", "bob entered"]
      yield* expectSame(
        "told",
        (yield* told(often, names)).filter((one) => one.startsWith("bob")),
        expected,
      )
      yield* sweepAll(noon)
      const erased = yield* told(often, names)
      yield* expectSame(
        "told after erasing",
        erased.filter((one) => one.startsWith("bob")),
        expected,
      )
      const bob = yield* personBy({ kind: "id", value: "bob" })
      const own = yield* activity(bob === null ? {} : { person: bob }, { limit: 100 })
      yield* expectSame(
        "told to bob",
        own.flatMap(({ effects }) => effects.map(({ change }) => change)),
        ["entered", "left", "entered"],
      )
    }),
  },
]
