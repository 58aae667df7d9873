import { isHidden, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { isErased, withoutPartsOf } from "@inlethq/core/decision/erasure"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sender, SenderId } from "@inlethq/core/log/Sender"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { currentPersonOf, loadedWith } from "@inlethq/core/fold/WorkingSet"
import type { SubjectSize } from "./ReadQueries.ts"
import { integer, integerOrNull, text, textOrNull, type Row } from "../columns/columns.ts"
import { entryFromRow, sequenceIn } from "../rows/entryRows.ts"
import { subjectKey } from "../columns/ids.ts"
import { partFromRow, type StoredPart } from "../rows/partRows.ts"
import type { ReadBudget } from "../budgets/ReadBudget.ts"

/*
 * Builds log entries, as readers see them, from rows of the table `activity` and from the people, objects and other
 * subjects that these rows are about. A store first reads the rows, then the sizes of the subjects' documents, then as
 * many subjects as fit into the slice.
 */

/** A log entry as readers see it, with the total length of the JSON that is stored for the entry and for its parts. */
export interface SizedRecord {
  readonly record: ActivityRecord
  readonly bytes: number
  /** Whether parts of the entry are missing in the record, because the people they are about were deleted. */
  readonly hasErasedParts: boolean
}

/**
 * Decodes rows of `activity` into log entries without their parts. A test compares the entries with the schema in
 * `packages/core`, because checking each takes twice as long as decoding it.
 */
export const entriesIn = (rows: ReadonlyArray<Row>): ReadonlyArray<ActivityEntry> => rows.map(entryFromRow)

/** Returns the positions of the entries that have parts. */
export const positionsWithParts = (rows: ReadonlyArray<Row>): ReadonlySet<Sequence> =>
  new Set(rows.flatMap((row) => (row["parts"] === null ? [] : [sequenceIn(row)])))

/** Returns the total length of the JSON that is stored for a log entry and for its parts. */
export const entryBytes = (row: Row | undefined): number =>
  row === undefined
    ? 0
    : text(row["detail"]).length +
      (textOrNull(row["described"] ?? null)?.length ?? 0) +
      (integerOrNull(row["parts"] ?? null) ?? 0)

/**
 * The largest number of subjects to read for one log entry: its own subject (for example a delivery), the recipient of
 * the delivery, and the person into which the recipient was merged.
 */
export const subjectLevels = 3

/** Returns the keys of the people, objects and other subjects that log entries are about. */
export const subjectsIn = (rows: ReadonlyArray<Row>): ReadonlySet<SubjectKey> =>
  new Set(rows.flatMap((row) => keyIn(row)))

/**
 * Returns the keys of owners and recipients that are not in `known`. Identified visitors and merged people have owners,
 * and deliveries have recipients.
 */
export const ownersIn = (
  sizes: Iterable<SubjectSize>,
  known: ReadonlyMap<SubjectKey, SubjectSize>,
): ReadonlySet<SubjectKey> =>
  new Set([...sizes].flatMap(({ owner }) => (owner === null || known.has(owner) ? [] : [owner])))

/**
 * Returns how many of the rows, beginning with the first row, fit into the slice. A row needs the documents of its
 * subject and of the subjects to which that subject refers. The first row always fits.
 */
export const fitRows = (
  rows: ReadonlyArray<Row>,
  sizes: ReadonlyMap<SubjectKey, SubjectSize>,
  budget: ReadBudget,
): number => {
  const counted = new Set<SubjectKey>()
  for (const [index, row] of rows.entries()) {
    let [key] = keyIn(row)
    for (let level = 0; level < subjectLevels && key !== undefined && !counted.has(key); level++) {
      const size = sizes.get(key)
      if (size === undefined) break
      if (index > 0 && size.bytes > budget.bytes) return index
      counted.add(key)
      budget.bytes -= size.bytes
      key = size.owner ?? undefined
    }
  }
  return rows.length
}

const keyIn = ({ subject }: Row): ReadonlyArray<SubjectKey> =>
  typeof subject === "number" ? [subjectKey(integer(subject))] : []

/**
 * Returns the keys of the people that readers see together with the given subjects of log entries: the owners of
 * identified visitors and merged people, and the recipients of deliveries.
 */
export const namedBy = (subjects: Iterable<Subject>): ReadonlyArray<SubjectKey> =>
  [...subjects].flatMap((subject) => loadedWith(subject))

/**
 * Returns the person, object or other subject that a log entry is about, or null if the entry has no subject or the
 * subject no longer exists.
 */
