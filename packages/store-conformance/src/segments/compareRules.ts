import { Arbitrary, Effect, type Layer } from "effect"
import type { Command } from "@inlet/core/Command"
import { SubjectKey } from "@inlet/core/values/Identifier"
import { Store } from "@inlet/core/ports/Store"
import { followTime, noon } from "../commands.ts"
import { inNew, memoryStore, type Comparison, type Services } from "../differential.ts"
import { firstDifference } from "../firstDifference.ts"
import { activity, apply, list, load, sweepAll } from "../scenario.ts"
import { commandsOf, RuleScript } from "./RuleScript.ts"

/** Runs a script about rules, with the batches and the housekeeping of one of two stores. */
const play = (script: RuleScript, side: "one" | "the other") =>
  Effect.gen(function* () {
    const store = yield* Store
    let lastSegment = 1
    let batch: Array<Command> = []
    const commands = commandsOf(script, () => lastSegment)
    for (let i = script.steps.length - [...commandsOf(script, () => 1)].length; ; i++) {
      const { done, value: command } = commands.next()
      if (done === true || command === undefined) break
      batch.push(command)
      const step = script.steps[i]
      if (step?.endsBatch === "never" || step?.endsBatch === `in ${side === "one" ? "the other" : "one"}`)
        continue
      const { entries } = yield* apply(...batch)
      batch = []
      if (step === undefined) lastSegment = Number(entries.at(-1)?.subject ?? lastSegment)
      if (step?.endsBatch === "in both") yield* settle(command.receivedAt)
      if (step?.housekeeping === `erase in ${side}`) yield* sweepAll(noon)
      if (step?.housekeeping === `a step in ${side}`) yield* store.sweep(noon)
    }
    if (batch.length > 0) yield* apply(...batch)
    return yield* read
  })

/** Follows the rules about the people for whom time alone may have changed the truth of a leaf, until nobody is left. */
const settle = (now: number) =>
  Effect.gen(function* () {
    const store = yield* Store
    for (;;) {
      const due = yield* store.due(now, 2)
      if (due.length === 0) return
      yield* apply(...due.map(({ at, person }) => followTime(person, { receivedAt: now, at })))
    }
  })

/** Reads who is in which segment, the effects of rules in the log, and what is stored about leaves. */
const read = Effect.gen(function* () {
  const { nextKey } = yield* load({})
  const keys = Array.from({ length: nextKey - 1 }, (_, i) => SubjectKey.make(i + 1))
  const { leafStates } = yield* load({ subjects: new Set(keys) })
  const segments = yield* list((catalog, workspace, page) => catalog.segments(workspace.id, page), {
    limit: 100,
  })
  return {
    effects: (yield* activity({}, { limit: 100 })).map(({ effects, sequence }) => [sequence, effects]),
    members: yield* Effect.forEach(segments, ({ segment: { key, rule }, size }) =>
      Effect.map(
        list((catalog, workspace, page) => catalog.members(workspace.id, key, page), { limit: 100 }),
        (found) => [key, rule, size, found.map(({ person }) => person.key)],
      ),
    ),
    leafStates: keys.flatMap((key) => {
      const states = [...(leafStates.get(key) ?? [])].toSorted(([a], [b]) => a - b)
      return states.length === 0 ? [] : [[key, states]]
    }),
  }
})

/**
 * Compares what rules do on a store with what they do on the memory store, on random scripts with different batches.
 * Returns a description of the first difference, or undefined.
 */
export const compareRules = <E>(
  store: Layer.Layer<Services, E>,
  { replay, runs, seed }: Comparison,
): Effect.Effect<string | undefined> =>
  Arbitrary.checkEffect(
    Arbitrary.schema(RuleScript),
    (script) =>
      Effect.gen(function* () {
        const actual = yield* play(script, "one").pipe(inNew(store))
        const expected = yield* play(script, "the other").pipe(inNew(memoryStore))
        const difference = firstDifference(actual, expected)
        return difference === null ? true : yield* Effect.fail(difference)
      }),
    { runs, seed, replay, size: 60, maxShrinks: 500 },
  ).pipe(Effect.map(Arbitrary.formatCheckFailure))
