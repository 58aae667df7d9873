import { needsOf } from "@inlethq/core/CommandTable"
import type { Command } from "@inlethq/core/Command"
import { mergeIn, type RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Store } from "@inlethq/core/ports/Store"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Sequence } from "@inlethq/core/values/Identifier"
import { isSameWorkspace, type Workspace } from "@inlethq/core/workspace/Workspace"
import { decodeCall } from "@inlethq/log/call/decodeCall"
import { decisionOf, differences } from "@inlethq/log/trial/compareEntries"
import { runTrial } from "@inlethq/log/trial/runTrial"
import { Trial } from "@inlethq/log/trial/Trial"
import type { Decision, DifferingOperation } from "@inlethq/log/trial/TrialTally"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { noon, unmerge, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { createSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { beginning, hour } from "@inlethq/store-conformance/script/script"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { Effect, Layer, Option, type Context } from "effect"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import type { ReplayServices } from "./compareReplay.ts"
import { erasingCall } from "./erasingCalls.ts"
import { wireCall, type Api, type SentCall } from "./wireCalls.ts"

/** The calls of one script. */
const callsMax = 60

const apis: readonly [Api, ...ReadonlyArray<Api>] = ["track-v1", "track-v2", "pipelines"]

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

/** A store with a workspace, and the newest merge in it that was not undone. */
class Live {
  workspace: Workspace
  private readonly services: Services
  private merged: { readonly call: number; readonly merge: RecordedMerge } | null = null

  constructor(services: Services, as: Workspace) {
    this.services = services
    this.workspace = as
  }

  get mergedBy(): number | null {
    return this.merged?.call ?? null
  }

  readonly begin = () =>
    this.entries([
      ...beginning,
      createSegment("pros", {
        rule: { attribute: { field: "plan", operator: "eq", value: "pro" } },
        in: this.workspace,
      }),
    ])

  readonly send = Effect.fnUntraced(
    { self: this },
    function* (this: Live, sent: number, call: SentCall, receivedAt: number) {
      const entries = yield* this.entries(decoded(call, receivedAt, this.workspace))
      for (const entry of entries) {
        const merge = mergeIn(entry)
        if (merge !== null) this.merged = { call: sent, merge }
      }
      return entries
    },
  )

  readonly undo = (receivedAt: number) => {
    const { merged } = this
    this.merged = null
    return merged === null
      ? Effect.succeed([])
      : this.entries([unmerge(merged.merge, { in: this.workspace, receivedAt, divide: true })])
  }

  private entries(commands: ReadonlyArray<Command>) {
    return Effect.map(Effect.provide(apply(...commands), this.services), ({ entries }) => entries)
  }
}

/** Decides a part of a log again. Returns what it found, and which positions are undecidable for what. */
const tried = Effect.fnUntraced(function* (today: Workspace, changed: Workspace, from: number, to: number) {
  const store = yield* Store
  const { digest, nextKey, nextSequence } = yield* store.view(needsOf(workspace.id, []))
  const change = { workspace: changed, merge: null, unmerge: null }
  const trial = new Trial(today, change, { digest, nextKey, nextSequence })
  const { tally } = trial
  const undecided = new Map<number, string>()
  const count = tally.undecidable.bind(tally)
  tally.undecidable = (entry, code) => {
    undecided.set(entry.sequence, code)
    count(entry, code)
  }
  const range = { from: Sequence.make(from), to: Sequence.make(to) }
  yield* runTrial(trial, today, range, () => undefined)
  return { tally, undecided }
})

/** How a call was decided without the change and with it. */
interface Pair {
  readonly call: SentCall | "unmerge"
  readonly now: ActivityEntry
  readonly tried: ActivityEntry | null
}

/** Keys are others in another store, and the entry of a merge says those of its people. */
const differs = (pair: Pair): ReadonlyArray<string> =>
  differences(pair.now, pair.tried).filter((part) => part !== "data" || pair.now.kind !== "merge")

const isOfKeys = ({ differs: parts, kind }: DifferingOperation): boolean =>
  kind === "merge" && parts.every((part) => part === "data")

/** Which of several clauses stands first depends on the order in the call, which the log does not keep. */
const compared = ([now = null, then = null]: ReadonlyArray<Decision | null>) =>
  now !== null && then !== null && now.rule === then.rule
    ? [now, then].map(({ codes, outcome, refused }) => ({ codes, outcome, refused }))
    : [now, then]

/** Returns whether the log has lost an entry, or what it said of somebody, because they were erased. */
const isCut = Effect.fnUntraced(function* ({ now }: Pair) {
  const record = yield* (yield* Catalog).operation(workspace.id, now.sequence)
  if (Option.isNone(record)) return true
  const { changes, parts } = record.value.entry
  return parts.length < now.parts.length || changes.length < now.changes.length
})

/** The settings that a workspace may have in turn, and those that are tried. */
interface Settings {
  readonly phases: ReadonlyArray<Partial<Workspace>>
  readonly changed: Partial<Workspace>
}

/** Sends random calls to a store, and to another one with other settings. Half of the scripts erase people. Returns how each call was decided in both. */
const goLive = Effect.fnUntraced(function* (
  seed: number,
  here: Live,
  there: Live,
  { changed, phases }: Settings,
) {
  const random = numbers(seed)
  const phaseOf = numbers(seed + 1)
  const callOf = seed % 2 === 0 ? erasingCall : wireCall
  for (const live of [here, there]) yield* live.begin()
  let at = noon
  const pairs: Array<Pair> = []
  for (let sent = 0; sent < callsMax; sent++) {
    at += random(3) * hour + 137
    const phase = phaseOf(8) === 0 ? phases[phaseOf(phases.length)] : undefined
    if (phase !== undefined) {
      here.workspace = { ...workspace, ...phase }
      there.workspace = { ...here.workspace, ...changed }
    }
    const undoes = random(15) === 0 && here.mergedBy !== null && here.mergedBy === there.mergedBy
    const call = undoes ? "unmerge" : callOf(random, apis)
    const decide = (live: Live) => (call === "unmerge" ? live.undo(at) : live.send(sent, call, at))
    const [now, tried] = [yield* decide(here), yield* decide(there)]
    for (const [index, entry] of now.entries()) pairs.push({ call, now: entry, tried: tried[index] ?? null })
  }
  return pairs
})

/**
 * Compares a trial of a log with what the same calls really became with the change. Returns the operations of which the trial says
 * something else, up to the first call that had no effect without the change, has one with it, and of which the log keeps nothing.
 */
export const compareTrial = Effect.fnUntraced(function* <E>(
  seed: number,
  { changed, phases }: Settings,
  store: Layer.Layer<ReplayServices, E>,
) {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const first: Services = yield* Layer.build(Layer.fresh(store))
      const second: Services = yield* Layer.build(Layer.fresh(memoryStore))
      const here = new Live(first, workspace)
      const there = new Live(second, { ...workspace, ...changed })
      const pairs = yield* goLive(seed, here, there, { changed, phases })
      const decide = (from: number) =>
        Effect.provide(tried(here.workspace, there.workspace, from, newest), first)
      const newest = Math.max(...pairs.map(({ now }) => now.sequence))
      const whole = yield* decide(1)
      const part = yield* decide(1 + (seed % 20))
      const isUnchanged = isSameWorkspace(here.workspace, there.workspace)
      const listed = new Map(whole.tally.listed.map((one) => [one.sequence, one]))
      const wrong: Array<string> = []
      if (isUnchanged && whole.tally.operations + part.tally.operations > 0)
        wrong.push(`nothing is changed: ${JSON.stringify(whole.tally.listed)}`)
      for (const pair of isUnchanged ? [] : pairs) {
        const { sequence } = pair.now
        const code = whole.undecided.get(sequence)
        if (code === "call_no_effect" && differs(pair).length > 0) break
        if (code !== undefined || (yield* Effect.provide(isCut(pair), first))) continue
        const found = listed.get(sequence)
        const said = found === undefined || isOfKeys(found) ? [null, null] : [found.now, found.tried]
        const real =
          differs(pair).length === 0 ? [null, null] : [decisionOf(pair.now), decisionOf(pair.tried)]
        if (JSON.stringify(compared(said)) === JSON.stringify(compared(real))) continue
        wrong.push(`position ${sequence} of ${JSON.stringify(pair.call)}: ${JSON.stringify({ said, real })}`)
      }
      return { wrong, whole: whole.tally, part: part.tally }
    }),
  )
})
