import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import { rulesOf } from "@inlethq/core/rule/definitions"
import { leavesOf } from "@inlethq/core/rule/Rule"
import { RuleTrial } from "@inlethq/core/rule/RuleTrial"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { inForce } from "@inlethq/store-conformance/segments/inForce"
import { naiveMembers } from "@inlethq/store-conformance/segments/naiveMembers"
import { commandsOf, RuleScript } from "@inlethq/store-conformance/segments/RuleScript"
import { runWhole } from "./whole.ts"

const options = {
  arbitrary: {
    runs: 300 * Number(process.env["INLET_TEST_RUNS"] ?? 1),
    seed: process.env["INLET_TEST_SEED"] ?? "inlet",
    size: 60,
    maxShrinks: 1000,
    replay: process.env["INLET_TEST_REPLAY"],
  },
}

/** A trial does not know which merges were undone. */
const noMerges = () => []

/** Runs a script, and returns the state and who would be in each segment at the half of it. */
const play = (script: RuleScript) => {
  const state = runWhole([])
  const half = script.steps.length / 2
  let left = script.steps.length - [...commandsOf(script, () => 1, noMerges)].length
  let members = naiveMembers(worldOf(state, 0))
  let from = 0
  const lastSegment = () => Number(state.written.entries.at(-1)?.subject ?? 1)
  for (const command of commandsOf(script, lastSegment, noMerges)) {
    decideAll(state, [command])
    if (left++ > half && command.receivedAt >= from) continue
    from = (state.latestReceipt ?? 0) + 1
    members = naiveMembers(worldOf(state, from))
  }
  return { state, from, members, now: (state.latestReceipt ?? 0) + 1 }
}

const worldOf = ({ rules, subjects, written }: WorkingSet, now: number) => ({
  subjects,
  entries: written.entries,
  ...inForce(rules),
  rules: rulesOf(rules),
  now,
})

/** Yields a trial of every rule that names no segment, for every person. */
function* trialsIn({ rules, subjects, written }: WorkingSet) {
  const entries = written.entries.toReversed()
  for (const [segment, rule] of rulesOf(rules)) {
    if (leavesOf(rule).some(({ _tag }) => _tag === "InSegment")) continue
    const trial = new RuleTrial(rule)
    for (const person of subjects.values()) {
      if (person._tag === "Person") yield { segment, trial, tried: { person, subjects, entries } }
    }
  }
}

describe("rules that are tried on the past", () => {
  it.prop(
    "a rule that is tried holds for the people who would be in its segment",
    [Arbitrary.schema(RuleScript)],
    ([script]) => {
      const { now, state } = play(script)
      const expected = naiveMembers(worldOf(state, now))
      for (const { segment, trial, tried } of trialsIn(state)) {
        const isIn = expected.get(segment)?.includes(tried.person.key)
        assert.strictEqual(trial.holds(tried, now), isIn, `segment ${segment}`)
      }
    },
    options,
  )

  it.prop(
    "a replay leads from the people who would have been in a segment to those who would be in it now",
    [Arbitrary.schema(RuleScript)],
    ([{ rules, settings, steps }]) => {
      const told = steps.filter(({ what }) => !/^(?:merge|alias|delete|suppress|.* rule)$/.test(what))
      const { from, members, now, state } = play({ rules, settings, steps: told })
      const expected = naiveMembers(worldOf(state, now))
      for (const { segment, trial, tried } of trialsIn(state)) {
        if (trial.judgedByPresent.length > 0) continue
        const { crossings, isIn } = trial.replay(tried, { from, to: now })
        const wasIn = members.get(segment)?.includes(tried.person.key) ?? false
        const turns = Array.from(crossings, (_, i) => ((i % 2 === 0) === wasIn ? "left" : "entered"))
        assert.strictEqual(isIn, expected.get(segment)?.includes(tried.person.key), `segment ${segment}`)
        assert.deepStrictEqual(
          crossings.map(({ change }) => change),
          turns,
        )
        assert.strictEqual(crossings.length % 2 === 1, wasIn !== isIn)
      }
    },
    options,
  )
})
