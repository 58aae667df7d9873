import {
  effectsOnOthers,
  isGoneOnceErased,
  isPermanent,
  keepsDeduplicationKey,
  retentionStart,
  type ActivityEntry,
} from "@inlethq/core/log/ActivityEntry"
import { withoutPersonalData } from "@inlethq/core/catalog/ActivityView"
import { addErasedRows, noErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { overwrittenOfOthers } from "@inlethq/core/log/Overwritten"
import { releaseSubject } from "@inlethq/core/decision/updateWorkingSet"
import { withoutErasedAddress, withoutErasedParts, withoutPartsOf } from "@inlethq/core/decision/erasure"
import { heldSince, lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { erasureMsMin } from "@inlethq/core/ports/Registry"
import type { Swept } from "@inlethq/core/ports/Store"
import { isExpiredVisitor, withoutDeletedLinks, type Erased } from "@inlethq/core/state/Subject"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { countErased } from "./countErased.ts"
import { nameOf } from "./erasureLedger.ts"
import { eraseExcerpts } from "./eraseExcerpts.ts"
import { cursorOf } from "./cursors.ts"
import type { Island, WebhookRecords } from "./MemoryImage.ts"
import type { MemoryState } from "./MemoryState.ts"
import {
  daysOfHistory,
  daysOfRejected,
  historyDaysDefault,
  rejectedDaysDefault,
} from "@inlethq/core/workspace/Workspace"
import { pruneCalls } from "./rejectedCalls.ts"
import { recordOf } from "./queries.ts"

/** The largest number of log entries that one step of housekeeping may erase or prune. */
const stepEntriesMax = 1000

/**
 * Returns a function that runs one step of housekeeping. Each step begins with the workspace after the one where the
 * previous step stopped.
 */
export const eraser = (state: MemoryState["Service"]): ((now: EpochMillis) => Swept) => {
  const { islands, webhooks, workspaces } = state
  let turn = 0
  const counted = new WeakSet<Erased>()
  return (now) => {
    eraseWorkspaces(state, now)
    const all = [...islands.values()]
    let entries = 0
    for (let visited = 0; visited < all.length; visited++) {
      const island = all[turn++ % all.length]
      if (island === undefined) continue
      const { workspace } = island.everything
      const settings = workspaces.get(workspace)
      const {
        historyDays = historyDaysDefault,
        rejectedDays = rejectedDaysDefault,
        retentionDays = null,
      } = settings ?? {}
      for (const sequence of pruneCalls(island.log, daysOfRejected({ rejectedDays, retentionDays }), now)) {
        eraseExcerpts(webhooks.values(), workspace, sequence)
      }
      const unreadAt = unreadByLake(state, island)
      const kept = retentionStart(retentionDays, now)
      const until = {
        now,
        kept: kept === null ? null : heldSince(kept, unreadAt),
        history: heldSince(now - daysOfHistory({ historyDays, retentionDays }) * dayMs, unreadAt),
      }
      countNew(state, island, counted)
      const swept = eraseStep(island, [...webhooks.values()], until, stepEntriesMax - entries)
      entries += swept.entries
      if (!swept.done) return { entries, done: false }
    }
    return { entries, done: true }
  }
}

/** Counts what is to be erased of those who were deleted since the last step. */
const countNew = (
  { erased, webhooks }: MemoryState["Service"],
  island: Island,
  counted: WeakSet<Erased>,
): void => {
  const { subjects, workspace } = island.everything
  const deleted = [...subjects.values()].flatMap((subject) =>
    subject._tag === "Erased" && !counted.has(subject) ? [subject] : [],
  )
  if (deleted.length === 0) return
  for (const [one, rows] of countErased(island, [...webhooks.values()], deleted)) {
    counted.add(one)
    if (one.record === undefined) continue
    const name = nameOf(workspace, one.record)
    erased.set(name, addErasedRows(erased.get(name) ?? noErasedRows, rows))
  }
}

/** Returns the receipt time of the first entry that the lake has not read. Null if there is none, or no lake. */
const unreadByLake = (
  { cursors, workspaces }: MemoryState["Service"],
  { everything: { workspace }, log }: Island,
): EpochMillis | null => {
  if ((workspaces.get(workspace)?.lake ?? null) === null) return null
  const readTo = cursorOf(cursors, lakeCursor(workspace)).position ?? 0
  for (const { receivedAt, sequence } of log.values()) if (sequence > readTo) return receivedAt
  return null
}

/** Erases the data of deleted workspaces, and forgets the time of the deletion once it has passed long enough. */
const eraseWorkspaces = (
  { deleted, islands, keys, uploads }: MemoryState["Service"],
  now: EpochMillis,
): void => {
  for (const [workspace, deletedAt] of deleted) {
    if (deletedAt === null) continue
    islands.delete(workspace)
    for (const [name, part] of uploads) if (part.workspace === workspace) uploads.delete(name)
    for (const [keyId, key] of keys) if (key.workspace === workspace) keys.delete(keyId)
    if (now >= deletedAt + erasureMsMin) deleted.set(workspace, null)
  }
}

/**
 * The current time, and the earliest receipt time of entries that a workspace keeps or that wait for its lake. `kept` is
 * null if the workspace keeps events for ever.
 */
interface Until {
  readonly now: EpochMillis
  readonly kept: number | null
  /** The earliest receipt time of entries that are not events. */
  readonly history: number
}

/** Erases deleted data and prunes expired data of a workspace. */
const eraseStep = (
  island: Island,
  webhooks: Iterable<WebhookRecords>,
  until: Until,
  entriesMax: number,
): Swept => {
  const { everything, log } = island
  let entries = 0
  for (const entry of log.values()) {
    if (entries >= entriesMax) return { entries, done: false }
    if (entry.receivedAt < until.history && entry.sequence > island.prunedTo) island.prunedTo = entry.sequence
    if (!sweepEntry(island, entry, until)) continue
    eraseExcerpts(webhooks, entry.workspace, entry.sequence)
    entries++
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Delivery") {
      everything.subjects.set(subject.key, withoutErasedAddress(everything, subject))
    }
  }
  for (const [key, states] of everything.leafStates) {
    const left = new Map([...states].filter(([leaf]) => everything.subjects.get(leaf)?._tag !== "Erased"))
    if (left.size < states.size) everything.leafStates.set(key, left)
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Erased") everything.subjects.delete(subject.key)
    if (subject._tag === "Visitor" && isExpiredVisitor(subject, until.now)) {
      releaseSubject(everything, subject)
      everything.subjects.delete(subject.key)
      everything.leafStates.delete(subject.key)
    }
  }
  everything.erasedAddresses.clear()
  for (const subject of everything.subjects.values()) {
    const cleaned = withoutDeletedLinks(subject, (key) => !everything.subjects.has(key))
    if (cleaned !== undefined) everything.subjects.set(subject.key, cleaned)
  }
  return { entries, done: true }
}

const sweepEntry = (island: Island, entry: ActivityEntry, { kept, now }: Until): boolean => {
  const { isErased, subject } = recordOf(island, entry)
  const forgotten = subject !== null && isExpiredVisitor(subject, now)
  const isPruned =
    !isPermanent(entry.kind, entry.outcome) && entry.call === null && entry.sequence <= island.prunedTo
  const old = isPruned || (kept !== null && entry.receivedAt < kept)
  if (forgotten || old || (isErased && isGoneOnceErased(entry))) {
    release(island, entry)
    return island.log.delete(entry.sequence)
  }
  if (!isErased || isRedacted(entry)) return sweepParts(island, entry, now)
  if (!keepsDeduplicationKey(entry)) release(island, entry)
  const {
    person: _1,
    knownAs: _2,
    triggerEligible: _3,
    messageOverrides: _4,
    ...bare
  } = withoutPersonalData(withoutErasedParts(island.everything, entry))
  island.log.set(entry.sequence, bare)
  return true
}

/** Removes the effects on, and the refused values of, deleted people and expired visitors from a log entry. */
const sweepParts = ({ everything, log }: Island, entry: ActivityEntry, now: EpochMillis): boolean => {
  const left = withoutPartsOf(withoutErasedParts(everything, entry), (key) => {
    const subject = everything.subjects.get(key)
    return subject !== undefined && isExpiredVisitor(subject, now)
  })
  if (left === entry) return false
  log.set(entry.sequence, left)
  return true
}

const isRedacted = (entry: ActivityEntry): boolean =>
  entry.data === null &&
  entry.changes.length === 0 &&
  effectsOnOthers(entry).length === entry.effects.length &&
  entry.refused.length === 0 &&
  entry.keptAs.length === 0 &&
  entry.provenance === undefined &&
  entry.plan === undefined &&
  overwrittenOfOthers(entry).length === entry.overwritten.length &&
  (entry.id === null || keepsDeduplicationKey(entry)) &&
  entry.reasons.length === 0 &&
  entry.anonymousId === null

/** Frees the deduplication key of a log entry, unless a later entry has claimed it. */
const release = ({ everything }: Island, entry: ActivityEntry): void => {
  if (!entry.claimsId || entry.id === null) return
  if (everything.claimed.get(entry.id)?.sequence === entry.sequence) everything.claimed.delete(entry.id)
}
