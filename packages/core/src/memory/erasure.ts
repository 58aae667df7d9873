import {
  activityRetentionMs,
  isEventKind,
  isPermanent,
  keepsDeduplicationKey,
  type ActivityEntry,
} from "../log/ActivityEntry.ts"
import { withoutPersonalData } from "../catalog/ActivityView.ts"
import { releaseSubject } from "../decision/updateWorkingSet.ts"
import { withoutErasedAddress, withoutErasedParts } from "../decision/erasure.ts"
import { deduplicationText } from "../values/Identifier.ts"
import type { Swept } from "../ports/Store.ts"
import { isExpiredVisitor, withoutDeletedLinks } from "../state/Subject.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { MemoryState } from "./MemoryState.ts"
import { recordOf } from "./queries.ts"

/** The most entries that one step may erase or prune. */
const stepEntriesMax = 1000

/** Runs one step of housekeeping: erases deleted data and prunes expired data. */
export const eraseStep = (state: MemoryState["Service"], now: EpochMillis): Swept => {
  const { everything, log } = state
  let entries = 0
  for (const entry of log.values()) {
    if (entries >= stepEntriesMax) return { entries, done: false }
    if (sweepEntry(state, entry, now)) entries++
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Delivery") {
      everything.subjects.set(subject.key, withoutErasedAddress(everything, subject))
    }
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Erased") everything.subjects.delete(subject.key)
    if (subject._tag === "Visitor" && isExpiredVisitor(subject, now)) {
      releaseSubject(everything, subject)
      everything.subjects.delete(subject.key)
    }
  }
  everything.erasedAddresses.clear()
  for (const subject of everything.subjects.values()) {
    const cleaned = withoutDeletedLinks(subject, (key) => !everything.subjects.has(key))
    if (cleaned !== undefined) everything.subjects.set(subject.key, cleaned)
  }
  return { entries, done: true }
}

const sweepEntry = (state: MemoryState["Service"], entry: ActivityEntry, now: EpochMillis): boolean => {
  const { isErased, subject } = recordOf(state, entry)
  const forgotten = subject !== null && isExpiredVisitor(subject, now)
  const old = !isPermanent(entry.kind, entry.outcome) && entry.receivedAt < now - activityRetentionMs
  if (forgotten || old || (isErased && isEventKind(entry.kind))) {
    release(state, entry)
    return state.log.delete(entry.sequence)
  }
  if (!isErased) return sweepParts(state, entry, now)
  if (isRedacted(entry)) return false
  if (!keepsDeduplicationKey(entry)) release(state, entry)
  const {
    person: _1,
    knownAs: _2,
    triggerEligible: _3,
    messageOverrides: _4,
    ...bare
  } = withoutPersonalData(entry)
  state.log.set(entry.sequence, bare)
  return true
}

/** Removes parts of entries that are about deleted people or expired visitors. */
const sweepParts = (
  { everything, log }: MemoryState["Service"],
  entry: ActivityEntry,
  now: EpochMillis,
): boolean => {
  const left = withoutErasedParts(everything, entry)
  const parts = left.parts.filter(({ subject: key }) => {
    const subject = everything.subjects.get(key)
    return subject === undefined || !isExpiredVisitor(subject, now)
  })
  if (parts.length === entry.parts.length) return false
  log.set(entry.sequence, { ...entry, parts })
  return true
}

const isRedacted = (entry: ActivityEntry): boolean =>
  entry.data === null &&
  entry.changes.length === 0 &&
  (entry.id === null || keepsDeduplicationKey(entry)) &&
  entry.reason === null &&
  entry.anonymousId === null

/** Frees the deduplication key of an entry, unless a later entry has claimed it. */
const release = ({ everything }: MemoryState["Service"], entry: ActivityEntry): void => {
  if (!entry.claimsId || entry.id === null) return
  const text = deduplicationText(entry.workspace, entry.id)
  if (everything.claimed.get(text)?.sequence === entry.sequence) everything.claimed.delete(text)
}
