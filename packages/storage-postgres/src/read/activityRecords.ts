import { addressOfEntry } from "@inlet/core/decision/erasure"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import { toPlainSubject, type Subject } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
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
import type { Row } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import { addCalls, rejectedPositions } from "@inlet/storage/rejectedCallRows"
import type { Slice } from "@inlet/storage/Slice"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s } from "../engine/parameters.ts"
import { withParts } from "./entryParts.ts"
import { hasErasedAddresses, readErasedAddresses } from "./erasedAddresses.ts"
import { readSizes } from "./subjectSizes.ts"
import { readSubjects } from "./subjects.ts"

/**
 * The columns of `activity` that `entryFromRow` decodes. A deduplication key (claim) that is too long for the index is
 * stored in `long_claim`.
 */
const entryColumns =
  "sequence, workspace, subject, kind, name, source, outcome, at, received, processed, coalesce(long_claim, claim) AS claim, parts, detail"

/** Returns rows until their total size exceeds `$3` bytes. The result includes the row that exceeds the limit. */
const rowsSql = `
  SELECT * FROM (
    SELECT found.*, coalesce(sum(octet_length(detail) + coalesce(parts, 0)) OVER (
      ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before, place
    FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (sequence, place)
    CROSS JOIN LATERAL (
      SELECT ${entryColumns} FROM activity WHERE workspace = $1 AND sequence = wanted.sequence OFFSET 0
    ) AS found
  ) AS page
  WHERE bytes_before < $3 ORDER BY place`

const callsSql =
  "SELECT sequence, doc FROM rejected_calls WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND characters > 0"

interface ReadRecords {
  /** The number of processed positions, at least one. */
  readonly looked: number
  readonly records: ReadonlyArray<SizedRecord>
}

/**
 * Reads the log entries at the given positions, in that order, with the people, objects and other subjects that the
 * entries are about. Leaves out hidden entries. Stops when the slice (a bounded part of a read) has reached its limit,
 * or after the entry with which the total size exceeds `bytesMax`.
 */
export const readRecords = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  positions: ReadonlyArray<Sequence>,
  slice: Slice,
  bytesMax: number,
): Effect.Effect<ReadRecords, DatabaseError> =>
  Effect.gen(function* () {
    const bytesWanted = Math.max(Math.min(slice.bytes, bytesMax), 0) + 1
    const found = yield* connection.query(rowsSql, [workspace, int8s(positions), bytesWanted])
    let bytes = 0
    for (const row of found) {
      const own = entryBytes(row)
      slice.decode(own)
      bytes += own
    }
    const last = found.at(-1)
    const isCut = last !== undefined && bytes >= bytesWanted
    const fits = fitRows(found, yield* sizesAbout(connection, workspace, found), slice)
    const left = found[fits]
    const rows = found.slice(0, fits)
    const looked =
      left !== undefined
        ? positions.indexOf(sequenceIn(left))
        : isCut
          ? positions.indexOf(sequenceIn(last)) + 1
          : positions.length
    return { looked, records: yield* recordsIn(connection, digest, workspace, rows) }
  })

const sizesAbout = (
  connection: Connection,
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyMap<SubjectKey, SubjectSize>, DatabaseError> =>
  Effect.gen(function* () {
    const known = new Map<SubjectKey, SubjectSize>()
    let keys = subjectsIn(rows)
    for (let level = 0; level < subjectLevels && keys.size > 0; level++) {
      const found = yield* readSizes(connection, workspace, keys)
      for (const [key, size] of found) known.set(key, size)
      keys = ownersIn(found.values(), known)
    }
    return known
  })

const recordsIn = (
  connection: Connection,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<SizedRecord>, DatabaseError> =>
  Effect.gen(function* () {
    if (rows.length === 0) return []
    const rejected = rejectedPositions(rows)
    const calls = rejected.length === 0 ? [] : yield* connection.query(callsSql, [workspace, int8s(rejected)])
    const entered = addCalls(entriesIn(rows), calls)
    const found = yield* withParts(connection, workspace, entered, positionsWithParts(rows))
    const { entries } = found
    const subjects = yield* subjectsAbout(connection, workspace, subjectsIn(rows))
    const digestOf = digestsOf(digest, workspace)
    const addresses = (yield* hasErasedAddresses(connection, workspace))
      ? entries.map((entry) => addressOfEntry(digestOf, entry, subjectOfEntry(subjects, entry)))
      : []
    const wanted = new Set(addresses.flatMap((one) => one ?? []))
    const erasedAddresses = yield* readErasedAddresses(connection, workspace, wanted)
    return recordsOf(rows, found, addresses, { subjects, erasedAddresses })
  })

/**
 * Reads the people, objects and other subjects that log entries are about. Also reads the recipients of deliveries, and
 * the people to whom identified visitors and merged people belong.
 */
const subjectsAbout = (
  connection: Connection,
  workspace: WorkspaceId,
  keys: Iterable<SubjectKey>,
): Effect.Effect<Map<SubjectKey, Subject>, DatabaseError> =>
  Effect.gen(function* () {
    const subjects = new Map<SubjectKey, Subject>()
    let wanted: ReadonlySet<SubjectKey> = new Set(keys)
    for (let level = 0; level < subjectLevels && wanted.size > 0; level++) {
      const found = yield* readSubjects(connection, workspace, wanted)
      for (const subject of found) subjects.set(subject.key, toPlainSubject(subject))
      wanted = new Set(namedBy(found).filter((key) => !subjects.has(key)))
    }
    return subjects
  })
