import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { relatedPeopleMax } from "@inlethq/core/rule/ruleBounds"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { entrancesOf } from "@inlethq/log/history/entrance"
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
  remove,
  unmerge,
  type Circumstances,
} from "../script/commands.ts"
import { createSegment, updateSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, load, personBy } from "../script/scenario.ts"

const company = objectOf("1", "acme")

/** More people than one commit follows, and than two steps of a build do. */
const staff = Array.from({ length: relatedPeopleMax + 600 }, (_, n) => `person ${n}`)

const sizeOf = (segment: number) =>
  Effect.map(
    list((catalog, workspace, page) => catalog.members(workspace.id, SubjectKey.make(segment), page), {
      limit: 1000,
    }),
    (found) => found.length,
  )

/** Runs all builds to their ends, each step in a commit of its own. */
const build = Effect.gen(function* () {
  for (;;) {
    const steps = yield* nextBuildStep(first, noon)
    if (steps.length === 0) return
    yield* apply(...steps)
  }
})

/** Fails unless the first segment has so many people once all builds have ended. */
const expectSize = (what: string, size: number) =>
  Effect.gen(function* () {
    yield* build
    yield* expectSame(what, yield* sizeOf(1), size)
  })

const planIn = (...plans: ReadonlyArray<string>) => ({
  attribute: { field: "plan", operator: "in", value: plans },
})

/** Builds the rules that wait, and returns the positions of the entries that say so: of the steps, then of the end. The first step lets waiting rules join. */
const positionsOfBuild = Effect.gen(function* () {
  const before = yield* activity({}, { limit: 1000 })
  yield* build
  const after = yield* activity({}, { limit: 1000 })
  return after.slice(before.length).map(({ sequence }) => Number(sequence))
})

/** Returns the positions of the entries with which Ada entered the first segments. */
const entrances = (...segments: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const person = yield* personBy({ kind: "id", value: "ada" })
    const keys = segments.map((segment) => SubjectKey.make(segment))
    const { subjects } = yield* load({ subjects: new Set(keys) })
    const stored = keys.flatMap((key) => {
      const segment = subjects.get(key)
      return segment?._tag === "Segment" ? [segment] : []
    })
    if (person === null) return []
    const found = yield* entrancesOf(yield* Catalog, person, stored)
    return keys.map((key) => found.get(key)?.position)
  })

/** Where a call on a page came from: a key that is stored once for many calls, and one of the person's own. */
const fromPage = (path: string, library = "js"): Circumstances => ({
  provenance: { context: { library: { name: library }, page: { path } } },
})

/** Who was on the page with prices twice with the library of browsers. */
const pricedTwice = {
  event: {
    name: "*",
    where: [
      { field: "context.page.path", operator: "eq", value: "/pricing" },
      { field: "context.library.name", operator: "eq", value: "js" },
    ],
    count: { gte: 2 },
  },
}

