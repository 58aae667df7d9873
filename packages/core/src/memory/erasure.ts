import {
  activityKeptMs,
  isEventKind,
  isKept,
  isOfGonePerson,
  withoutPersonalData,
  type ActivityEntry,
} from "../Activity.ts"
import { letGo } from "../Draft.ts"
import { deduplicationText, type SubjectKey } from "../Identifier.ts"
import type { Swept } from "../Store.ts"
import { isForgotten, withoutGone } from "../Subject.ts"
import type { EpochMillis } from "../Timestamp.ts"
import type { MemoryState } from "./MemoryState.ts"
import { recordOf } from "./queries.ts"

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
  for (const people of state.sentTo.values()) {
    for (const key of people) if (isGone(state, key)) people.delete(key)
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag === "Erased") everything.subjects.delete(subject.key)
    if (subject._tag === "Visitor" && isForgotten(subject, now)) {
      letGo(everything, subject)
      everything.subjects.delete(subject.key)
    }
  }
  for (const subject of everything.subjects.values()) {
    const cleaned = withoutGone(subject, (key) => !everything.subjects.has(key))
    if (cleaned !== undefined) everything.subjects.set(subject.key, cleaned)
  }
  return { entries, done: true }
}

const sweepEntry = (state: MemoryState["Service"], entry: ActivityEntry, now: EpochMillis): boolean => {
  const subject = entry.subject === null ? undefined : state.everything.subjects.get(entry.subject)
  const erased =
    (subject?._tag === "Erased" && entry.sequence < subject.before) || namesGonePerson(state, entry)
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

/** A delivery's entries name everybody for whom it was ever registered. */
const namesGonePerson = (state: MemoryState["Service"], entry: ActivityEntry): boolean => {
  const people = entry.subject === null ? undefined : state.sentTo.get(entry.subject)
  return isOfGonePerson(recordOf(state, entry)) || [...(people ?? [])].some((key) => isGone(state, key))
}

const isGone = ({ everything }: MemoryState["Service"], key: SubjectKey): boolean => {
  const subject = everything.subjects.get(key)
  return subject === undefined || subject._tag === "Erased"
}

const isRedacted = (entry: ActivityEntry) =>
  entry.data === null && entry.changes.length === 0 && entry.id === null

const release = ({ everything }: MemoryState["Service"], entry: ActivityEntry): void => {
  if (entry.claimsId && entry.id !== null)
    everything.claimed.delete(deduplicationText(entry.workspace, entry.id))
}
