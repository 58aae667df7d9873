import { activityKeptMs, isEventKind, isKept, withoutPersonalData, type ActivityEntry } from "../Activity.ts"
import { deduplicationText, identifierText } from "../Identifier.ts"
import type { Swept } from "../Store.ts"
import { isForgotten } from "../Subject.ts"
import type { EpochMillis } from "../Timestamp.ts"

import type { MemoryState } from "./MemoryState.ts"

/** Entries that one step may look after. */
const stepEntriesMax = 1000

/** One step of erasing what was deleted and pruning what is past its window. */
export const eraseStep = (state: MemoryState["Service"], now: EpochMillis): Swept => {
  const { everything, log } = state
  let entries = 0
  for (const entry of log.values()) {
    if (entries >= stepEntriesMax) return { entries, done: false }
    if (sweepEntry(state, entry, now)) entries++
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Erased") everything.subjects.delete(subject.key)
    if (subject._tag === "Visitor" && isForgotten(subject, now)) {
      everything.subjects.delete(subject.key)
      everything.identifiers.delete(
        identifierText(subject.workspace, subject.knownAs.kind, subject.knownAs.value),
      )
    }
  }
  return { entries, done: true }
}

const sweepEntry = (state: MemoryState["Service"], entry: ActivityEntry, now: EpochMillis): boolean => {
  const subject = entry.subject === null ? undefined : state.everything.subjects.get(entry.subject)
  const erased = subject?._tag === "Erased" && entry.sequence < subject.before
  const forgotten = subject !== undefined && isForgotten(subject, now)
  const old = !isKept(entry.kind, entry.outcome) && entry.receivedAt < now - activityKeptMs
  if (forgotten || old || (erased && isEventKind(entry.kind))) {
    release(state, entry)
    return state.log.delete(entry.sequence)
  }
  if (!erased || isRedacted(entry)) return false
  release(state, entry)
  const {
    person: _1,
    knownAs: _2,
    triggerEligible: _3,
    messageOverrides: _4,
    ...bare
  } = withoutPersonalData(entry)
  state.log.set(entry.sequence, { ...bare, claimsId: false })
  return true
}

const isRedacted = (entry: ActivityEntry) =>
  entry.data === null && entry.changes.length === 0 && entry.id === null

const release = ({ everything }: MemoryState["Service"], entry: ActivityEntry): void => {
  if (entry.claimsId && entry.id !== null)
    everything.claimed.delete(deduplicationText(entry.workspace, entry.id))
}
