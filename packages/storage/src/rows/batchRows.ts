import type { DecidedBatch } from "@inlethq/core/Batch"
import { withoutCall } from "@inlethq/core/log/ActivityEntry"
import { erasedDigests } from "@inlethq/core/decision/namedDigests"
import { erasedCalls } from "@inlethq/core/log/RejectedCall"
import { dayNumber, resizedSegments } from "@inlethq/core/segment/sizesByDay"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import { nameText, searchedNames } from "@inlethq/core/state/searchedNames"
import { isLinked, type Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { WorkingSet, Written } from "@inlethq/core/fold/WorkingSet"
import type { BatchContexts, ContextRow } from "./contextRows.ts"
import { entryCodes } from "../columns/entryCodes.ts"
import { entryRow, type EntryRow } from "./entryRows.ts"
import { erasureRow, type ErasureRow } from "./erasureRows.ts"
import { leafRows, type LeafRows } from "./leafRows.ts"
import { hasPartRows, partRows, type PartRow } from "./partRows.ts"
import { rejectedCallRow, type RejectedCallRow } from "./rejectedCallRows.ts"
import { toStored } from "../columns/storedText.ts"
import { subjectRow, type SubjectRow } from "./subjectRows.ts"

/**
 * The rows, by table, that a decided batch of one workspace changes. Each row appears once, in its final state. A store
 * must save the tables in the order of these fields.
 */
export interface BatchRows {
  readonly identifiers: IdentifierRows
  readonly subjects: SubjectRows
  readonly links: ReadonlyArray<LinkRow>
  readonly suppressions: SuppressionRows
  readonly addresses: AddressRows
  readonly leaves: LeafRows
  /** New records of the erasure ledger. */
  readonly erasures: ReadonlyArray<ErasureRow>
  readonly entryParts: ReadonlyArray<PartRow>
  /** New descriptions of clients. */
  readonly contexts: ReadonlyArray<ContextRow>
  /**
   * Can be read once, and encodes each row when it is read. If a store writes one after the other, none outlives a collection of
   * the young generation. Otherwise V8 would soon allocate these objects as old ones, for single events too.
   */
  readonly entries: Iterable<EntryRow>
  /** What is kept of the rejected calls of the batch. */
  readonly rejectedCalls: ReadonlyArray<RejectedCallRow>
  /** The identifiers of deleted people. Rejected calls at positions less than the given one must not keep them. */
  readonly erasedIdentifiers: ReadonlyMap<string, Sequence>
  /** Digests of deleted people. The errors of imports must not keep what they say about them. */
  readonly erasedDigests: ReadonlySet<string>
  /**
   * Deduplication keys that `entries` use although erased entries may still have them. Only one entry can have a key,
   * so free the key right before inserting the entry that uses it. Freeing all keys first is not enough, because a
   * batch can use the same key twice.
   */
  readonly releasedClaims: ReadonlySet<string>
  readonly head: HeadRow
}

export interface IdentifierRows {
  readonly bound: ReadonlyArray<{ readonly text: string; readonly subject: SubjectKey }>
  readonly freed: ReadonlyArray<string>
}

export interface SubjectRows {
  /** The people, objects and other subjects that the batch created. */
  readonly inserted: ReadonlyArray<SubjectRow>
  /**
   * Changed people, objects, deliveries and forms. Their state codes seldom change, so a store updates these rows
   * without touching the index on the state code. If the state code of a row has changed, the store replaces the row
   * instead.
   */
  readonly updated: ReadonlyArray<SubjectRow>
  readonly replaced: ReadonlyArray<SubjectRow>
}

/** A link, such as the link from a person to an object. `isLinked` is true if the link exists after the batch. */
export interface LinkRow {
  readonly target: SubjectKey
  readonly subject: SubjectKey
  readonly isLinked: boolean
}

/**
 * A change to a row of the table `sizes`: adds `by` to the number of people and visitors that are linked to a segment
 * or an object.
 */
export interface SizeRow {
  readonly subject: SubjectKey
  readonly by: number
  /**
   * Whether to insert the row if it is missing. False if the batch did not load the subject, because the subject may
   * then be neither a segment nor an object. Only segments and objects have a row in `sizes`.
   */
  readonly mayInsert: boolean
}

/**
 * A row of the table `segment_sizes` to save: the size that a segment has after the batch, which is the number of links to
 * `members`. There is no row if the key is not that of a segment.
 */
export interface SegmentSizeRow {
  readonly segment: SubjectKey
  readonly members: SubjectKey
  readonly day: number
}

export interface SuppressionRows {
  /** The keys of suppression groups to delete with all their identifiers. */
  readonly liftedGroups: ReadonlyArray<SubjectKey>
  /** Digests to delete, because their identifiers are no longer suppressed. */
  readonly freed: ReadonlyArray<string>
  readonly inserted: ReadonlyArray<{ readonly digest: string; readonly group: SubjectKey }>
}

export interface AddressRows {
  /** Deliveries that contain an email address. `address` is the digest of the address. */
  readonly held: ReadonlyArray<{ readonly address: string; readonly delivery: SubjectKey }>
  /** Digests of the addresses of people that the batch deleted. */
  readonly erased: ReadonlyArray<{
    readonly address: string
    readonly subject: SubjectKey
    readonly before: Sequence
  }>
}

/**
 * The state that a workspace continues from: its next free subject key (for a person, object or other subject), its
 * next log position, its latest receipt time (null before the first entry), the number of its records (see
 * `isRecord`), and the version of its rules.
 */
export interface HeadRow {
  readonly nextKey: SubjectKey
  readonly nextSequence: Sequence
  readonly latestReceipt: EpochMillis | null
  readonly records: number
  readonly rulesVersion: number
}

/** The largest number of rows that are encoded without a pause. Encoding them takes a few milliseconds. */
const rowsPerSlice = 500

/**
 * Returns the rows that a batch changes. Encodes them in slices. `firstNewKey` is the first key that the batch could
 * give to a new person, object or other subject. `contexts` has the numbers of the descriptions in the batch.
 */
export function* batchRows(
  { state }: DecidedBatch,
  firstNewKey: SubjectKey,
  contexts: BatchContexts,
): Slices<BatchRows> {
  const slice = new SliceCounter(rowsPerSlice)
  const written = withoutErasedCalls(state.written)
  const { entries, entryParts } = yield* logRows(written, state, contexts, slice)
  return {
    identifiers: identifierRows(state),
    subjects: yield* subjectRows(state, firstNewKey, slice),
    links: yield* linkRows(state, slice),
    suppressions: suppressionRows(state),
    addresses: addressRows(state),
    leaves: yield* leafRows(state, slice),
    erasures: state.written.erasures.map((written) => erasureRow(state, written)),
    entryParts,
    contexts: contexts.added,
    entries,
    rejectedCalls: rejectedCallRows(written),
    erasedIdentifiers: state.written.erasedIdentifiers,
    erasedDigests: erasedDigests(state),
    releasedClaims: new Set(Array.from(state.written.reassigned, toStored)),
    head: {
      nextKey: state.nextKey,
      nextSequence: state.nextSequence,
      latestReceipt: state.latestReceipt,
      records: state.records,
      rulesVersion: state.rulesVersion,
    },
  }
}

type WrittenEntries = Pick<Written, "entries">

/** Returns the entries of a batch without what later commands of the batch erased of rejected calls. */
const withoutErasedCalls = ({
  entries,
  erasedIdentifiers,
}: Pick<Written, "entries" | "erasedIdentifiers">): WrittenEntries => {
  if (erasedIdentifiers.size === 0) return { entries }
  const kept = entries.flatMap(({ call, sequence }) => (call === null ? [] : [{ sequence, call }]))
  const erased = new Set(erasedCalls(kept, erasedIdentifiers))
  if (erased.size === 0) return { entries }
  return { entries: entries.map((entry) => (erased.has(entry.sequence) ? withoutCall(entry) : entry)) }
}

const rejectedCallRows = ({ entries }: WrittenEntries): ReadonlyArray<RejectedCallRow> => {
  const rows: Array<RejectedCallRow> = []
  for (const { call, receivedAt, sequence } of entries)
    if (call !== null) rows.push(rejectedCallRow(sequence, receivedAt, call))
  return rows
}

const identifierRows = ({ identifiers, subjects, written }: WorkingSet): IdentifierRows => {
  const bound: Array<IdentifierRows["bound"][number]> = []
  const freed: Array<string> = []
  for (const text of written.identifiers) {
    const subject = identifiers.get(text)
    if (subject === undefined) freed.push(toStored(text))
    else bound.push({ text: toStored(text), subject })
  }
  for (const [key, before] of written.names) {
    const subject = subjects.get(key)
    const now = subject?._tag === "Person" ? searchedNames(subject.attributes) : []
    for (const name of before) if (!now.includes(name)) freed.push(toStored(nameText(name, key)))
    for (const name of now)
      if (!before.includes(name)) bound.push({ text: toStored(nameText(name, key)), subject: key })
  }
  return { bound, freed }
}

function* subjectRows(
  { subjects, written }: WorkingSet,
  firstNewKey: SubjectKey,
  slice: SliceCounter,
): Slices<SubjectRows> {
  const inserted: Array<SubjectRow> = []
  const updated: Array<SubjectRow> = []
  const replaced: Array<SubjectRow> = []
  for (const key of written.subjects) {
    if (slice.isFull()) yield
    const subject = subjects.get(key)
    if (subject === undefined) continue
    const rows = key >= firstNewKey ? inserted : mostlyKeepsState(subject) ? updated : replaced
    rows.push(subjectRow(subject))
  }
  return { inserted, updated, replaced }
}

const mostlyKeepsState = ({ _tag }: Subject): boolean =>
  _tag === "Person" || _tag === "DataObject" || _tag === "Delivery" || _tag === "Form"

function* linkRows({ subjects, written }: WorkingSet, slice: SliceCounter): Slices<ReadonlyArray<LinkRow>> {
  const rows: Array<LinkRow> = []
  for (const [key, targets] of written.links) {
    if (slice.isFull(targets.size)) yield
    const subject = subjects.get(key)
    for (const target of targets) rows.push({ target, subject: key, isLinked: isLinked(subject, target) })
  }
  return rows
}

/**
 * Returns the changes to the table `sizes`. The argument contains the link rows that were actually inserted or deleted.
 */
export const sizeRows = (
  changed: Iterable<LinkRow>,
  { rules, subjects }: Pick<WorkingSet, "rules" | "subjects">,
): ReadonlyArray<SizeRow> => {
  const growth = new Map<SubjectKey, number>()
  for (const { isLinked, target } of changed)
    growth.set(target, (growth.get(target) ?? 0) + (isLinked ? 1 : -1))
  const rows: Array<SizeRow> = []
  for (const [subject, by] of growth) {
    if (by === 0) continue
    const seen = subjects.get(subject)
    // The batch did not load the target of the link, so the target may be neither a segment nor an object. Only
    // segments and objects have a row in `sizes`. An existing row is updated, but a missing row is not inserted. People
    // enter segments with rules although their batch does not load the segment.
    if (seen === undefined) rows.push({ subject, by, mayInsert: rules.memberships.has(subject) })
    else if (seen._tag === "Segment" || seen._tag === "SegmentMembers" || seen._tag === "DataObject")
      rows.push({ subject, by, mayInsert: true })
  }
  return rows
}

/**
 * Returns the rows of `segment_sizes` of a batch, at most one for each segment, given its changes to the table `sizes`. All
 * are of the day of the batch's last receipt.
 */
export const segmentSizeRows = (
  resized: ReadonlyArray<SizeRow>,
  state: WorkingSet,
): ReadonlyArray<SegmentSizeRow> => {
  const targets = resized.map(({ subject }) => subject)
  const segments = resizedSegments(targets, state)
  if (segments.size === 0) return []
  const day = dayNumber(state.latestReceipt ?? 0)
  return Array.from(segments, ([segment, members]) => ({ segment, members, day }))
}

const suppressionRows = ({ digest, suppressed, written }: WorkingSet): SuppressionRows => {
  const freed: Array<string> = []
  const inserted: Array<SuppressionRows["inserted"][number]> = []
  for (const text of written.suppressed) {
    const digested = digest(text)
    freed.push(digested)
    const group = suppressed.get(text)
    if (group !== undefined) inserted.push({ digest: digested, group })
  }
  for (const [digested, group] of written.suppressedDigests) {
    freed.push(digested)
    inserted.push({ digest: digested, group })
  }
  return { liftedGroups: [...written.lifted], freed, inserted }
}

const addressRows = ({ subjects, written }: WorkingSet): AddressRows => {
  const held: Array<AddressRows["held"][number]> = []
  const erased: Array<AddressRows["erased"][number]> = []
  for (const [delivery, addresses] of written.addresses) {
    for (const address of addresses) held.push({ address, delivery })
  }
  for (const key of written.subjects) {
    const subject = subjects.get(key)
    if (subject?._tag !== "Erased") continue
    for (const address of subject.addresses) erased.push({ address, subject: key, before: subject.before })
  }
  return { held, erased }
}

function* logRows(
  { entries: written }: WrittenEntries,
  { subjects }: Pick<WorkingSet, "subjects">,
  contexts: BatchContexts,
  slice: SliceCounter,
): Slices<Pick<BatchRows, "entries" | "entryParts">> {
  const entryParts: Array<PartRow> = []
  const partBytes = new Map<Sequence, number>()
  for (const entry of written) {
    if (hasPartRows(entry)) {
      let bytes = 0
      for (const row of partRows(entry)) {
        entryParts.push(row)
        bytes += row.doc.length
      }
      partBytes.set(entry.sequence, bytes)
    }
    if (slice.isFull(1 + entry.parts.length)) yield
  }
  return { entries: encoded(written, partBytes, subjects, contexts), entryParts }
}

function* encoded(
  entries: WrittenEntries["entries"],
  partBytes: ReadonlyMap<Sequence, number>,
  subjects: WorkingSet["subjects"],
  contexts: BatchContexts,
): Generator<EntryRow> {
  for (const entry of entries) {
    const codes = entryCodes(entry, subjects)
    yield entryRow(entry, partBytes.get(entry.sequence) ?? null, codes, contexts.of(entry.sequence))
  }
}

/** Encodes the entries of a batch in slices, for a store that writes many rows with one statement. */
export function* encodedEntries({ entries }: BatchRows): Slices<ReadonlyArray<EntryRow>> {
  const slice = new SliceCounter(rowsPerSlice)
  const rows: Array<EntryRow> = []
  for (const row of entries) {
    rows.push(row)
    if (slice.isFull()) yield
  }
  return rows
}
