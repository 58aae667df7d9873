import { assert } from "@effect/vitest"
import { isHidden, toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Attributes } from "@inlethq/core/state/Attributes"
import { decideAll, type DecidedBatch } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Devices } from "@inlethq/core/state/Device"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { addressesAmong, addressOfEntry, isErased, withoutErasedParts } from "@inlethq/core/decision/erasure"
import type { Json } from "@inlethq/core/values/Json"
import type { Needs } from "@inlethq/core/fold/Needs"
import type { Person } from "@inlethq/core/state/Person"
import type { Relationships } from "@inlethq/core/state/Relationships"
import { isLinked, linksOf, type Subject } from "@inlethq/core/state/Subject"
import { formerLookups } from "@inlethq/core/person/former"
import { freedLookups, mergesFreeing, withMerges } from "@inlethq/core/person/freed"
import { evolve } from "../src/Transition.ts"
import { makeWorkingSet, loadedWith, type Claim, type WorkingSet } from "@inlethq/core/fold/WorkingSet"

/** Compares two values as JSON, and shows both in full if they differ. */
export const assertSame = (actual: unknown, expected: unknown, what = ""): void => {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  assert.isTrue(got === wanted, `${what}\n     got ${got}\nexpected ${wanted}`)
}

/** A digest for tests only. It hides the text but is not secure (FNV-1a). */
const digest = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash.toString(16)
}

/** The workspace of all commands, unless a test names another workspace. */
const ordinary = WorkspaceId.make(1)

export const blank = (workspace = ordinary): WorkingSet =>
  makeWorkingSet(workspace, SubjectKey.make(1), Sequence.make(1), digest)

/** Returns what must be loaded to decide commands. */
export const needsIn = (commands: ReadonlyArray<Command>): Needs => needsOf(ordinary, commands)

/**
 * Runs commands with the whole state loaded instead of only the data that they need, and returns the resulting state.
 */
export const runWhole = (commands: ReadonlyArray<Command>): WorkingSet => decideAll(blank(), commands).state

/**
 * Loads a working set like a store does. The working set contains the data that `needs` lists, and the people, objects
 * and other data that must be loaded together with these.
 */
export const restrict = (everything: WorkingSet, needs: Needs): WorkingSet => {
  const identifiers = new Map<string, SubjectKey>()
  const subjects = new Map<SubjectKey, Subject>()
  const suppressed = new Map<string, SubjectKey>()
  const see = (key: SubjectKey) => {
    const subject = everything.subjects.get(key)
    if (subject === undefined) return
    subjects.set(key, subject)
    for (const next of loadedWith(subject, needs.merges)) if (!subjects.has(next)) see(next)
  }
  const freed = freedLookups(needs, digest)
  for (const text of [...needs.identifiers, ...freed]) {
    const group = everything.suppressed.get(text)
    if (group !== undefined) suppressed.set(text, group)
    const key = everything.identifiers.get(text)
    if (key === undefined) continue
    identifiers.set(text, key)
    see(key)
  }
  for (const key of needs.subjects) see(key)
  const claimed = new Map<string, Claim>()
  for (const text of needs.deduplication) {
    const claim = everything.claimed.get(text)
    if (claim === undefined) continue
    claimed.set(text, claim)
    if (claim.subject !== null) see(claim.subject)
  }
  const entries = new Map(everything.written.entries.map((entry) => [entry.sequence, entry]))
  const merges = new Map<Sequence, ActivityEntry>()
  for (const position of mergesFreeing(freed, { identifiers, subjects })) {
    const entry = entries.get(position)
    if (entry !== undefined) merges.set(position, entry)
  }
  const all = withMerges(needs, merges.values())
  const further = everything.mayHaveFormer ? formerLookups(needs, { identifiers, subjects }, digest) : []
  for (const text of [...(merges.size > 0 ? all.identifiers : []), ...further]) {
    const key = everything.identifiers.get(text)
    if (key === undefined) continue
    identifiers.set(text, key)
    see(key)
  }
  for (const key of all.subjects) see(key)
  const objects = [...subjects.values()].filter(({ _tag }) => _tag === "DataObject")
  for (const { key } of needs.concerns.deletesObjects ? objects : []) {
    for (const subject of everything.subjects.values()) if (isLinked(subject, key)) see(subject.key)
  }
  const addresses = addressesAmong(digest, claimed.values(), subjects.values())
  const erasedAddresses = new Map(
    [...everything.erasedAddresses].filter(([address]) => addresses.has(address)),
  )
  const suppressedGroups = new Set(
    [...everything.suppressedGroups].filter((group) => needs.subjects.has(group)),
  )
  return makeWorkingSet(needs.workspace, everything.nextKey, everything.nextSequence, digest, {
    identifiers,
    subjects,
    records: everything.records,
    latestReceipt: everything.latestReceipt,
    claimed,
    erasedAddresses,
    merges,
    mayHaveFormer: needs.looksBack && everything.mayHaveFormer,
    suppressed,
    suppressedGroups,
  })
}

