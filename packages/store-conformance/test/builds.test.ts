import { env } from "node:process"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { Catalog, noFilter } from "@inlet/core/catalog/Catalog"
import { nextBuildStep } from "@inlet/core/nextBuildStep"
import { SubjectKey } from "@inlet/core/values/Identifier"
import { expectSame } from "@inlet/store-conformance/Law"
import { byId, createSegment, first, identify, noon } from "@inlet/store-conformance/commands"
import { inNew, memoryStore } from "@inlet/store-conformance/differential"
import { activity, apply, list, load } from "@inlet/store-conformance/scenario"
import { playRules } from "@inlet/store-conformance/segments/compareRules"
import { inForce } from "@inlet/store-conformance/segments/inForce"
import { naiveMembers } from "@inlet/store-conformance/segments/naiveMembers"
import { RuleScript } from "@inlet/store-conformance/segments/RuleScript"

/** The largest number of log entries of a script. */
const limit = 1000

/** Fails unless exactly the people are in each active segment for whom its rule holds over the whole log. */
const check = Effect.gen(function* () {
  const { latestReceipt, nextKey } = yield* load({})
  const keys = Array.from({ length: nextKey - 1 }, (_, i) => SubjectKey.make(i + 1))
  const { rules, subjects } = yield* load({ subjects: new Set(keys) })
  const catalog = yield* Catalog
  const page = yield* catalog.activity(first.id, noFilter, { limit, after: null, order: "asc" })
  const entries = page.items.map(({ entry }) => entry)
  const world = { subjects, entries, ...inForce(rules), now: latestReceipt ?? 0 }
  for (const [segment, people] of naiveMembers(world)) {
    const members = yield* list(
      (reads, workspace, request) => reads.members(workspace.id, segment, request),
      { limit },
    )
    const found = members.map(({ person }) => person.key)
    yield* expectSame(`segment ${segment} after entry ${entries.length}`, found, people)
  }
})

const planIs = (value: string) => ({ attribute: { field: "plan", operator: "eq", value } })

/** Builds a rule over two people, and returns the effects in the log. */
const effectsOfBuild = (announce: boolean) =>
  Effect.gen(function* () {
    yield* apply(identify(byId("ada"), [["plan", "pro"]]), identify(byId("bob")))
    yield* apply(createSegment("Pro", { rule: planIs("pro"), announce }))
    for (;;) {
      const step = yield* nextBuildStep(first, noon, { entriesMax: 1, peopleMax: 1 })
      if (step === null) break
      yield* apply(step)
    }
    const entries = yield* activity({}, { limit })
    return entries.flatMap(({ effects }) => effects.map(({ change, subject }) => `${subject} ${change}`))
  }).pipe(inNew(memoryStore))

it.effect("entries record whom a build finds only if it announces them", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* effectsOfBuild(false), [])
    assert.deepStrictEqual(yield* effectsOfBuild(true), ["1 entered"])
  }),
)

it.effect("a rule that is created at any time has the same people once it is active", () =>
  Effect.gen(function* () {
    const result = yield* Arbitrary.checkEffect(
      Arbitrary.schema(RuleScript),
      (script) => playRules(withoutErasing(script), "one", check).pipe(inNew(memoryStore), Effect.as(true)),
      {
        runs: 150 * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
        size: 60,
        maxShrinks: 500,
      },
    )
    const failure = Arbitrary.formatCheckFailure(result)
    if (failure !== undefined) assert.fail(failure)
  }),
)

/** The naive evaluator reads the whole log, so nothing may be erased from it. */
const withoutErasing = (script: RuleScript): RuleScript => ({
  ...script,
  steps: script.steps.map((step) => ({ ...step, housekeeping: "none" })),
})
