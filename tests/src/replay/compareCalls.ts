import { decodeCall } from "@inlethq/log/call/decodeCall"
import { encodeCall } from "@inlethq/log/call/encodeCall"
import { NamesReader } from "@inlethq/log/call/NamesReader"
import { IdentifierChanges, type HaveStayed } from "@inlethq/log/history/IdentifierChanges"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { Command } from "@inlethq/core/Command"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { TextValues } from "@inlethq/core/log/Reason"
import { mergeIn, type RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { beginning, hour } from "@inlethq/store-conformance/script/script"
import { noon, unmerge, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { memoryStore } from "@inlethq/store-conformance/differential/differential"
import { firstDifference } from "@inlethq/store-conformance/script/firstDifference"
import { apply } from "@inlethq/store-conformance/script/scenario"
import { Effect, Layer, Option, Result, type Context } from "effect"
import { shownIn, type ReplayServices } from "./compareReplay.ts"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { erasingCall } from "./erasingCalls.ts"
import { wireCall, type Api, type SentCall } from "./wireCalls.ts"

/** The calls of one script. */
const callsMax = 60

const workspace: Workspace = workspaceOf(1)

const decoded = (call: SentCall, receivedAt: number): ReadonlyArray<Command> =>
  decodeCall(
    {
      workspace,
      brand: defaultBrand,
      receivedAt,
      client: { path: call.path, userAgent: null, address: null },
    },
    call,
  ) ?? []

/** Returns the call of an entry as a reader of the log sees it now. */
export const callOf = Effect.fnUntraced(function* (entry: ActivityEntry, haveStayed?: HaveStayed) {
  const catalog = yield* Catalog
  const record = yield* Effect.map(catalog.operation(workspace.id, entry.sequence), Option.getOrUndefined)
  if (record === undefined) return Result.fail(null)
  const names = new NamesReader(catalog, workspace, Infinity, haveStayed)
  return encodeCall(record, yield* names.namesFor(record))
})

/**
 * What two entries of one command share. A call alone is no item of a batch, its path may be another spelling, and its values
 * may stand in another order. Of the ids in a segment call, the log has those that it moved and some that it ignored.
 */
const essence = ({ batchIndex: _1, call, sender: _2, ...entry }: ActivityEntry) => ({
  ...entry,
  // It is that of the first value that was left out.
  rule: entry.refused.length > 1 ? null : entry.rule,
  call: call === null ? null : call.data,
  data: isJsonObject(entry.data) ? { ...entry.data, ...counted } : entry.data,
  changes: sorted(entry.changes),
  reasons: sorted(entry.reasons.map(withoutNaming)),
  refused: sorted(entry.refused.map(withoutNaming)),
  keptAs: sorted(entry.keptAs),
  // A device that a call repeats is changed in nothing but its times, which the entry does not say.
  overwritten: entry.overwritten.map(({ before, ...one }) => ({
    ...one,
    before: before && { ...before, devices: null },
  })),
  parts: entry.parts.map((part) => ({ ...part, changes: sorted(part.changes) })),
})

/** A fixed identifier says by which one the call named the person. The call that is written names them by another one. */
const withoutNaming = <Said extends { readonly values: TextValues }>(said: Said): Said => {
  const { by: _, ...values } = said.values
  return { ...said, values }
}

const counted = { messageId: null, ids_applied: null, ids_ignored: null }

const sorted = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

type Store = Context.Context<ReplayServices>

/**
 * Sends random calls to one store, and to another one what their entries say that they were. Both must record the same. A
 * call that the log cannot say is sent to both. Returns the first difference, or null.
 */
export const compareCalls = Effect.fnUntraced(function* (
  seed: number,
  apis: readonly [Api, ...ReadonlyArray<Api>],
) {
  const random = numbers(seed)
  const told = { calls: 0, none: new Map<string, number>() }
  const difference = yield* Effect.scoped(
    Effect.gen(function* () {
      const first: Store = yield* Layer.build(Layer.fresh(memoryStore))
      const second: Store = yield* Layer.build(Layer.fresh(memoryStore))
      for (const store of [first, second]) yield* Effect.provide(apply(...beginning), store)
      let now = noon
      for (let sent = 0; sent < callsMax; sent++) {
        now += random(3) * hour + 137
        const call = wireCall(random, apis)
        const commands = decoded(call, now)
        const { entries } = yield* Effect.provide(apply(...commands), first)
        const [entry] = entries
        if (entry === undefined) return `${JSON.stringify(call)} has no entry`
        const encoded = yield* Effect.provide(callOf(entry), first)
        if (Result.isSuccess(encoded)) told.calls++
        else {
          const code = encoded.failure?.code ?? "no record"
          told.none.set(code, (told.none.get(code) ?? 0) + 1)
        }
        const again = Result.isSuccess(encoded) ? decoded(encoded.success, now) : commands
        const { entries: repeated } = yield* Effect.provide(apply(...again), second)
        const difference = firstDifference(repeated.map(essence), entries.map(essence))
        if (difference !== null) {
          const written = Result.isSuccess(encoded) ? encoded.success : encoded.failure
          return `${JSON.stringify(call)} was written as ${JSON.stringify(written)}: ${difference} ${JSON.stringify(entry.refused)}`
        }
      }
      return null
    }),
  )
  return { difference, told }
})

/**
 * Sends random calls to one store. When all have arrived, sends what the log says that they were to an empty one. Returns
 * the first difference between the people and objects of the two, or null.
 */
export const compareResent = Effect.fnUntraced(function* (
  seed: number,
  apis: readonly [Api, ...ReadonlyArray<Api>],
) {
  const random = numbers(seed)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const first: Store = yield* Layer.build(Layer.fresh(memoryStore))
      const second: Store = yield* Layer.build(Layer.fresh(memoryStore))
      for (const store of [first, second]) yield* Effect.provide(apply(...beginning), store)
      let now = noon
      const entries: Array<ActivityEntry> = []
      for (let sent = 0; sent < callsMax; sent++) {
        now += random(3) * hour + 137
        const commands = decoded(wireCall(random, apis), now)
        // Of an object that was deleted since, the log keeps nothing, and so not whom its calls created.
        if (commands.some(({ _tag }) => _tag === "DeleteObject")) continue
        const decided = yield* Effect.provide(apply(...commands), first)
        entries.push(...decided.entries)
      }
      for (const entry of entries) {
        const encoded = yield* Effect.provide(callOf(entry), first)
        if (Result.isFailure(encoded)) continue
        yield* Effect.provide(apply(...decoded(encoded.success, entry.receivedAt)), second)
      }
      return firstDifference(
        yield* Effect.provide(shownIn(workspace), second),
        yield* Effect.provide(shownIn(workspace), first),
      )
    }),
  )
})

