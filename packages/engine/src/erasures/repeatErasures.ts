import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command, CommandOf } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import { mergeOf } from "./merges.ts"
import { byPlace, subjectDigest, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { systemEnvelope } from "../rules/nextBuildStep.ts"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { erasureReadMax, ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Option } from "effect"

/** The largest number of records that are repeated in one commit. */
const recordsPerCommitMax = 100

/** The largest number of records whose keys are looked for at once. Each search computes the digests of all keys. */
const recordsPerSearchMax = 10_000

/** The number of digests that are computed before other work gets its turn. Computing them takes some milliseconds. */
const digestsPerSlice = 5000

/** Commits commands of one workspace. */
export type Submit<E, R> = (
  workspace: Workspace,
  commands: readonly [Command, ...ReadonlyArray<Command>],
) => Effect.Effect<unknown, E, R>

/**
 * Erases again what a newer ledger says and the store's own ledger does not: the store was restored from before these
 * erasures. `newer` is the ledger that was read last, in any order. Records of workspaces that the store does not have
 * are skipped. A record that was repeated is in the ledger, so an interrupted call can be repeated. Returns the number of
 * records that took effect.
 */
export const repeatErasures = Effect.fnUntraced(function* <E, R>(
  newer: Iterable<ErasureRecord>,
  submit: Submit<E, R>,
): Effect.fn.Return<number, E | StoreUnavailable, R | Catalog | ErasureLedger | Registry | Store | Digest> {
  const registry = yield* Registry
  let repeated = 0
  for (const [id, records] of Map.groupBy(newer, ({ workspace }) => workspace)) {
    const workspace = yield* registry.workspace(id)
    if (Option.isNone(workspace)) continue
    repeated += yield* repeatRecords(workspace.value, yield* missingFrom(id, records), submit)
  }
  return repeated
})

/**
 * Erases again whom these records of a workspace name, even if the store's ledger has them already. The records are in the
 * order in which they were made. Can be repeated. Returns the number of records that took effect.
 */
export const repeatRecords = Effect.fnUntraced(function* <E, R>(
  workspace: Workspace,
  records: ReadonlyArray<ErasureRecord>,
  submit: Submit<E, R>,
): Effect.fn.Return<number, E | StoreUnavailable, R | Catalog | Store | Digest> {
  let repeated = 0
  for (let start = 0; start < records.length; start += recordsPerSearchMax) {
    const some = records.slice(start, start + recordsPerSearchMax)
    const keys = yield* keysOf(workspace.id, some)
    for (let at = 0; at < some.length; at += recordsPerCommitMax) {
      const now = yield* Clock.currentTimeMillis
      const envelope = systemEnvelope(workspace, now)
      const repeats = some
        .slice(at, at + recordsPerCommitMax)
        .flatMap((record): ReadonlyArray<CommandOf<"RepeatErasure">> => {
          const [subject, ...attached] = record.subjects.flatMap((digest) => keys.get(digest) ?? [])
          return subject === undefined
            ? []
            : [{ ...envelope, _tag: "RepeatErasure", record, subjects: [subject, ...attached] }]
        })
      for (const end of yield* endsOfMerges(workspace, repeats, envelope)) {
        yield* submit(workspace, [end])
      }
      const [first, ...others] = repeats
      if (first === undefined) continue
      yield* submit(workspace, [first, ...others])
      repeated += repeats.length
    }
  }
  return repeated
})

/**
 * Returns the ends of the merges that were undone before somebody was erased. In the restored data they are still merged, and
 * the other person has some of their values. The newest merges come first.
 */
const endsOfMerges = Effect.fnUntraced(function* (
  workspace: Workspace,
  repeats: ReadonlyArray<CommandOf<"RepeatErasure">>,
  envelope: Envelope,
) {
  const store = yield* Store
  const catalog = yield* Catalog
  const ends: Array<CommandOf<"UnmergePeople">> = []
  const { subjects: found } = yield* store.view(needsOf(workspace.id, repeats))
  for (const { record, subjects } of repeats) {
    if (record.action === "unsuppress") continue
    for (const key of subjects) {
      const attached = found.get(key)
      if (attached?._tag !== "Attached" || !attached.merged || subjects.includes(attached.owner)) continue
      const owner = found.get(attached.owner)
      // The merge was undone in time then, however long ago that is now.
      const merge = owner?._tag === "Person" ? yield* mergeOf(catalog, owner, key, 0) : null
      if (merge === null) continue
      const { primary, receipt, secondary } = merge
      ends.push({ ...envelope, _tag: "UnmergePeople", primary, secondary, receipt, divide: false })
    }
  }
  return ends.toSorted((one, other) => other.receipt.position - one.receipt.position)
})

/** Returns the records that the store's ledger does not have, in the order in which they were made. */
const missingFrom = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  records: ReadonlyArray<ErasureRecord>,
) {
  const ledger = yield* ErasureLedger
  const missing = new Map(records.map((record) => [`${record.at}:${record.position}`, record]))
  const request = { limit: erasureReadMax, order: "asc" } as const
  let page = yield* ledger.read(workspace, { ...request, after: null })
  for (;;) {
    for (const { at, position } of page.items) missing.delete(`${at}:${position}`)
    if (page.next === null || missing.size === 0) break
    page = yield* ledger.read(workspace, { ...request, after: page.next })
  }
  return [...missing.values()].toSorted(byPlace)
})

/** Returns the keys whose digests the records have, by digest. */
const keysOf = Effect.fnUntraced(function* (workspace: WorkspaceId, records: ReadonlyArray<ErasureRecord>) {
  const digest = digestsOf(yield* Digest, workspace)
  const wanted = new Set(records.flatMap(({ subjects }) => subjects))
  const end = records.reduce((most, { nextKey }) => Math.max(most, nextKey), 0)
  const found = new Map<string, SubjectKey>()
  for (let number = 1; number < end && found.size < wanted.size; number++) {
    const key = SubjectKey.make(number)
    const digested = subjectDigest(digest, key)
    if (wanted.has(digested)) found.set(digested, key)
    if (number % digestsPerSlice === 0) yield* Effect.yieldNow
  }
  return found
})
