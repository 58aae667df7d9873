import { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import { isHidden, type ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import { addressOfEntry, isErased } from "@inlet/core/decision/erasure"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { toPlainSubject, type Subject } from "@inlet/core/state/Subject"
import { currentPersonOf, loadedWith } from "@inlet/core/WorkingSet"
import { Schema } from "effect"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { integer, integerOrNull, text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"
import { entryFromRow } from "@inlet/storage/entryRows"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import { partReader } from "./entryParts.ts"
import { readSizes, type SubjectSize } from "./subjectSizes.ts"
import { readSubjects } from "./subjects.ts"
import type { Slice } from "./Slice.ts"

const decodeEntry = Schema.decodeUnknownSync(ActivityEntry)

/** A record, and the length of the documents of its entry and its parts. */
interface SizedRecord {
  readonly record: ActivityRecord
  readonly bytes: number
}

/** The columns of a row of `activity AS found` that `entryFromRow` decodes. */
export const activityColumns = `${sqlNumber("found.id")} AS sequence, ${sqlWorkspace("found.id")} AS workspace, found.*`

/**
 * Reads the entries at some positions of a workspace in that order, with their subjects. Leaves out hidden
 * entries. Stops when the slice is over or after the entry that exceeds `bytesMax`. `looked` is the number of positions that were
 * processed, at least one.
 */
export type RecordReader = (
  positions: ReadonlyArray<number>,
  workspace: WorkspaceId,
  slice: Slice,
  bytesMax: number,
) => { readonly looked: number; readonly read: ReadonlyArray<SizedRecord> }

export const readRecords = (database: Database, digest: Digest["Service"]): RecordReader => {
  const rowsAt = database.prepare(
    `SELECT ${activityColumns} FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.id = wanted.value`,
  )
  const sizesOf = readSizes(database)
  const recordsOf = recordReader(database, digest)

  return (positions, workspace, slice, bytesMax) => {
    const rows: Array<Row> = []
    let room = bytesMax
    let looked = positions.length
    const ids = positions.map((position) => rowId(workspace, sequenceOf(position)))
    for (const row of rowsAt.iterate(JSON.stringify(ids))) {
      const bytes = bytesOf(row)
      rows.push(row)
      slice.decode(bytes)
      room -= bytes
      if (slice.isOver || room < 0) {
        looked = positions.indexOf(integer(row["sequence"])) + 1
        break
      }
    }
    const fits = fitRows(rows, (keys) => sizesOf(workspace, keys), slice)
    const left = rows[fits]
    if (left !== undefined) looked = positions.indexOf(integer(left["sequence"]))
    return { looked, read: recordsOf(workspace, rows.slice(0, fits)) }
  }
}

/** Returns the length of the documents of an entry and its parts. */
const bytesOf = (row: Row | undefined): number =>
  row === undefined ? 0 : text(row["detail"]).length + (integerOrNull(row["parts"] ?? null) ?? 0)

/** Returns how many rows a slice may read together with the documents of their subjects, at least one. */
const fitRows = (
  rows: ReadonlyArray<Row>,
  sizesOf: (keys: ReadonlySet<SubjectKey>) => ReadonlyMap<SubjectKey, SubjectSize>,
  slice: Slice,
): number => {
  const known = new Map<SubjectKey, SubjectSize>()
  let keys = new Set(rows.flatMap((row) => keyIn(row)))
  // Each level follows one reference: from a delivery to its recipient, and from the recipient to the person that the
  // recipient was merged into.
  for (let level = 0; level < 3 && keys.size > 0; level++) {
    const found = sizesOf(keys)
    for (const [key, size] of found) known.set(key, size)
    keys = new Set(
      [...found.values()].flatMap(({ owner }) => (owner === null || known.has(owner) ? [] : [owner])),
    )
  }
  const counted = new Set<SubjectKey>()
  for (const [index, row] of rows.entries()) {
    let [key] = keyIn(row)
    for (let level = 0; level < 3 && key !== undefined && !counted.has(key); level++) {
      const size = known.get(key)
      if (size === undefined) break
      if (index > 0 && size.bytes > slice.bytes) return index
      counted.add(key)
      slice.bytes -= size.bytes
      key = size.owner ?? undefined
    }
  }
  return rows.length
}

const keyIn = ({ subject }: Row): ReadonlyArray<SubjectKey> =>
  typeof subject === "number" ? [subjectKey(subject)] : []

/** Decodes rows and adds their subjects with a few more statements. Leaves out hidden entries. */
const recordReader = (
  database: Database,
  digest: Digest["Service"],
): ((workspace: WorkspaceId, rows: ReadonlyArray<Row>) => ReadonlyArray<SizedRecord>) => {
  const subjectsOf = readSubjects(database)
  const erasedAddresses = readErasedAddresses(database)
  const withParts = partReader(database)

  return (workspace, rows) => {
    const byKey = (keys: Iterable<SubjectKey>) =>
      new Map(subjectsOf(workspace, new Set(keys)).map((subject) => [subject.key, toPlainSubject(subject)]))
    const digestOf = digestsOf(digest, workspace)
    const entries = withParts(
      workspace,
      rows.map((row) => decodeEntry(entryFromRow(row))),
      new Set(rows.flatMap((row) => (row["parts"] === null ? [] : [sequenceOf(integer(row["sequence"]))]))),
    )
    const about = byKey(entries.flatMap(({ subject }) => (subject === null ? [] : [subject])))
    const named = byKey(namedBy(about.values()))
    const subjects = new Map([...byKey(namedBy(named.values())), ...named, ...about])
    const addressOf = erasedAddresses.any(workspace)
      ? (entry: ActivityEntry) => addressOfEntry(digestOf, entry, subjectIn(subjects, entry))
      : () => null
    const addresses = entries.map(addressOf)
    const seen = {
      subjects,
      erasedAddresses: erasedAddresses.among(workspace, new Set(addresses.flatMap((one) => one ?? []))),
    }
    return entries
      .map((entry, place): SizedRecord => {
        const subject = subjectIn(subjects, entry)
        const record = {
          entry,
          subject,
          owner: subject === null ? null : currentPersonOf(subjects, subject),
          isErased: isErased(seen, { ...entry, address: addresses[place] ?? null }),
        }
        return { record, bytes: bytesOf(rows[place]) }
      })
      .filter(({ record }) => !isHidden(record))
  }
}

const namedBy = (subjects: Iterable<Subject>): ReadonlyArray<SubjectKey> => [...subjects].flatMap(loadedWith)

const subjectIn = (subjects: ReadonlyMap<SubjectKey, Subject>, { subject }: ActivityEntry): Subject | null =>
  subject === null ? null : (subjects.get(subject) ?? null)
