import { needsOf } from "@inlethq/core/CommandTable"
import { decideInSlices } from "@inlethq/core/Batch"
import { ErasureIndex } from "@inlethq/core/ledger/ErasureIndex"
import { subjectDigest, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { Store, type StoreUnavailable, type WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { repeatErasures, type Submit } from "@inlethq/engine/erasures/repeatErasures"
import { Effect, type Layer } from "effect"
import { createWorkspaces } from "./copies.ts"
import { first, noon, second } from "../script/commands.ts"
import {
  compareScripts,
  inNew,
  memoryStore,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { plainDigest } from "../script/digest.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { activity, apply, ledgerOf, load, sweepAll } from "../script/scenario.ts"
import { beginning, type Script } from "../script/script.ts"

/**
 * Searches for a script after which restored data show somebody again. A memory store runs the whole script. The given
 * store runs only its first half, like a backup, and then repeats what the other's ledger says. Nothing of anybody whom
 * the ledger names may be left, and both must have the same ledger.
 */
export const compareRestored = <E>(
  store: Layer.Layer<Services, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => differenceAfter(store, script), comparison)

const bothWorkspaces = [first, second]

export const ledgers = Effect.forEach(bothWorkspaces, (workspace) => ledgerOf(workspace))

/** Commits commands, as a restore does. */
export const submit: Submit<StoreUnavailable | WorkspaceDeleted, Store> = (workspace, commands) =>
  Effect.gen(function* () {
    const { transact } = yield* Store
    yield* yield* transact(needsOf(workspace.id, commands), (seen) => decideInSlices(seen, commands))
  })

const differenceAfter = <E>(store: Layer.Layer<Services, E>, script: Script) =>
  Effect.gen(function* () {
    const beginningOf = (steps: Script["steps"]) =>
      Effect.all([createWorkspaces, apply(...beginning)]).pipe(
        Effect.andThen(playSteps({ ...script, steps }, "one", noon)),
      )
    const newer = yield* Effect.andThen(beginningOf(script.steps), ledgers).pipe(inNew(memoryStore))
    const backup = script.steps.slice(0, script.steps.length >> 1)
    return yield* Effect.gen(function* () {
      const now = yield* beginningOf(backup)
      const repeated = yield* repeatErasures(newer.flat(), submit)
      if ((yield* repeatErasures(newer.flat(), submit)) > 0) return "records were repeated twice"
      const unswept = yield* Effect.forEach(newer, shown)
      yield* sweepAll(now)
      const after = { unswept, swept: yield* Effect.forEach(newer, shown), ledgers: yield* ledgers }
      return firstDifference(
        after,
        { unswept: [[], []], swept: [[], []], ledgers: newer },
        `after ${repeated}`,
      )
    }).pipe(Effect.provide(plainDigest), inNew(store))
  })

/** Returns what the store shows of those whom the ledger of a workspace names. */
export const shown = Effect.fnUntraced(function* (ledger: ReadonlyArray<ErasureRecord>, place: number) {
  const workspace = place === 0 ? first : second
  const digest = digestsOf(yield* Digest, workspace.id)
  const index = new ErasureIndex(digest, ledger)
  const erased = new Set(ledger.flatMap(({ action, subjects }) => (action === "unsuppress" ? [] : subjects)))
  const { nextKey } = yield* load({ workspace: workspace.id })
  const keys = Array.from({ length: nextKey - 1 }, (_, i) => SubjectKey.make(i + 1))
  const named = keys.filter((key) => erased.has(subjectDigest(digest, key)))
  const { subjects } = yield* load({ workspace: workspace.id, subjects: new Set(named) })
  const people = named.filter((key) => {
    const tag = subjects.get(key)?._tag
    return tag !== undefined && tag !== "Erased"
  })
  const entries = yield* activity({}, { workspace })
  const left = entries.filter(
    ({ changes, data, sequence, subject }) =>
      subject !== null && index.erasesEntry(subject, sequence) && (data !== null || changes.length > 0),
  )
  return [...people, ...left]
})