/** The properties that every store must have in the handling of segments by rule. */
export const ruleLaws: ReadonlyArray<Law> = [
  {
    name: "contract §12 conditions on the context: a rule counts earlier and later calls by where their entries say they came from",
    check: Effect.gen(function* () {
      const [ada, bob, cookie] = [byId("ada"), byId("bob"), byAnonymousId("cookie")]
      const made = yield* apply(
        identify(ada),
        event(ada, "clicked", fromPage("/pricing")),
        event(ada, "clicked", fromPage("/pricing")),
        event(bob, "clicked", fromPage("/pricing")),
        event(bob, "clicked", fromPage("/pricing", "node")),
        event(bob, "clicked", fromPage("/")),
        event(bob, "clicked", { data: { context: { page: { path: "/pricing" } } } }),
        event(cookie, "clicked", fromPage("/pricing")),
        createSegment("Priced", { rule: pricedTwice }),
      )
      const segment = Number(made.entries.at(-1)?.subject)
      const size = (what: string, expected: number) =>
        Effect.gen(function* () {
          yield* build
          yield* expectSame(what, yield* sizeOf(segment), expected)
        })
      yield* size("built", 1)
      yield* apply(event(bob, "clicked", fromPage("/pricing", "node")))
      yield* size("another library", 1)
      const attaching = yield* apply(identify(bob, [], { anonymousId: "cookie" }))
      yield* expectSame(
        "entered by what the visitor did",
        attaching.entries.flatMap(({ effects }) => effects.map(({ change }) => change)),
        ["entered"],
      )
      const merged = yield* apply(merge(ada, bob))
      yield* size("merged", 1)
      const [receipt] = merged.entries.flatMap((entry) => mergeIn(entry) ?? [])
      if (receipt !== undefined) yield* apply(unmerge(receipt, {}))
      yield* size("apart again", 2)
      yield* apply(remove(bob))
      yield* size("deleted", 1)
      yield* apply(updateSegment(segment, { paused: true }), updateSegment(segment, { paused: false }))
      yield* size("built again", 1)
    }),
  },
  {
    name: "contract §12 related people: a change of an object concerns all people related to it, however many",
    check: Effect.gen(function* () {
      const large = [{ field: "seats", operator: "gt", value: 100 }]
      const rule = { relationship: { type: "1", object: { where: large } } }
      yield* apply(createSegment("At large companies", { rule }))
      for (let from = 0; from < staff.length; from += 400) {
        const part = staff.slice(from, from + 400)
        yield* apply(
          identifyObject(
            company,
            [],
            part.map((id) => [byId(id)]),
          ),
        )
      }
      yield* expectSize("before it is large", 0)
      yield* apply(identifyObject(company, [["seats", 200]]))
      yield* apply(identifyObject(company, [["seats", 300]]))
      yield* expectSize("once it is large", staff.length)
      yield* apply(identifyObject(company, [["seats", 3]]), identifyObject(company, [["seats", 400]]))
      yield* expectSize("still large", staff.length)
      yield* apply(deleteObject(company))
      yield* expectSize("once it is deleted", 0)
      const entries = yield* activity({}, { limit: 1000 })
      const left = entries.flatMap(({ effects }) => effects.filter(({ change }) => change === "left"))
      yield* expectSame(
        "people told to have left",
        new Set(left.map(({ subject }) => subject)).size,
        staff.length,
      )
    }),
  },
  {
    name: "the activity of a person has the steps of builds that tell about them",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada"), [["plan", "pro"]]))
      yield* apply(createSegment("Pro", { rule: planIn("pro"), announce: true }))
      yield* build
      const person = yield* personBy({ kind: "id", value: "ada" })
      const told = (yield* activity({ person })).flatMap(({ effects }) => effects)
      yield* expectSame(
        "effects",
        told.map(({ change, subject }) => [subject, change]),
        [[person?.key, "entered"]],
      )
    }),
  },
  {
    name: "contract §12 new rules: as of before a build that announces nobody, people are in as the log told last",
    check: Effect.gen(function* () {
      const [start] = (yield* apply(identify(byId("ada"), [["plan", "pro"]]))).entries
      const created = yield* apply(createSegment("Silent", { rule: planIn("pro") }))
      const silent = SubjectKey.make(Number(created.entries[0]?.subject))
      const [, firstEnd] = yield* positionsOfBuild
      const [left] = (yield* apply(identify(byId("ada"), [["plan", "free"]]))).entries
      yield* apply(updateSegment(Number(silent), { rule: planIn("pro", "free") }))
      const [, lastEnd] = yield* positionsOfBuild
      const [after] = (yield* apply(identify(byId("ada"), [["name", "Ada"]]))).entries
      const wasIn = (position: number | undefined) =>
        Effect.gen(function* () {
          const catalog = yield* Catalog
          const person = yield* personBy({ kind: "id", value: "ada" })
          const moment = { _tag: "AtPosition", position: Sequence.make(Number(position)) } as const
          const found = person && (yield* personAsOf(catalog, first.id, person.key, moment))
          return found !== null && Option.isSome(found) && found.value.segments.includes(silent)
        })
      const positions = [start?.sequence, firstEnd, left?.sequence, lastEnd, after?.sequence]
      yield* expectSame(
        "as of before the first build, after it, after leaving, after the second, and today",
        yield* Effect.forEach(positions, wasIn),
        [false, true, false, true, true],
      )
    }),
  },
  {
    name: "contract §12 new rules: whom a build finds is in the segment since the entry that announces it, or since the rule took effect",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada"), [["plan", "pro"]]))
      const created = yield* apply(
        createSegment("Silent", { rule: planIn("pro") }),
        createSegment("Announced", { rule: planIn("pro"), announce: true }),
      )
      const [silent = 0, announced = 0] = created.entries.map(({ subject }) => Number(subject))
      const [, step, end] = yield* positionsOfBuild
      yield* expectSame("found", yield* entrances(silent, announced), [end, step])
      yield* apply(identify(byId("ada"), [["plan", "free"]]))
      const [back] = (yield* apply(identify(byId("ada"), [["plan", "pro"]]))).entries
      yield* expectSame("back", yield* entrances(silent, announced), [back?.sequence, back?.sequence])
      yield* apply(updateSegment(silent, { rule: planIn("pro", "team") }))
      yield* build
      yield* expectSame("after one build", yield* entrances(silent), [back?.sequence])
      yield* apply(updateSegment(silent, { rule: planIn("pro", "free") }))
      const [, lastEnd] = yield* positionsOfBuild
      yield* expectSame("after two", yield* entrances(silent), [lastEnd])
      yield* apply(updateSegment(announced, { rule: planIn("free"), announce: true }))
      yield* build
      yield* apply(updateSegment(announced, { rule: planIn("pro"), announce: true }))
      const [lastStep] = yield* positionsOfBuild
      yield* expectSame("announced", yield* entrances(announced), [lastStep])
    }),
  },
]
