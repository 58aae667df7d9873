import { describe, it } from "@effect/vitest"
import { decideAll, type DecidedBatch } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { identifierText, objectText } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { assertSame, blank, recordOf } from "./harness.ts"
import { applyToModel } from "./model.ts"
import { visibleInModel } from "./modelVisible.ts"
import { emptyModel, type FreshKeys } from "./modelState.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { commandsOf, scriptOf, settings } from "./scripts.ts"
import { visibleIn } from "./visible.ts"

/** Returns the keys that `packages/core` gave to the people, objects and other subjects that a command created. */
const freshKeys = ({ changes, state }: DecidedBatch, erased: ReadonlySet<number>): FreshKeys => ({
  person: (kind, value) => state.identifiers.get(identifierText(kind, value)) ?? 0,
  object: (typeId, objectId) => state.identifiers.get(objectText(typeId, objectId)) ?? 0,
  segment: () => changes.find((change) => change._tag === "SegmentCreated")?.key ?? 0,
  isErased: (step) => erased.has(step),
})

/** Returns the indexes of the commands with an erased log entry. */
const erasedSteps = (state: WorkingSet): ReadonlySet<number> =>
  new Set(state.written.entries.flatMap((entry, step) => (recordOf(state, entry).isErased ? [step] : [])))

/** Returns the numbers of applied and ignored ids in the entry of a segment call. */
const idsOf = ({ entries }: DecidedBatch, command: Command) => {
  const data = entries[0]?.data ?? null
  if (command._tag !== "ChangeMembership" || !isJsonObject(data)) return null
  const { ids_applied: applied, ids_ignored: ignored } = data
  return applied === undefined ? null : { applied, ignored }
}

/** Runs commands in `packages/core` and in the model, and compares everything visible after each command. */
const compare = (commands: ReadonlyArray<Command>): void => {
  const state = blank()
  const model = emptyModel()
  for (const [index, command] of commands.entries()) {
    const erased = erasedSteps(state)
    const decided = decideAll(state, [command])
    const { ids, outcome } = applyToModel(model, command, freshKeys(decided, erased))
    assertSame(decided.entries[0]?.outcome, outcome, `outcome of command ${index}`)
    if (ids !== null) assertSame(idsOf(decided, command), ids, `ids of command ${index}`)
    const got = visibleIn(state, command.receivedAt)
    const expected = visibleInModel(model, command.receivedAt)
    for (const [part, wanted] of Object.entries(expected))
      assertSame(
        Object.entries(got).find(([name]) => name === part)?.[1],
        wanted,
        `${part} after command ${index}`,
      )
  }
}

describe("packages/core compared with a simple model of the contract", () => {
  it.prop(
    "packages/core and a simple model of the contract give the same results for short random sequences of commands",
    [scriptOf(1, 6), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    propertyOptions(3000),
  )

  it.prop(
    "packages/core and a simple model of the contract give the same results for long random sequences of commands",
    [scriptOf(1, 30), settings],
    ([script, settings]) => compare(commandsOf(script, settings)),
    propertyOptions(800),
  )
})
