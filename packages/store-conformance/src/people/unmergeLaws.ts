import { Catalog } from "@inlethq/core/catalog/Catalog"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import type { Identifier } from "@inlethq/core/values/Identifier"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  byAnonymousId,
  byEmail,
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  unmerge,
} from "../script/commands.ts"
import { createSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, personBy } from "../script/scenario.ts"

const ada: Identifier = { kind: "id", value: "ada" }
const bob: Identifier = { kind: "email", value: "bob@example.com" }

const build = nextBuildStep(first, noon)

/** Whoever bought often is in the first segment. Two purchases are often. */
const begin = Effect.gen(function* () {
  yield* apply(createSegment("often", { rule: { event: { name: "bought", count: { gte: 2 } } } }))
  for (let steps = yield* build; steps.length > 0; steps = yield* build) yield* apply(...steps)
  yield* apply(identify(byId("ada")), identify(byEmail("bob@example.com"), [], { anonymousId: "cookie" }))
  yield* apply(merge(byId("ada"), byEmail("bob@example.com"), { receivedAt: noon + 1 }))
})

const bought = (by: Parameters<typeof event>[0], minute: number) =>
  event(by, "bought", { receivedAt: noon + minute * 60_000, at: noon + minute * 60_000 })

/** Undoes the merge of Ada and Bob. */
const undo = (divide: boolean) =>
  Effect.gen(function* () {
    const person = yield* personBy(ada)
    if (person === null) return undefined
    const page = { after: null, limit: 10, order: "desc" } as const
    const [found] = (yield* mergesInto(yield* Catalog, person, noon, page)).items
    if (found === undefined) return undefined
    return (yield* apply(unmerge(found, { receivedAt: noon + 3_600_000, divide }))).entries[0]?.outcome
  })

const often = Effect.map(
  list((catalog, { id }, page) => catalog.members(id, SubjectKey.make(1), page)),
  (members) => members.map(({ person }) => person.id ?? person.email),
)

/** Returns the minutes of the events of a person, which are all that is shown of events with them. */
const eventsOf = (identifier: Identifier) =>
  Effect.gen(function* () {
    const person = yield* personBy(identifier)
    if (person === null) return null
    const found = yield* activity({ person, kind: "event" })
    yield* expectSame(
      "events of others",
      found.filter((entry) => entry.person?.key !== person.key).map(({ sequence }) => sequence),
      [],
    )
    return found.map(({ receivedAt }) => (receivedAt - noon) / 60_000)
  })

const expectEvents = (ofAda: ReadonlyArray<number>, ofBob: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    yield* expectSame("the events of Ada", yield* eventsOf(ada), ofAda)
    yield* expectSame("the events of Bob", yield* eventsOf(bob), ofBob)
  })

/** The properties that every store must have in dividing the events since a merge. */
export const unmergeLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6 unmerge: events that go back count for the rules of the secondary, and older ones of the primary count again",
    check: Effect.gen(function* () {
      yield* begin
      yield* apply(bought(byId("ada"), 1), bought(byId("ada"), 2))
      yield* apply(bought(byEmail("bob@example.com"), 3), bought(byAnonymousId("cookie"), 4))
      yield* expectSame("while merged", yield* often, ["ada"])
      yield* expectSame("while merged", yield* eventsOf(ada), [1, 2, 3, 4])
      yield* expectSame("the outcome", yield* undo(true), "applied")
      yield* expectEvents([1, 2], [3, 4])
      yield* expectSame("afterwards", yield* often, ["ada", "bob@example.com"])
    }),
  },
  {
    name: "contract §6 unmerge: without their events, the primary leaves what only the secondary had done",
    check: Effect.gen(function* () {
      yield* begin
      yield* apply(bought(byId("ada"), 1), bought(byEmail("bob@example.com"), 2))
      yield* apply(bought(byEmail("BOB@example.com"), 3))
      yield* expectSame("the outcome", yield* undo(true), "applied")
      yield* expectEvents([1], [2, 3])
      yield* expectSame("afterwards", yield* often, ["bob@example.com"])
    }),
  },
  {
    name: "contract §6 unmerge: events since the merge stay with the primary unless they are divided",
    check: Effect.gen(function* () {
      yield* begin
      yield* apply(bought(byEmail("bob@example.com"), 1), bought(byEmail("bob@example.com"), 2))
      yield* expectSame("the outcome", yield* undo(false), "applied")
      yield* expectEvents([1, 2], [])
      yield* expectSame("afterwards", yield* often, ["ada"])
      yield* apply(merge(byId("ada"), byEmail("bob@example.com"), { receivedAt: noon + 3_600_001 }))
      yield* apply(bought(byEmail("bob@example.com"), 61))
      yield* expectSame("the outcome of the second", yield* undo(true), "applied")
      yield* expectEvents([1, 2], [61])
    }),
  },
]
