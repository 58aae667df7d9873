import { Arbitrary, Effect, type Layer } from "effect"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { mergeIn, type RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import { leafKeysOf } from "@inlethq/core/rule/definitions"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import type { LawBroken } from "../script/Law.ts"
import { first, noon } from "../script/commands.ts"
import { followTime } from "../script/segmentCommands.ts"
import {
  inNew,
  memoryStore,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { activity, apply, list, load, sweepAll } from "../script/scenario.ts"
import { commandsOf, RuleScript } from "./RuleScript.ts"

type Side = "one" | "the other"

type Check = Effect.Effect<void, LawBroken | StoreUnavailable, Services>

/** What is checked while a script runs. */
interface Checks {
  /** Runs after each commit, with its entries. */
  readonly committed: (entries: ReadonlyArray<ActivityEntry>) => Check
  /** Runs after each batch, once time has been followed. */
  readonly settled: Check
}

/** Runs a script about rules, with the batches and the housekeeping of one of two stores. */
export const playRules = (script: RuleScript, side: Side, checks?: Checks) =>
  Effect.gen(function* () {
    const store = yield* Store
    let lastSegment = 1
    let merges: ReadonlyArray<RecordedMerge> = []
    let batch: Array<Command> = []
    const commit = committer(checks)
    const commands = commandsOf(
      script,
      () => lastSegment,
      () => merges,
    )
    const without = [
      ...commandsOf(
        script,
        () => 1,
        () => [],
      ),
    ].length
    for (let i = script.steps.length - without; ; i++) {
      if (script.steps[i]?.what === "undo a merge") {
        if (batch.length > 0) yield* commit(...batch)
        batch = []
        merges = yield* mergesIn
      }
      const { done, value: command } = commands.next()
      if (done === true || command === undefined) break
      batch.push(command)
      const step = script.steps[i]
      if (step !== undefined && goesOnAfter(step, side)) continue
      const entries = yield* commit(...batch)
      batch = []
      if (step === undefined || step.what === "create rule") {
        lastSegment = Number(entries.at(-1)?.subject ?? lastSegment)
      }
      if (step !== undefined) yield* build(step.buildSteps, command, commit)
      if (step?.endsBatch === "in both" || checks !== undefined) yield* settle(command.receivedAt, commit)
      if (checks !== undefined) yield* checks.settled
      if (step?.housekeeping === `erase in ${side}`) yield* sweepAll(noon)
      if (step?.housekeeping === `a step in ${side}`) yield* store.sweep(noon)
    }
    if (batch.length > 0) yield* commit(...batch)
    return yield* read
  })

type Commit = (
  ...commands: ReadonlyArray<Command>
) => Effect.Effect<ReadonlyArray<ActivityEntry>, Effect.Error<ReturnType<typeof apply>> | LawBroken, Services>

const committer =
  (checks: Checks | undefined): Commit =>
  (...commands) =>
    Effect.gen(function* () {
      const { entries } = yield* apply(...commands)
      if (checks !== undefined) yield* checks.committed(entries)
      return entries
    })

/** Reads the merges that the log records, oldest first. */
const mergesIn = Effect.gen(function* () {
  const catalog = yield* Catalog
  const page = { limit: 1000, after: null, order: "asc" } as const
  const { items } = yield* catalog.activity(first.id, { ...noFilter, kind: "merge" }, page)
  return items.flatMap(({ entry, isErased }) => (isErased ? [] : (mergeIn(entry) ?? [])))
})

/** Returns whether the batch goes on after a step. Both stores commit alone what creates a rule or is followed by steps of a build. */
const goesOnAfter = ({ buildSteps, endsBatch, what }: RuleScript["steps"][number], side: Side): boolean => {
  if (what === "create rule" || what === "undo a merge" || buildSteps > 0) return false
  return endsBatch === "never" || endsBatch === `in ${side === "one" ? "the other" : "one"}`
}

/** Continues the build of rules by some small steps. */
const build = (steps: number, { receivedAt, workspace }: Command, commit: Commit) =>
  Effect.gen(function* () {
    for (let i = 0; i < steps; i++) {
      const commands = yield* nextBuildStep(workspace, receivedAt, {
        entriesMax: 3,
        readingsMax: 2,
        peopleMax: 2,
        commandsMax: 2,
      })
      if (commands.length === 0) return
      yield* commit(...commands)
    }
  })

/** Follows the rules about the people for whom time alone may have changed the truth of a leaf, until nobody is left. */
const settle = (now: number, commit: Commit) =>
  Effect.gen(function* () {
    const store = yield* Store
    for (;;) {
      const due = yield* store.due(now, 2)
      if (due.length === 0) return
      yield* commit(...due.map(({ at, person }) => followTime(person, { receivedAt: now, at })))
    }
  })

/** Reads who is in which segment, the effects of rules in the log, and what is stored about leaves. */
const read = Effect.gen(function* () {
  const { nextKey } = yield* load({})
  const keys = Array.from({ length: nextKey - 1 }, (_, i) => SubjectKey.make(i + 1))
  const { leafStates, rules } = yield* load({ subjects: new Set(keys) })
  // Housekeeping removes the states of leaves that no rule has any more, at different times in the two stores.
  const leaves = leafKeysOf(rules)
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
      const states = Array.from(
        leafStates.get(key) ?? [],
        ([leaf, { due, ring }]) => [leaf, { due, ring }] as const,
      )
        .filter(([leaf]) => leaves.has(leaf))
        .toSorted(([a], [b]) => a - b)
      return states.length === 0 ? [] : [[key, states]]
    }),
  }
})

/**
 * Compares what rules do on a store with what they do on the memory store, on random scripts with different batches.
 * The failure describes the first difference.
 */
export const compareRules = <E>(
  store: Layer.Layer<Services, E>,
  { replay, runs, seed }: Comparison,
): Effect.Effect<Pick<Compared, "failure">> =>
  Arbitrary.checkEffect(
    Arbitrary.schema(RuleScript),
    (script) =>
      Effect.gen(function* () {
        const actual = yield* playRules(script, "one").pipe(inNew(store))
        const expected = yield* playRules(script, "the other").pipe(inNew(memoryStore))
        const difference = firstDifference(actual, expected)
        return difference === null ? true : yield* Effect.fail(difference)
      }),
    { runs, seed, replay, size: 60, maxShrinks: 500 },
  ).pipe(Effect.map((result) => ({ failure: Arbitrary.formatCheckFailure(result) ?? null })))