/** Saves only those parts of the working set that the batch changed (`state.written`), as an SQL store does. */
export const saveWritten = (everything: WorkingSet, { entries, state }: DecidedBatch): void => {
  everything.nextKey = state.nextKey
  everything.nextSequence = state.nextSequence
  for (const text of state.written.identifiers) {
    const key = state.identifiers.get(text)
    if (key === undefined) everything.identifiers.delete(text)
    else everything.identifiers.set(text, key)
  }
  for (const key of state.written.subjects) {
    const subject = state.subjects.get(key)
    if (subject !== undefined) everything.subjects.set(key, subject)
  }
  everything.latestReceipt = state.latestReceipt
  everything.records = state.records
  if (state.mayHaveFormer) everything.mayHaveFormer = true
  saveLinks(everything, state)
  saveSuppressions(everything, state)
  for (const entry of entries) {
    everything.written.entries.push(entry)
    if (!entry.claimsId || entry.id === null) continue
    const claim = state.claimed.get(entry.id)
    if (claim !== undefined) everything.claimed.set(entry.id, claim)
  }
  for (const [address, before] of state.erasedAddresses) everything.erasedAddresses.set(address, before)
}

/**
 * Updates the index of links for each link that the batch may have changed: adds links that exist now and deletes all
 * other links.
 */
const saveLinks = (everything: WorkingSet, state: WorkingSet): void => {
  for (const [from, targets] of state.written.links) {
    const kept = everything.written.links.get(from) ?? new Set()
    for (const target of targets) {
      if (isLinked(state.subjects.get(from), target)) kept.add(target)
      else kept.delete(target)
    }
    everything.written.links.set(from, kept)
  }
}

const saveSuppressions = (everything: WorkingSet, state: WorkingSet): void => {
  for (const [text, group] of everything.suppressed)
    if (state.written.lifted.has(group)) everything.suppressed.delete(text)
  for (const text of state.written.suppressed) {
    const group = state.suppressed.get(text)
    if (group === undefined) everything.suppressed.delete(text)
    else everything.suppressed.set(text, group)
  }
  everything.suppressedGroups.clear()
  for (const group of everything.suppressed.values()) everything.suppressedGroups.add(group)
}

/** Saves a batch by replaying its changes. */
export const saveChanges = (everything: WorkingSet, { changes }: DecidedBatch): void => {
  for (const change of changes) evolve(everything, change)
}

/** Runs batches that each load only what they need. */
export const runBatches = (
  batches: ReadonlyArray<ReadonlyArray<Command>>,
  save: (everything: WorkingSet, decided: DecidedBatch) => void,
): WorkingSet => {
  const everything = blank()
  for (const batch of batches) save(everything, decideAll(restrict(everything, needsIn(batch)), batch))
  return everything
}

const byText = (a: unknown, b: unknown) => {
  const [one, other] = [String(a), String(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

/** Replaces each map by a sorted list of its entries. */
export const plainly = (value: unknown): unknown => {
  if (value instanceof Map)
    return [...value].toSorted(([a], [b]) => byText(a, b)).map(([key, one]) => [key, plainly(one)])
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainly(one)]))
}

/**
 * Returns the subjects (people, objects and others), the identifiers, the used deduplication keys and the suppressions
 * of a working set as plain data, so that tests can compare them.
 */
export const contents = (state: WorkingSet) => ({
  identifiers: [...state.identifiers].toSorted(([a], [b]) => byText(a, b)),
  subjects: plainly(state.subjects),
  latestReceipt: state.latestReceipt,
  records: state.records,
  claimed: [...state.claimed].toSorted(([a], [b]) => byText(a, b)),
  erasedAddresses: [...state.erasedAddresses].toSorted(([a], [b]) => byText(a, b)),
  suppressed: [...state.suppressed].toSorted(([a], [b]) => byText(a, b)),
  suppressedGroups: [...state.suppressedGroups].toSorted((a, b) => a - b),
})

/** Returns all of a working set except `written` as plain data, so that tests can compare it. */
export const snapshot = (state: WorkingSet) => ({
  ...contents(state),
  nextKey: state.nextKey,
  nextSequence: state.nextSequence,
  entries: state.written.entries,
})

/**
 * Returns the whole working set, including `written`, as one text. Any write into the working set changes this text.
 */
