import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { statesOf } from "@inlethq/core/membership/ringOf"
import { explainRule } from "@inlethq/core/rule/explainRule"
import { partsOf } from "@inlethq/core/rule/Proof"
import { segmentsOf } from "@inlethq/core/rule/definitions"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { followTime } from "@inlethq/store-conformance/script/segmentCommands"
import { Follower } from "@inlethq/store-conformance/segments/Follower"
import { inForce } from "@inlethq/store-conformance/segments/inForce"
import { naiveMembers } from "@inlethq/store-conformance/segments/naiveMembers"
import { reevaluate } from "@inlethq/store-conformance/segments/reevaluate"
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

/** Calls `check` after each command of a script. */
const play = (script: RuleScript, check: (state: WorkingSet, command: Command) => void): WorkingSet => {
  const state = runWhole([])
  const { entries } = state.written
  const lastSegment = () => Number(entries.at(-1)?.subject ?? 1)
  const merges = () => entries.flatMap((entry) => mergeIn(entry) ?? [])
  for (const command of commandsOf(script, lastSegment, merges)) {
    decideAll(state, [command])
    check(state, command)
  }
  return state
}

/** Follows the rules about the people for whom time alone may have changed the truth of a leaf. */
const settle = (state: WorkingSet, now: number): void => {
  for (const [person, states] of state.leafStates) {
    if (![...states.values()].some(({ due }) => due !== null && due <= now)) continue
    decideAll(state, [followTime(person, { receivedAt: now })])
    assert.isTrue(
      [...(state.leafStates.get(person)?.values() ?? [])].every(({ due }) => due === null || due > now),
    )
  }
}

const membersOf = ({ rules, subjects }: WorkingSet, segment: SubjectKey): ReadonlyArray<SubjectKey> =>
  [...subjects.values()]
    .flatMap((subject) =>
      subject._tag === "Person" && segmentsOf(rules, subject.segments).includes(segment) ? [subject.key] : [],
    )
    .toSorted((a, b) => a - b)

/** Explains every rule for every person. */
function* proofsIn({ leafStates, rules, subjects }: WorkingSet, now: number) {
  for (const { current, segment } of rules.definitions.values()) {
    if (current === null || segment.paused) continue
    for (const person of subjects.values()) {
      if (person._tag !== "Person") continue
      const states = statesOf(leafStates, person, rules)
      const rule = { rule: current.rule, leaves: current.stored.leaves }
      const proof = explainRule(rule, { person, now, subjects, rules, leafStates: states })
      yield { person, proof, segment: segment.key, members: current.stored.members }
    }
  }
}

describe("segments with rules", () => {
  it.prop(
    "after every command, exactly the people are in a segment for whom its rule holds",
    [Arbitrary.schema(RuleScript)],
    ([script]) => {
      play(script, (state) => {
        const now = state.latestReceipt ?? 0
        settle(state, now)
        const {
          subjects,
          written: { entries },
        } = state
        for (const [segment, people] of naiveMembers({ subjects, entries, ...inForce(state.rules), now })) {
          assert.deepStrictEqual(
            membersOf(state, segment),
            people,
            `segment ${segment} after command ${entries.length}`,
          )
        }
      })
    },
    options,
  )

  it.prop(
    "whoever follows the entries knows who is in which segment",
    [Arbitrary.schema(RuleScript)],
    ([script]) => {
      const follower = new Follower()
      let read = 0
      play(script, (state) => {
        settle(state, state.latestReceipt ?? 0)
        const { entries } = state.written
        assert.isNull(follower.follow(entries.slice(read)))
        read = entries.length
        assert.isNull(follower.compare(state))
      })
    },
    options,
  )

  it.prop(
    "every explanation decides again, from its evidence alone, what is stored",
    [Arbitrary.schema(RuleScript)],
    ([script]) => {
      const state = play(script, (played) => settle(played, played.latestReceipt ?? 0))
      const now = state.latestReceipt ?? 0
      for (const { members, person, proof, segment } of proofsIn(state, now)) {
        const isIn = person.segments.includes(members)
        assert.strictEqual(proof.holds, isIn, `segment ${segment}`)
        for (const part of partsOf(proof)) assert.strictEqual(reevaluate(part, now), part.holds, part.path)
      }
    },
    options,
  )

  it.prop(
    "an explanation says when time alone changes each of its parts",
    [Arbitrary.schema(RuleScript)],
    ([script]) => {
      const state = play(script, (played) => settle(played, played.latestReceipt ?? 0))
      const now = state.latestReceipt ?? 0
      const { subjects, written } = state
      const world = { subjects, entries: written.entries, ...inForce(state.rules) }
      for (const { person, proof, segment } of proofsIn(state, now)) {
        if (proof.flipsAt === null) continue
        const isInAt = (time: number) =>
          naiveMembers({ ...world, now: time })
            .get(segment)
            ?.includes(person.key)
        assert.isTrue(proof.flipsAt > now)
        assert.strictEqual(isInAt(proof.flipsAt - 1), proof.holds)
        assert.strictEqual(isInAt(proof.flipsAt), !proof.holds)
      }
    },
    options,
  )
})