export const subjectOfEntry = (
  subjects: ReadonlyMap<SubjectKey, Subject>,
  { subject }: ActivityEntry,
): Subject | null => (subject === null ? null : (subjects.get(subject) ?? null))

/** Log entries with their parts, apart from the parts about deleted people. */
export interface EntriesWithParts {
  readonly entries: ReadonlyArray<ActivityEntry>
  /** The positions of the entries with parts about deleted people. */
  readonly cut: ReadonlySet<Sequence>
}

/** The parts of log entries by the position of their entry, and the people and visitors whom they are about. */
export interface PartsOfEntries {
  readonly parts: ReadonlyMap<Sequence, ReadonlyArray<StoredPart>>
  readonly subjects: ReadonlySet<SubjectKey>
}

/** Decodes rows of `entry_parts`, which must be in the order of the entries and of their parts. */
export const partsIn = (rows: Iterable<Row>): PartsOfEntries => {
  const parts = new Map<Sequence, Array<StoredPart>>()
  const subjects = new Set<SubjectKey>()
  for (const row of rows) {
    const sequence = sequenceIn(row)
    const part = partFromRow(row)
    const before = parts.get(sequence)
    if (before === undefined) parts.set(sequence, [part])
    else before.push(part)
    subjects.add(subjectKey(integer(row["subject"])))
  }
  return { parts, subjects }
}

/** Adds parts to the log entries to which they belong, apart from the parts about erased people. */
export const addParts = (
  entries: ReadonlyArray<ActivityEntry>,
  { parts }: PartsOfEntries,
  erased: ReadonlySet<SubjectKey>,
): EntriesWithParts => {
  const cut = new Set<Sequence>()
  const complete = entries.map((entry) => {
    const all = parts.get(entry.sequence)
    if (all === undefined) return entry
    const whole = {
      ...entry,
      parts: all.flatMap((one) => (one._tag === "Effect" ? [one.part] : [])),
      refused: [...all.flatMap((one) => (one._tag === "Refusal" ? [one.refused] : [])), ...entry.refused],
      overwritten: [
        ...entry.overwritten,
        ...all.flatMap((one) => (one._tag === "Before" ? [one.overwritten] : [])),
      ],
    }
    const left = withoutPartsOf(whole, (key) => erased.has(key))
    if (left !== whole) cut.add(entry.sequence)
    return left
  })
  return { entries: complete, cut }
}

/** Decodes log entries with all their parts, those about deleted people as well. `parts` are rows of `entry_parts`, as `partsIn` decodes. */
export const wholeEntries = (rows: ReadonlyArray<Row>, parts: Iterable<Row>): ReadonlyArray<ActivityEntry> =>
  addParts(entriesIn(rows), partsIn(parts), nobody).entries

const nobody: ReadonlySet<SubjectKey> = new Set()

/**
 * Returns the positions of the given entries that readers do not see in full: entries that are erased, have erased
 * parts, or are missing among the records that a store has read.
 */
export const erasedIn = (
  sequences: ReadonlyArray<Sequence>,
  records: ReadonlyArray<SizedRecord>,
): ReadonlyArray<Sequence> => {
  const whole = new Set(
    records
      .filter(({ hasErasedParts, record }) => !record.isErased && !hasErasedParts)
      .map(({ record }) => record.entry.sequence),
  )
  return sequences.filter((sequence) => !whole.has(sequence))
}

/**
 * Returns log entries as readers see them, without hidden entries. `rows` and `addresses` are in the order of the
 * entries. An element of `addresses` is the digest of the recipient's address if the entry is a report on a delivery,
 * or else null.
 */
export const recordsOf = (
  rows: ReadonlyArray<Row>,
  { cut, entries }: EntriesWithParts,
  addresses: ReadonlyArray<string | null>,
  seen: Parameters<typeof isErased>[0],
  senders: ReadonlyMap<SenderId, Sender>,
): ReadonlyArray<SizedRecord> =>
  entries
    .map((entry, place): SizedRecord => {
      const subject = subjectOfEntry(seen.subjects, entry)
      const record = {
        entry,
        subject,
        owner: subject === null ? null : currentPersonOf(seen.subjects, subject),
        sender: entry.sender === null ? null : (senders.get(entry.sender) ?? null),
        isErased: isErased(seen, { ...entry, address: addresses[place] ?? null }),
      }
      return { record, bytes: entryBytes(rows[place]), hasErasedParts: cut.has(entry.sequence) }
    })
    .filter(({ record }) => !isHidden(record))
