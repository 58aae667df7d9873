import { Effect, Layer, Option } from "effect"
import type { DecidedBatch } from "@inlethq/core/Batch"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { leadsToPosition, WorkspaceId, type SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Needs } from "@inlethq/core/fold/Needs"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Alerts } from "@inlethq/core/ports/Alerts"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import type { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import type { Dismissals } from "@inlethq/core/ports/Dismissals"
import type { SavedViews } from "@inlethq/core/ports/SavedViews"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { erasedDigests } from "@inlethq/core/decision/namedDigests"
import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { ImportFiles, ImportJobs } from "@inlethq/core/ports/ImportJobs"
import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import type { SegmentSizes } from "@inlethq/core/ports/SegmentSizes"
import { keysPerWorkspaceMax, LastWorkspace, Registry, TooManyKeys } from "@inlethq/core/ports/Registry"
import { kafkaCursor } from "@inlethq/core/ports/LogCursors"
import { isElsewhere } from "@inlethq/core/workspace/LakeSettings"
import { isSameWorkspace } from "@inlethq/core/workspace/Workspace"
import { addressesAmong } from "@inlethq/core/decision/erasure"
import { Store, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { erasedCalls } from "@inlethq/core/log/RejectedCall"
import { SenderId, senderText, sendersBefore, storableSender, type Sender } from "@inlethq/core/log/Sender"
import { toEnd } from "@inlethq/core/Slices"
import type { Subject } from "@inlethq/core/state/Subject"
import { evolve } from "@inlethq/core/Transition"
import { uploadRetentionMs, type UploadPart } from "@inlethq/core/ports/Upload"
import {
  clearWritten,
  makeWorkingSet,
  loadedWith,
  type Claim,
  type WorkingSet,
  withHeldOf,
} from "@inlethq/core/fold/WorkingSet"
import { alerts } from "./alerts.ts"
import { auditLog } from "./auditLog.ts"
import { destinationHours } from "./destinationHours.ts"
import { dismissals } from "./dismissals.ts"
import { savedViews } from "./savedViews.ts"
import { exportFiles, importFiles, importJobs } from "./importJobs.ts"
import { eraseExcerpts } from "./eraseExcerpts.ts"
import { catalog, snapshots } from "./catalog.ts"
import { erasureLedger } from "./erasureLedger.ts"
import { eraser } from "./erasure.ts"
import { countingKeys } from "@inlethq/core/membership/ringOf"
import { needsRelated } from "@inlethq/core/rule/RuleIndex"
import { formerLookups } from "@inlethq/core/person/former"
import { freedLookups, mergesFreeing, withMerges } from "@inlethq/core/person/freed"
import { isRelatedTo } from "./records.ts"
import { callsIn, eraseCalls, limitCalls } from "./rejectedCalls.ts"
import { managementTokens } from "./managementTokens.ts"
import type { Island } from "./MemoryImage.ts"
import { cursorOf } from "./cursors.ts"
import { clearLake, moveToEnd } from "./logCursors.ts"
import { sealedNames } from "@inlethq/core/forward/sealedNames"
import { tellForwards } from "./tellForwards.ts"
import { MemoryState } from "./MemoryState.ts"
import { keepSegmentSizes, segmentSizes } from "./segmentSizes.ts"
import { hasHolders, ruleReads } from "./ruleReads.ts"
import { suppressedAmong } from "./suppressedAmong.ts"

const store = Layer.effect(
  Store,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const turns = yield* Turns
    const view = (needs: Needs) => viewIn(state.islandOf(needs.workspace), needs)
    const save = ({ changes, entries, state: { workspace } }: DecidedBatch): void => {
      const island = state.islandOf(workspace)
      const { everything, log } = island
      for (const change of changes) {
        evolve(everything, change)
        if (change._tag === "OperationRecorded") log.set(change.entry.sequence, change.entry)
      }
      keepErasures(state, island)
      const erased = erasedCalls(callsIn(log), everything.written.erasedIdentifiers)
      eraseCalls(log, erased)
      for (const sequence of erased) eraseExcerpts(state.webhooks.values(), workspace, sequence)
      if (entries.some(({ call }) => call !== null)) limitCalls(log)
      keepSegmentSizes(island)
      clearWritten(everything)
    }
    const sweep = eraser(state)
    return Store.of({
      batchLimits: { gatherMs: 0, writingMax: 1, inFlightMax: 1, spreadOver: () => 1 },
      transact: (needs, decide) =>
        turns.committing(
          Effect.suspend(() => {
            const { workspace } = needs
            if (state.deleted.has(workspace)) return Effect.fail(new WorkspaceDeleted({ workspace }))
            const decided = toEnd(decide(view(needs)))
            save(decided)
            return Effect.succeed(Effect.succeed(decided))
          }),
        ),
      view: (needs) => Effect.sync(() => view(needs)),
      probe: Effect.void,
      size: Effect.succeed(null),
      registerUpload: (part) =>
        Effect.suspend(() =>
          state.deleted.has(part.workspace)
            ? Effect.fail(new WorkspaceDeleted({ workspace: part.workspace }))
            : Effect.succeed(registerUpload(state, part)),
        ),
      ...ruleReads(state),
      sweep: (now) => Effect.sync(() => sweep(now)),
    })
  }),
)

