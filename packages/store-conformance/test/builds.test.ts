import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import { joinMsMax } from "@inlethq/core/rule/ruleBounds"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import { byId, event, first, identify, noon } from "@inlethq/store-conformance/script/commands"
import {
  createSegment,
  deleteSegment,
  updateSegment,
} from "@inlethq/store-conformance/script/segmentCommands"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { inNew, memoryStore } from "@inlethq/store-conformance/differential/differential"
import { activity, apply, load } from "@inlethq/store-conformance/script/scenario"
import {
  announcing,
  checkMembers,
  checkMembership,
  wholeLog,
} from "@inlethq/store-conformance/segments/checkMembership"

/** The largest number of log entries of a script. */
const limit = 1000

const ada = SubjectKey.make(1)

const bought = (n: number, within: string) => ({ event: { name: "bought", count: { gte: n }, within } })

const planIs = (value: string) => ({ attribute: { field: "plan", operator: "eq", value } })

/** The largest number of steps that the builds of one test take. */
const stepsMax = 200

const smallest = { entriesMax: 1, readingsMax: 1, peopleMax: 1, commandsMax: 1 }

/** Builds all rules that wait for it, in the smallest steps. */
const buildAll = Effect.gen(function* () {
  for (let steps = 0; steps < stepsMax; steps++) {
    const commands = yield* nextBuildStep(first, noon, smallest)
    if (commands.length === 0) return
    yield* apply(...commands)
  }
  assert.fail("the builds do not end")
})

/** Builds a rule over two people, and returns the effects in the log. */
const effectsOfBuild = (announce: boolean) =>
  Effect.gen(function* () {
    yield* apply(identify(byId("ada"), [["plan", "pro"]]), identify(byId("bob")))
    yield* apply(createSegment("Pro", { rule: planIs("pro"), announce }))
    yield* buildAll
    const entries = yield* activity({}, { limit })
    return entries.flatMap(({ effects }) => effects.map(({ change, subject }) => `${subject} ${change}`))
  }).pipe(inNew(memoryStore))

it.effect("entries record whom a build finds only if it announces them", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* effectsOfBuild(false), [])
    assert.deepStrictEqual(yield* effectsOfBuild(true), ["1 entered"])
  }),
)

/** Creates a second rule some time after the first, whose build has begun, and returns the segments that each build ends with. */
const endsAfter = (ms: number, options: { readonly announce?: boolean } = {}) =>
  Effect.gen(function* () {
    yield* apply(identify(byId("ada"), [["plan", "pro"]]), identify(byId("bob")), identify(byId("cy")))
    yield* apply(event(byId("ada"), "bought"))
    yield* apply(createSegment("Pro", { rule: { and: [planIs("pro"), bought(1, "30d")] }, ...options }))
    for (let steps = 0; steps < 3; steps++) yield* apply(...(yield* nextBuildStep(first, noon, smallest)))
    yield* apply(createSegment("Once", { rule: bought(1, "30d"), receivedAt: noon + ms }))
    for (let steps = 0; steps < stepsMax; steps++) {
      const commands = yield* nextBuildStep(first, noon + ms, smallest)
      if (commands.length === 0) break
      yield* apply(...commands)
    }
    yield* checkMembers
    return (yield* wholeLog).flatMap(({ data }) =>
      isJsonObject(data) && Array.isArray(data["segments"]) ? [data["segments"].length] : [],
    )
  }).pipe(inNew(memoryStore))

it.effect("a build takes in the rules that come while it is young, unless entries tell about it", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* endsAfter(joinMsMax - 1), [2])
    assert.deepStrictEqual(yield* endsAfter(joinMsMax), [1, 1])
    assert.deepStrictEqual(yield* endsAfter(0, { announce: true }), [1, 1])
  }),
)