/**
 * Sends random calls, undoes some merges, erases people, and now and then writes all entries after some position as calls, with and without knowing who has the same
 * identifiers since. Returns the first difference, or null, and of how many entries somebody was known to have them.
 */
export const compareStayed = Effect.fnUntraced(function* (
  seed: number,
  apis: readonly [Api, ...ReadonlyArray<Api>],
) {
  const random = numbers(seed)
  const store: Store = yield* Layer.build(Layer.fresh(memoryStore))
  const changes = new IdentifierChanges()
  const entries: Array<ActivityEntry> = []
  const nextCall = seed % 2 === 0 ? erasingCall : wireCall
  let now = noon
  let known = 0
  let merged: RecordedMerge | null = null
  yield* Effect.provide(apply(...beginning), store)
  for (let sent = 0; sent < callsMax; sent++) {
    now += random(3) * hour + 137
    const undone: RecordedMerge | null = random(8) === 0 ? merged : null
    const commands: ReadonlyArray<Command> =
      undone === null
        ? decoded(nextCall(random, apis), now)
        : [unmerge(undone, { receivedAt: now, divide: true })]
    const decided = yield* Effect.provide(apply(...commands), store)
    entries.push(...decided.entries)
    merged = undone === null ? (decided.entries.map(mergeIn).find((one) => one !== null) ?? merged) : null
    if (random(20) > 0) continue
    const catalog = yield* Effect.provide(Catalog, store)
    const begin = random((entries.at(-1)?.sequence ?? 0) + 1)
    const haveStayed = yield* changes.follow(catalog, workspace.id, begin)
    const counting: HaveStayed = (key, position) => {
      const stayed = haveStayed(key, position)
      if (stayed) known++
      return stayed
    }
    for (const entry of entries.filter(({ sequence }) => sequence > begin)) {
      const whole = yield* Effect.provide(callOf(entry), store)
      const quick = yield* Effect.provide(callOf(entry, counting), store)
      const difference = firstDifference([quick], [whole])
      if (difference !== null) return { difference: `${entry.sequence} after ${begin}: ${difference}`, known }
    }
  }
  return { difference: null, known }
}, Effect.scoped)
