import type { Command } from "@inlethq/core/Command"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { erasureMsMin, Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import { Effect, Exit, type Scope } from "effect"
import { byId, event, first, identify, noon, remove, second } from "../script/commands.ts"
import { copy, createWorkspaces, type CopiedStore } from "./copies.ts"
import {
  compareScripts,
  inNew,
  playSteps,
  type Compared,
  type Comparison,
} from "../differential/differential.ts"
import { plainDigest } from "../script/digest.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { expectSame } from "../script/Law.ts"
import { ledgers, shown } from "./restoredErasures.ts"
import { apply, people, sweepAll } from "../script/scenario.ts"
import { beginning, type Script } from "../script/script.ts"
import { TransferRows } from "./TransferRows.ts"

type NewStore<E> = Effect.Effect<CopiedStore<E>, E, Scope.Scope>

/**
 * Searches for a script after which a copy brings somebody back. A store runs the first half of the script and is copied to
 * another store, which runs the second half. The workspaces are deleted there and copied back from the first store, by
 * copies that may be interrupted. Nothing of anybody whom the other store erased may be left in it.
 */
export const compareCopiedBack = <E>(
  newStore: NewStore<E>,
  comparison: Comparison,
): Effect.Effect<Compared> =>
  compareScripts((script) => Effect.scoped(differenceAfter(newStore, script)), comparison)

const differenceAfter = <E>(newStore: NewStore<E>, script: Script) =>
  Effect.gen(function* () {
    const to = yield* newStore
    const half = script.steps.length >> 1
    const { now, older } = yield* olderRows(yield* newStore, to, script)
    const newer = yield* Effect.gen(function* () {
      yield* playSteps({ ...script, steps: script.steps.slice(half) }, "one", now)
      const records = yield* ledgers
      yield* deleteAll(now)
      return records
    }).pipe(inNew(to.services))
    for (const only of [first.id, second.id]) {
      const exit = yield* Effect.exit(copyInterrupted(to, older, only, half))
      if (Exit.hasInterrupts(exit)) yield* copyInto(to, older, only)
    }
    return yield* Effect.gen(function* () {
      const unswept = yield* Effect.forEach(newer, shown)
      yield* sweepAll(now)
      const after = { unswept, swept: yield* Effect.forEach(newer, shown), ledgers: yield* ledgers }
      return firstDifference(after, { unswept: [[], []], swept: [[], []], ledgers: newer }, "after the copy")
    }).pipe(Effect.provide(plainDigest), inNew(to.services))
  })

/** Plays the first half of a script in a store, copies it, and returns its rows and the time. */
const olderRows = Effect.fnUntraced(function* <E>(from: CopiedStore<E>, to: CopiedStore<E>, script: Script) {
  const steps = script.steps.slice(0, script.steps.length >> 1)
  const now = yield* Effect.all([createWorkspaces, apply(...beginning)]).pipe(
    Effect.andThen(playSteps({ ...script, steps }, "one", noon)),
    inNew(from.services),
  )
  const older = yield* rowsOf(from)
  yield* copyInto(to, older, null)
  return { now, older }
})

const rowsOf = <E>(from: CopiedStore<E>) =>
  Effect.gen(function* () {
    const rows = new TransferRows()
    yield* copy(yield* from.source, rows.target, null)
    return rows.source
  }).pipe(Effect.scoped)

const copyInto = <E>(to: CopiedStore<E>, source: TransferSource, only: WorkspaceId | null) =>
  Effect.scoped(Effect.flatMap(to.target, (target) => copy(source, target, only)))

const interrupted = (target: TransferTarget): TransferTarget => ({
  ...target,
  eraseAgain: (...given) => Effect.andThen(target.eraseAgain(...given), Effect.interrupt),
})

/** Copies, and interrupts the copy after it has written `pages` pages, or has erased people again. */
const copyInterrupted = <E>(to: CopiedStore<E>, source: TransferSource, only: WorkspaceId, pages: number) => {
  let left = pages % 3 === 0 ? Infinity : pages * 7
  const report = () => (--left === 0 ? Effect.interrupt : Effect.void)
  return Effect.scoped(Effect.flatMap(to.target, (target) => copy(source, interrupted(target), only, report)))
}

/** Deletes both workspaces, and erases them and the people who were deleted in them. A third one stays. */
const deleteAll = Effect.fnUntraced(function* (now: number) {
  const registry = yield* Registry
  yield* registry.createWorkspace(defaultSettings("third", "us"))
  for (const { id } of [first, second]) yield* registry.deleteWorkspace(id, now)
  yield* sweepAll(now)
  yield* sweepAll(now + erasureMsMin)
})

/** Who is created and erased in a copy of a store with `ada`, and what its source does meanwhile. */
interface Division {
  readonly inCopy: ReadonlyArray<Command>
  readonly inSource: ReadonlyArray<Command>
}

const given = { in: second }

const divisions = {
  /** The source uses the position of the erasure. */
  far: {
    inCopy: [remove(byId("ada"), given)],
    inSource: [identify(byId("bob"), [], given), identify(byId("cyd"), [], given)],
  },
  /** The source gives somebody the key of the erased person, and does not reach the position of the erasure. */
  near: {
    inCopy: [identify(byId("bob"), [], given), event(byId("bob"), "seen", given), remove(byId("bob"), given)],
    inSource: [identify(byId("cyd"), [], given)],
  },
} satisfies Record<string, Division>

/** Copies a store, and erases somebody and their workspace in the copy. */
const eraseInCopy = Effect.fnUntraced(function* <E>(
  from: CopiedStore<E>,
  to: CopiedStore<E>,
  { inCopy, inSource }: Division,
) {
  yield* Effect.andThen(createWorkspaces, apply(identify(byId("ada"), [], given))).pipe(inNew(from.services))
  yield* copyInto(to, yield* rowsOf(from), null)
  yield* Effect.gen(function* () {
    yield* apply(...inCopy)
    yield* (yield* Registry).deleteWorkspace(second.id, noon)
    yield* sweepAll(noon)
    yield* sweepAll(noon + erasureMsMin)
  }).pipe(inNew(to.services))
  if (inSource.length > 0) yield* apply(...inSource).pipe(inNew(from.services))
})

/**
 * A workspace whose source went on after the target had its copy is not copied back, because a key in the ledger of the
 * target can be somebody else's in the source. Expects that nothing was written.
 */
export const dividedCopiesAreRefused = <E>(newStore: NewStore<E>, division: keyof typeof divisions) =>
  Effect.gen(function* () {
    const from = yield* newStore
    const to = yield* newStore
    yield* eraseInCopy(from, to, divisions[division])
    const refused = yield* Effect.flip(copyInto(to, yield* rowsOf(from), second.id))
    const state = yield* Effect.scoped(Effect.flatMap(to.target, (target) => target.state))
    yield* expectSame("the state of the target", state, { _tag: "Occupied", workspaces: [first.id] })
    const names = yield* people("", { workspace: first }).pipe(inNew(to.services))
    yield* expectSame("the people of the other workspace", names, [])
    return refused instanceof Error ? refused.message : String(refused)
  }).pipe(Effect.scoped)

/** Copies a workspace back in which somebody was erased. Expects that their rows are gone when the copy ends. */
export const copiesAreErased = <E, E2>(
  from: CopiedStore<E>,
  to: CopiedStore<E>,
  beforeCopy: Effect.Effect<unknown, E2>,
) =>
  Effect.gen(function* () {
    yield* eraseInCopy(from, to, { ...divisions.far, inSource: [] })
    yield* beforeCopy
    yield* copyInto(to, yield* rowsOf(from), second.id)
    const erasing = Effect.flatMap(ErasureLedger, (ledger) => ledger.erasing(second.id))
    yield* expectSame("who is still being erased", yield* erasing.pipe(inNew(to.services)), [])
  }).pipe(Effect.scoped)