it.effect("a rule cannot be replaced while its build is announced, except by deleting the segment", () =>
  Effect.gen(function* () {
    yield* apply(identify(byId("ada")))
    const { entries } = yield* apply(createSegment("Pro", { rule: planIs("pro"), announce: true }))
    const segment = Number(entries[0]?.subject)
    const changed = yield* apply(
      updateSegment(segment, { rule: planIs("team") }),
      updateSegment(segment, { name: "Professionals" }),
      deleteSegment(segment),
    )
    assert.deepStrictEqual(
      changed.entries.map(({ outcome }) => outcome),
      ["rejected", "applied", "applied"],
    )
  }).pipe(inNew(memoryStore)),
)

it.effect("what is announced of a segment is announced of segments whose rules name it", () =>
  Effect.gen(function* () {
    yield* apply(createSegment("Pro", { rule: planIs("pro") }))
    yield* apply(createSegment("Others", { rule: { not: { segment: { id: 1 } } } }))
    yield* apply(identify(byId("ada"), [["plan", "team"]]))
    yield* apply(updateSegment(1, { rule: planIs("team"), announce: true }))
    yield* buildAll
    const told = (yield* wholeLog).flatMap(({ effects = [] }) => effects.map(({ change }) => change))
    assert.deepStrictEqual(told, ["entered", "entered", "left"])
  }).pipe(inNew(memoryStore)),
)

it.effect("a rule can be edited again while it and a rule that names its segment are built", () =>
  Effect.gen(function* () {
    yield* apply(identify(byId("ada"), [["plan", "pro"]]))
    const created = yield* apply(createSegment("Paying", { rule: planIs("pro") }))
    const segment = Number(created.entries[0]?.subject)
    yield* buildAll
    yield* apply(createSegment("Others", { rule: { not: { segment: { id: segment } } } }))
    yield* buildAll
    yield* apply(updateSegment(segment, { rule: planIs("team") }))
    yield* apply(updateSegment(segment, { rule: planIs("free") }))
    yield* buildAll
    yield* checkMembers
    yield* apply(updateSegment(segment, { rule: planIs("pro") }))
    yield* apply(updateSegment(segment, { paused: true }), updateSegment(segment, { paused: false }))
    yield* buildAll
    yield* checkMembers
  }).pipe(inNew(memoryStore)),
)

/** Returns what is stored about leaves and ada, as the numbers of occurrences. */
const storedOfAda = Effect.map(load({ identifiers: new Set(["id:ada"]), subjects: new Set([ada]) }), (seen) =>
  Array.from(seen.leafStates.get(ada)?.values() ?? [], ({ ring }) => ring.length),
)

it.effect(
  "leaves that count the same share what is stored, as much as the one needs that asks for most",
  () =>
    Effect.gen(function* () {
      yield* apply(identify(byId("ada")))
      yield* apply(createSegment("Once", { rule: bought(1, "30d") }))
      yield* apply(createSegment("Twice", { rule: bought(2, "7d") }))
      yield* buildAll
      yield* apply(...[1, 2, 3, 4].map(() => event(byId("ada"), "bought")))
      assert.deepStrictEqual(yield* storedOfAda, [2])
      const { entries } = yield* apply(createSegment("Often", { rule: bought(4, "1d") }))
      yield* apply(createSegment("Of late", { rule: bought(2, "1h") }))
      yield* buildAll
      assert.deepStrictEqual(yield* storedOfAda, [4])
      yield* checkMembers
      yield* apply(deleteSegment(Number(entries[0]?.subject)), event(byId("ada"), "bought"))
      assert.deepStrictEqual(yield* storedOfAda, [2])
    }).pipe(inNew(memoryStore)),
)

it.effect(
  "a rule that is created at any time has the same people once it is active, and entries tell who",
  comparing(150, (scripts) => checkMembership(memoryStore, scripts)),
)

it.effect(
  "if all rules are announced, entries tell about everybody who enters and leaves each segment in turns",
  comparing(150, (scripts) => checkMembership(memoryStore, scripts, announcing)),
)