/** Returns the keys of those who had an identifier before. Some lookup texts lead to positions instead. */
const formerKeys = (former: ReadonlyMap<string, SubjectKey>): ReadonlyArray<SubjectKey> =>
  [...former].flatMap(([text, key]) => (leadsToPosition(text) ? [] : [key]))

/** Returns the working set that a batch needs. */
const viewIn = (island: Island, needs: Needs): WorkingSet => {
  const { workspace } = needs
  const { everything } = island
  const withHeld = withHeldOf(needs, everything.rules)
  const texts = freedLookups(needs, everything.digest)
  const identifiers = pick(everything.identifiers, [...needs.identifiers, ...texts])
  const claimed = pick(everything.claimed, needs.deduplication)
  const named = [...needs.subjects, ...identifiers.values(), ...subjectsOfClaims(claimed)]
  const subjects = withLinked(everything, pick(everything.subjects, withBuild(everything, named)), withHeld)
  const merges = pick(island.log, mergesFreeing(texts, { identifiers, subjects }))
  const all = withMerges(needs, merges.values())
  if (merges.size > 0) {
    for (const [text, key] of pick(everything.identifiers, all.identifiers)) identifiers.set(text, key)
    const more = pick(everything.subjects, [...all.subjects, ...identifiers.values()])
    for (const [key, subject] of withLinked(everything, more, withHeld)) subjects.set(key, subject)
  }
  if (needs.looksBack && everything.mayHaveFormer) {
    const former = pick(
      everything.identifiers,
      formerLookups(needs, { identifiers, subjects }, everything.digest),
    )
    for (const [text, key] of former) identifiers.set(text, key)
    const more = withLinked(everything, pick(everything.subjects, formerKeys(former)), withHeld)
    for (const [key, subject] of more) subjects.set(key, subject)
  }
  if (needsRelated(needs.concerns, everything.rules)) addRelated(everything, subjects)
  const addresses = addressesAmong(everything.digest, claimed.values(), subjects.values())
  return makeWorkingSet(workspace, everything.nextKey, everything.nextSequence, everything.digest, {
    records: everything.records,
    identifiers,
    subjects,
    latestReceipt: everything.latestReceipt,
    claimed,
    erasedAddresses: pick(everything.erasedAddresses, addresses),
    merges,
    mayHaveFormer: needs.looksBack && everything.mayHaveFormer,
    suppressed: suppressedAmong(island, all.identifiers),
    suppressedGroups: new Set([...all.subjects].filter((key) => everything.suppressedGroups.has(key))),
    rules: everything.rules,
    rulesVersion: everything.rulesVersion,
    mayHaveHolders: !needs.concerns.rules || hasHolders(everything),
    leafStates: pick(everything.leafStates, countingKeys(subjects.values())),
  })
}

