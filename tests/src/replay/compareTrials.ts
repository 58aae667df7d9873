import { needsOf } from "@inlethq/core/CommandTable"
import type { Command } from "@inlethq/core/Command"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { Store } from "@inlethq/core/ports/Store"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { decodeCall } from "@inlethq/log/call/decodeCall"
import { differences } from "@inlethq/log/trial/compareEntries"
import { runTrial } from "@inlethq/log/trial/runTrial"
import { Trial } from "@inlethq/log/trial/Trial"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { noon, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { beginning, hour } from "@inlethq/store-conformance/script/script"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { Effect, Layer, type Context } from "effect"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import type { ReplayServices } from "./compareReplay.ts"
import { wireCall, type Api, type SentCall } from "./wireCalls.ts"

/** The calls of one script. */
const callsMax = 60

const workspace: Workspace = workspaceOf(1)

type Services = Context.Context<ReplayServices>

const decoded = (call: SentCall, receivedAt: number, as: Workspace): ReadonlyArray<Command> =>
  decodeCall(
    {
      workspace: as,
      brand: defaultBrand,
      receivedAt,
      client: { path: call.path, userAgent: null, address: null },
    },
    call,
  ) ?? []

/** Decides a part of a log again, entry by entry. Returns what it found, and the positions that are undecidable. */
const tried = Effect.fnUntraced(function* (changed: Workspace, from: number, to: number) {
  const store = yield* Store
  const { digest, nextKey, nextSequence } = yield* store.view(needsOf(workspace.id, []))
  const change = { workspace: changed, merge: null, unmerge: null }
  const trial = new Trial(workspace, change, { digest, nextKey, nextSequence })
  const undecided = new Set<number>()
  for (let position = from; position <= to; position++) {
    const before = trial.tally.undecided
    yield* runTrial(
      trial,
      workspace,
      { from: Sequence.make(position), to: Sequence.make(position) },
      () => undefined,
    )
    if (trial.tally.undecided > before) undecided.add(position)
  }
  return {
    tally: trial.tally,
    undecided,
    differ: new Set(trial.tally.listed.map(({ sequence }) => Number(sequence))),
  }
})

/**
 * Sends random calls to a store, and to another one with other settings. Returns what a trial of the log of the first says, and
 * which operations the two really decided otherwise.
 */
export const compareTrial = Effect.fnUntraced(function* (
  seed: number,
  apis: readonly [Api, ...ReadonlyArray<Api>],
  settings: Partial<Workspace>,
) {
  const random = numbers(seed)
  const changed: Workspace = { ...workspace, ...settings }
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const first: Services = yield* Layer.build(Layer.fresh(memoryStore))
      const second: Services = yield* Layer.build(Layer.fresh(memoryStore))
      for (const store of [first, second]) yield* Effect.provide(apply(...beginning), store)
      let now = noon
      const differ = new Set<number>()
      const withoutEffect = new Set<number>()
      let newest = 0
      for (let sent = 0; sent < callsMax; sent++) {
        now += random(3) * hour + 137
        const call = wireCall(random, apis)
        const here = yield* Effect.provide(apply(...decoded(call, now, workspace)), first)
        const there = yield* Effect.provide(apply(...decoded(call, now, changed)), second)
        for (const [index, entry] of here.entries.entries()) {
          newest = entry.sequence
          if (!tookEffect(entry.outcome) && entry.outcome !== "rejected") withoutEffect.add(entry.sequence)
          const other = there.entries[index]
          if (differences(entry, other ?? null).length > 0) differ.add(entry.sequence)
        }
      }
      const from = 1 + random(20)
      const whole = yield* Effect.provide(tried(changed, 1, newest), first)
      const part = yield* Effect.provide(tried(changed, from, newest), first)
      const known = (position: number) =>
        !whole.undecided.has(position) || (withoutEffect.has(position) && !differ.has(position))
      let to = beginning.length
      while (to < newest && known(to + 1)) to++
      return { differ, whole, part, to }
    }),
  )
})
