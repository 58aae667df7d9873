import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import { addressOfEntry } from "@inlet/core/decision/erasure"
import { addCalls, rejectedPositions } from "@inlet/storage/rejectedCallRows"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { toPlainSubject } from "@inlet/core/state/Subject"
import {
  entriesIn,
  entryBytes,
  fitRows,
  namedBy,
  ownersIn,
  positionsWithParts,
  recordsOf,
  subjectLevels,
  subjectOfEntry,
  subjectsIn,
  type SizedRecord,
  type SubjectSize,
} from "@inlet/storage/activityRecords"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId, sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"
import { sequenceOf } from "@inlet/storage/ids"
import { partReader } from "./entryParts.ts"
import { readSizes } from "./subjectSizes.ts"
import { readSubjects } from "./subjects.ts"
import type { Slice } from "@inlet/storage/Slice"

/** The columns of a row of `activity AS found` that `entryFromRow` decodes. */
export const activityColumns = `${sqlNumber("found.id")} AS sequence, ${sqlWorkspace("found.id")} AS workspace, found.*`

/**
 * Reads the log entries at the given positions, in the order of the positions. Also reads the people, objects and other
 * subjects that the entries are about. Leaves out hidden entries. Stops when the slice (a bounded part of a read) has
 * reached its limit, or after the entry with which the total length of the entries exceeds `bytesMax`. `looked` is the
 * number of positions that were processed. The number is at least one.
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
  const decode = recordReader(database, digest)
  const sizesAbout = (rows: ReadonlyArray<Row>, workspace: WorkspaceId) => {
    const known = new Map<SubjectKey, SubjectSize>()
    let keys = subjectsIn(rows)
    for (let level = 0; level < subjectLevels && keys.size > 0; level++) {
      const found = sizesOf(workspace, keys)
      for (const [key, size] of found) known.set(key, size)
      keys = ownersIn(found.values(), known)
    }
    return known
  }

  return (positions, workspace, slice, bytesMax) => {
    const rows: Array<Row> = []
    let room = bytesMax
    let looked = positions.length
    const ids = positions.map((position) => rowId(workspace, sequenceOf(position)))
    for (const row of rowsAt.iterate(JSON.stringify(ids))) {
      const bytes = entryBytes(row)
      rows.push(row)
      slice.decode(bytes)
      room -= bytes
      if (slice.isOver || room < 0) {
        looked = positions.indexOf(integer(row["sequence"])) + 1
        break
      }
    }
    const fits = fitRows(rows, sizesAbout(rows, workspace), slice)
    const left = rows[fits]
    if (left !== undefined) looked = positions.indexOf(integer(left["sequence"]))
    return { looked, read: decode(workspace, rows.slice(0, fits)) }
  }
}

/**
 * Decodes rows of the log. Reads the people, objects and other subjects of these rows with a few more statements.
 * Leaves out hidden entries.
 */
const recordReader = (
  database: Database,
  digest: Digest["Service"],
): ((workspace: WorkspaceId, rows: ReadonlyArray<Row>) => ReadonlyArray<SizedRecord>) => {
  const subjectsOf = readSubjects(database)
  const erasedAddresses = readErasedAddresses(database)
  const withParts = partReader(database)
  const rejected = database.prepare(
    "SELECT found.sequence AS sequence, found.doc AS doc FROM json_each(?) AS wanted CROSS JOIN rejected_calls AS found ON found.workspace = ? AND found.sequence = wanted.value AND found.characters > 0",
  )
  const callsOf = (workspace: WorkspaceId, positions: ReadonlyArray<Sequence>): ReadonlyArray<Row> =>
    positions.length === 0 ? [] : rejected.all(JSON.stringify(positions), workspace)

  return (workspace, rows) => {
    const byKey = (keys: Iterable<SubjectKey>) =>
      new Map(subjectsOf(workspace, new Set(keys)).map((subject) => [subject.key, toPlainSubject(subject)]))
    const digestOf = digestsOf(digest, workspace)
    const entered = addCalls(entriesIn(rows), callsOf(workspace, rejectedPositions(rows)))
    const found = withParts(workspace, entered, positionsWithParts(rows))
    const { entries } = found
    const about = byKey(entries.flatMap(({ subject }) => (subject === null ? [] : [subject])))
    const named = byKey(namedBy(about.values()))
    const subjects = new Map([...byKey(namedBy(named.values())), ...named, ...about])
    const addressOf = erasedAddresses.any(workspace)
      ? (entry: ActivityEntry) => addressOfEntry(digestOf, entry, subjectOfEntry(subjects, entry))
      : () => null
    const addresses = entries.map(addressOf)
    const seen = {
      subjects,
      erasedAddresses: erasedAddresses.among(workspace, new Set(addresses.flatMap((one) => one ?? []))),
    }
    return recordsOf(rows, found, addresses, seen)
  }
}