/** Saves the new records of the ledger, and what they and releases do to suppressions that are known by digest only. */
const keepErasures = (
  { cursors, erasures, imports, lakes, webhooks }: MemoryState["Service"],
  { everything, suppressedDigests }: Island,
): void => {
  const { workspace: own, written } = everything
  const erased = erasedDigests(everything)
  for (const kept of erased.size === 0 ? [] : imports.values()) {
    if (kept.job.workspace !== own) continue
    kept.errors = kept.errors.filter(({ names }) => !names.some((name) => erased.has(name)))
  }
  for (const group of written.lifted) {
    for (const [digest, of] of suppressedDigests) if (of === group) suppressedDigests.delete(digest)
  }
  for (const [digest, group] of written.suppressedDigests) suppressedDigests.set(digest, group)
  for (const { isRepeated, named, record, subjects } of written.erasures) {
    const { action, at, position, workspace } = record
    erasures.push(record)
    const sealed = sealedNames(everything.digest, record, named)
    if (sealed !== null) tellForwards(webhooks.values(), workspace, { sequence: position, at, sealed })
    const hasLake = (cursorOf(cursors, lakeCursor(workspace)).position ?? 0) > 0
    if (isRepeated && action !== "unsuppress" && hasLake) {
      lakes.get(workspace)?.erasures.set(position, { position, subject: subjects[0], receivedAt: at })
    }
  }
}

const registry = Layer.effect(
  Registry,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { deleted, keys, workspaces } = state
    const ofWorkspace = (id: WorkspaceId) => [...keys.values()].filter((key) => key.workspace === id)
    return Registry.of({
      workspaces: Effect.sync(() => [...workspaces.values()]),
      workspace: (id) => Effect.sync(() => Option.fromUndefinedOr(workspaces.get(id))),
      createWorkspace: (settings, first = []) =>
        Effect.sync(() => {
          const workspace = { ...settings, id: nextId(state) }
          workspaces.set(workspace.id, workspace)
          for (const key of first) keys.set(key.keyId, { ...key, workspace: workspace.id })
          return workspace
        }),
      updateWorkspace: (before, after) =>
        Effect.suspend(() => {
          const { id } = before
          const current = workspaces.get(id)
          if (current === undefined || !isSameWorkspace(current, before))
            return Effect.fail(new ChangedMeanwhile())
          workspaces.set(id, { ...after, id })
          if (isElsewhere(before.lake, after.lake)) clearLake(state, id)
          if (before.kafka === null && after.kafka !== null) moveToEnd(state, kafkaCursor(id))
          return Effect.void
        }),
      deleteWorkspace: (id, now) =>
        Effect.suspend(() => {
          if (!workspaces.has(id)) return Effect.succeed(false)
          if (workspaces.size === 1) return Effect.fail(new LastWorkspace())
          deleteWorkspace(state, id, now)
          return Effect.succeed(true)
        }),
      erasing: Effect.sync(() =>
        [...deleted].flatMap(([workspace, deletedAt]) =>
          deletedAt === null ? [] : [{ workspace, deletedAt }],
        ),
      ),
      keys: (id) => Effect.sync(() => ofWorkspace(id)),
      addKey: (key) =>
        Effect.suspend(() => {
          if (ofWorkspace(key.workspace).length >= keysPerWorkspaceMax) return Effect.fail(new TooManyKeys())
          keys.set(key.keyId, key)
          return Effect.void
        }),
      revokeKey: (id, keyId) => Effect.sync(() => keys.get(keyId)?.workspace === id && keys.delete(keyId)),
      recordUses: (uses) =>
        Effect.sync(() => {
          for (const { at, keyId } of uses) {
            const key = keys.get(keyId)
            if (key !== undefined && at > (key.lastUsedAt ?? 0)) keys.set(keyId, { ...key, lastUsedAt: at })
          }
        }),
      sender: (workspace, sender) => Effect.sync(() => addSender(state.islandOf(workspace), sender)),
      senders: (workspace) => Effect.sync(() => new Map(state.islandOf(workspace).senders)),
      find: (lookup) =>
        Effect.sync(() => {
          const key = [...keys.values()].find((candidate) =>
            lookup.kind === "track"
              ? candidate.kind === "track" && candidate.siteId === lookup.siteId
              : candidate.kind === lookup.kind && candidate.digest === lookup.digest,
          )
          const workspace = key === undefined ? undefined : workspaces.get(key.workspace)
          return key === undefined || workspace === undefined
            ? Option.none()
            : Option.some({ key, workspace })
        }),
    })
  }),
)

