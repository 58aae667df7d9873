import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import type { Command } from "@inlethq/core/Command"
import { statesOf } from "@inlethq/core/membership/ringOf"
import { countsApart, type Person } from "@inlethq/core/state/Person"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  merge,
  noon,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, followTime } from "@inlethq/store-conformance/script/segmentCommands"
import { hour } from "@inlethq/store-conformance/script/script"
import { runWhole } from "./whole.ts"

const Occurrence = Schema.Struct({
  by: Schema.Literals(["ada", "bob", "visitor", "gone"]),
  hoursLater: Schema.Literals([0, 0, 1, 3]),
  hoursLate: Schema.Literals([0, 0, 1, 4, 30]),
})

/** What happens to ada, to bob and a visitor whom she takes over, and to somebody who is deleted. */
const History = Schema.Array(Occurrence).check(Schema.isMinLength(1), Schema.isMaxLength(40))
type History = typeof History.Type

const rules = [
  { event: { name: "bought" } },
  { event: { name: "bought", count: { gte: 3 }, within: "6h" } },
  { event: { name: "bought", count: { eq: 2 }, within: "30h" } },
  { not: { event: { name: "bought", count: { gte: 2 }, within: "4h" } }, aged: false },
]

const targets = { ada: byId("ada"), bob: byId("bob"), visitor: byAnonymousId("v"), gone: byId("gone") }

/** Yields the commands of a history. `record` returns the command that takes the place of an occurrence. */
function* commandsOf(
  history: History,
  record: (by: History[number]["by"], when: { readonly receivedAt: number; readonly at: number }) => Command,
): Generator<Command, void, void> {
  let receivedAt = noon
  for (const rule of rules) yield createSegment("by rule", { rule })
  for (const target of [targets.ada, targets.bob, targets.gone]) yield identify(target)
  for (const { by, hoursLate, hoursLater } of history) {
    receivedAt += hoursLater * hour
    yield record(by, { receivedAt, at: receivedAt - hoursLate * hour })
  }
  yield remove(targets.gone, { receivedAt })
  yield identify(targets.ada, [], { anonymousId: "v", receivedAt })
  yield merge(targets.ada, targets.bob, { receivedAt })
}

/** Returns the rings of ada, the segments that she is in, and whose rings are stored apart, who are all merged into her. */
const endOf = (commands: Iterable<Command>) => {
  const all = [...commands]
  const ada = personNamed(runWhole(all), "ada").key
  const state = runWhole([...all, followTime(ada, { receivedAt: all.at(-1)?.receivedAt ?? noon })])
  const person = personNamed(state, "ada")
  const merged = new Set(person.attached.filter(countsApart).map((one) => one.key))
  return {
    rings: [...statesOf(state.leafStates, person, state.rules)]
      .map(([leaf, { ring }]) => [leaf, ring])
      .toSorted(),
    segments: person.segments.toSorted((a, b) => a - b),
    others: [...state.leafStates.keys()].filter((key) => key !== ada && !merged.has(key)),
  }
}

const personNamed = ({ subjects }: WorkingSet, id: string): Person => {
  for (const subject of subjects.values()) if (subject._tag === "Person" && subject.id === id) return subject
  throw new Error(`there is no ${id}`)
}

describe("rings", () => {
  it.prop(
    "merging people, identifying visitors and deleting people gives the same rings before events and after",
    [Arbitrary.schema(History)],
    ([history]) => {
      const taken = commandsOf(history, (by, when) => event(targets[by], "bought", when))
      const direct = commandsOf(history, (by, when) =>
        event(targets.ada, by === "gone" ? "other" : "bought", when),
      )
      const [after, before] = [endOf(taken), endOf(direct)]
      assert.deepStrictEqual(after, before)
      assert.deepStrictEqual(after.others, [])
    },
    {
      arbitrary: {
        runs: 500 * Number(process.env["INLET_TEST_RUNS"] ?? 1),
        seed: process.env["INLET_TEST_SEED"] ?? "inlet",
        size: 40,
        maxShrinks: 500,
        replay: process.env["INLET_TEST_REPLAY"],
      },
    },
  )
})