export const fingerprint = (state: WorkingSet): string =>
  JSON.stringify([
    snapshot(state),
    [...state.written.identifiers].toSorted(),
    [...state.written.subjects].toSorted((a, b) => a - b),
    [...state.written.links].map(([from, targets]) => [from, [...targets].toSorted((a, b) => a - b)]),
    [...state.written.suppressed].toSorted(),
    [...state.written.lifted].toSorted((a, b) => a - b),
  ])

/**
 * Returns all links in the state, such as the link from a person to an object. Each link is the text `from to` with the
 * keys of its two subjects.
 */
export const linksNow = (state: WorkingSet): ReadonlyArray<string> =>
  [...state.subjects.values()]
    .flatMap((subject) => linksOf(subject).map((target) => `${subject.key} ${target}`))
    .toSorted()

/** Returns a log entry with its subject and the subject's owner. */
export const recordOf = (state: WorkingSet, entry: ActivityEntry): ActivityRecord => {
  const subject = entry.subject === null ? null : (state.subjects.get(entry.subject) ?? null)
  const owner = subject?._tag === "Attached" ? state.subjects.get(subject.owner) : undefined
  const address = addressOfEntry(state.digest, entry, subject)
  return {
    entry: withoutErasedParts(state, entry),
    subject,
    owner: owner?._tag === "Person" ? owner : null,
    sender: null,
    isErased: isErased(state, { sequence: entry.sequence, subject: entry.subject, address }),
  }
}

export type VisibleAttributes = ReadonlyArray<readonly [name: string, value: Json, at: number]>

export interface VisibleHolder {
  readonly attributes: VisibleAttributes
  readonly devices: ReadonlyArray<
    readonly [token: string, platform: string, lastUsed: number | null, attributes: VisibleAttributes]
  >
  /** Relationships to objects, without deleted objects. */
  readonly relationships: ReadonlyArray<readonly [object: number, attributes: VisibleAttributes]>
}

export interface VisiblePerson extends VisibleHolder {
  readonly key: number
  readonly id: string | null
  readonly email: string | null
  readonly anonymousIds: ReadonlyArray<string>
  /** Keys of the person's segments, without deleted segments. */
  readonly segments: ReadonlyArray<number>
  readonly createdAt: number
  readonly updatedAt: number
}

export interface VisibleEvent {
  readonly step: number
  readonly name: string | null
  readonly owner: number | null
  readonly processedAt: number | null
  readonly triggers: boolean
}

export const visibleAttributes = (attributes: Attributes): VisibleAttributes =>
  [...attributes]
    .map(([name, { at, value }]) => [name, value, at] as const)
    .toSorted(([a], [b]) => byText(a, b))

/** Returns the attributes, devices and relationships of a person or a visitor, without deleted objects. */
export const visibleHolder = (
  state: WorkingSet,
  held: { readonly attributes: Attributes; readonly devices: Devices; readonly relationships: Relationships },
): VisibleHolder => ({
  attributes: visibleAttributes(held.attributes),
  devices: [...held.devices]
    .map(
      ([token, { attributes, lastUsed, platform }]) =>
        [token, platform, lastUsed, visibleAttributes(attributes)] as const,
    )
    .toSorted(([a], [b]) => byText(a, b)),
  relationships: [...held.relationships]
    .filter(([object]) => state.subjects.get(object)?._tag === "DataObject")
    .map(([object, attributes]) => [object, visibleAttributes(attributes)] as const)
    .toSorted(([a], [b]) => a - b),
})

const visiblePerson = (state: WorkingSet, person: Person): VisiblePerson => ({
  key: person.key,
  id: person.id,
  email: person.email,
  anonymousIds: person.anonymousIds.toSorted(),
  ...visibleHolder(state, person),
  segments: person.segments
    .filter((segment) => state.subjects.get(segment)?._tag === "Segment")
    .toSorted((a, b) => a - b),
  createdAt: person.createdAt,
  updatedAt: person.updatedAt,
})

/** Returns the people that operators see. */
export const visiblePeople = (state: WorkingSet): ReadonlyArray<VisiblePerson> =>
  [...state.subjects.values()]
    .flatMap((subject) => (subject._tag === "Person" ? [visiblePerson(state, subject)] : []))
    .toSorted((a, b) => a.key - b.key)

const kept = new Set(["applied", "partial", "pending"])

/** Returns the events that operators see, each with the index of its command. */
export const visibleEvents = (state: WorkingSet): ReadonlyArray<VisibleEvent> =>
  state.written.entries.flatMap((entry) => {
    const record = recordOf(state, entry)
    const isEvent = entry.kind === "event" || entry.kind === "anonymous_event"
    if (!isEvent || !kept.has(entry.outcome) || isHidden(record)) return []
    const view = toActivityView(record)
    return [
      {
        step: entry.sequence - 1,
        name: view.name,
        owner: view.person?.key ?? null,
        processedAt: view.processedAt,
        triggers: view.triggerEligible,
      },
    ]
  })