/** Returns the id after the largest id that a workspace ever had. */
const nextId = ({ deleted, workspaces }: MemoryState["Service"]): WorkspaceId =>
  WorkspaceId.make(Math.max(0, ...workspaces.keys(), ...deleted.keys()) + 1)

const addSender = ({ senderIds, senders }: Island, given: Sender): SenderId | null => {
  const sender = storableSender(given)
  const text = senderText(sender)
  const known = senderIds.get(text)
  if (known !== undefined) return known
  if (senders.size >= sendersBefore(sender)) return null
  const id = SenderId.make(senders.size + 1)
  senders.set(id, sender)
  senderIds.set(text, id)
  return id
}

const deleteWorkspace = (
  { deleted, webhooks, workspaces }: MemoryState["Service"],
  id: WorkspaceId,
  now: EpochMillis,
): void => {
  workspaces.delete(id)
  deleted.set(id, now)
  for (const [name, { webhook }] of webhooks) if (webhook.workspace === id) webhooks.delete(name)
}

/**
 * Stores everything in memory, without durability. Used by tests and local trials, and as the reference that other
 * stores are compared with.
 */
export const layer: Layer.Layer<
  | Store
  | Catalog
  | ThreadCatalog
  | Snapshots
  | Registry
  | ManagementTokens
  | AuditLog
  | ErasureLedger
  | Dismissals
  | SavedViews
  | Alerts
  | SegmentSizes
  | DestinationHours
  | ImportJobs
  | ImportFiles
  | ExportFiles,
  never,
  Digest
> = Layer.mergeAll(
  store,
  catalog,
  Layer.succeed(ThreadCatalog, noThreadCatalog),
  snapshots,
  registry,
  managementTokens,
  auditLog,
  erasureLedger,
  dismissals,
  savedViews,
  alerts,
  segmentSizes,
  destinationHours,
  importJobs,
  importFiles,
  exportFiles,
).pipe(Layer.provide(MemoryState.layer))

const registerUpload = ({ uploads }: MemoryState["Service"], part: UploadPart): string => {
  for (const [name, { at }] of uploads) if (at < part.at - uploadRetentionMs) uploads.delete(name)
  const name = `${part.workspace}:${part.name}`
  const registered = uploads.get(name) ?? part
  uploads.set(name, registered)
  return registered.digest
}

const pick = <K, V>(from: ReadonlyMap<K, V>, keys: Iterable<K>): Map<K, V> => {
  const found = new Map<K, V>()
  for (const key of keys) {
    const value = from.get(key)
    if (value !== undefined) found.set(key, value)
  }
  return found
}

/** Returns the keys with that of the build of rules, if there is one. */
const withBuild = ({ rules: { build } }: WorkingSet, keys: Array<SubjectKey>): ReadonlyArray<SubjectKey> =>
  build === null ? keys : [...keys, build]

const subjectsOfClaims = (claimed: ReadonlyMap<string, Claim>): ReadonlyArray<SubjectKey> =>
  [...claimed.values()].flatMap(({ subject }) => subject ?? [])

/**
 * Returns the given subjects and further subjects that a decision may need: the owners of identified visitors and
 * merged people, and the recipients of deliveries.
 */
const withLinked = (
  everything: WorkingSet,
  subjects: ReadonlyMap<SubjectKey, Subject>,
  withHeld: boolean,
): Map<SubjectKey, Subject> => {
  const all = new Map(subjects)
  const rest = [...subjects.values()]
  for (let subject = rest.pop(); subject !== undefined; subject = rest.pop()) {
    for (const key of loadedWith(subject, withHeld)) {
      const next = all.has(key) ? undefined : everything.subjects.get(key)
      if (next === undefined) continue
      all.set(next.key, next)
      rest.push(next)
    }
  }
  return all
}

/** Adds the people and visitors who are related to the given objects, with what must be loaded with them. */
const addRelated = (everything: WorkingSet, subjects: Map<SubjectKey, Subject>): void => {
  const related = new Map<SubjectKey, Subject>()
  for (const object of subjects.values()) {
    if (object._tag !== "DataObject") continue
    for (const subject of everything.subjects.values()) {
      if (isRelatedTo(object.key)(subject)) related.set(subject.key, subject)
    }
  }
  for (const [key, subject] of withLinked(everything, related, true)) subjects.set(key, subject)
}
