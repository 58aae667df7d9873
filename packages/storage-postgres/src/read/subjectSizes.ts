import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { SubjectSize } from "@inlet/storage/activityRecords"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { Slice } from "@inlet/storage/Slice"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s } from "../engine/parameters.ts"
import type { Read } from "./Read.ts"
import { readSubjects } from "./subjects.ts"

const sizesSql = `
  SELECT found.* FROM unnest($2::bigint[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT key, state, owner, octet_length(doc) FROM subjects WHERE workspace = $1 AND key = wanted.key OFFSET 0
  ) AS found`

/**
 * Reads the sizes of the documents of people, objects and other subjects in one statement, without reading the
 * documents.
 */
export const readSizes = (
  connection: Connection,
  workspace: WorkspaceId,
  keys: Iterable<SubjectKey>,
): Effect.Effect<ReadonlyMap<SubjectKey, SubjectSize>, DatabaseError> => {
  const wanted = [...keys].toSorted((a, b) => a - b)
  if (wanted.length === 0) return Effect.succeed(new Map())
  return Effect.map(
    connection.queryByIndex(sizesSql, [workspace, int8s(wanted)]),
    (rows) =>
      new Map(
        rows.map(([key, state, owner, bytes]) => [
          subjectKey(integer(key)),
          { state: integer(state), owner: ownerOf(owner), bytes: integer(bytes) },
        ]),
      ),
  )
}

const ownerOf = (value: unknown): SubjectKey | null => {
  const owner = integerOrNull(value)
  return owner === null ? null : subjectKey(owner)
}

/** The largest number of documents whose sizes one slice (a bounded part of a read) looks up. */
const sizesPerSlice = 1000

/** Reads the sizes of the documents of people, objects and other subjects in slices (bounded parts). */
export const sizesInSlices = (
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Effect.Effect<ReadonlyMap<SubjectKey, SubjectSize>, StoreUnavailable> =>
  Effect.gen(function* () {
    const wanted = [...keys]
    const found = new Map<SubjectKey, SubjectSize>()
    for (let from = 0; from < wanted.length; from += sizesPerSlice) {
      const part = wanted.slice(from, from + sizesPerSlice)
      const sizes = yield* read((connection) => readSizes(connection, workspace, part))
      for (const [key, size] of sizes) found.set(key, size)
    }
    return found
  })

/**
 * Reads people, objects or other subjects by their keys in slices (bounded parts). `sizes` contains the sizes of their
 * documents, which limit the number of documents in a slice. `decode` returns undefined for a subject to leave out,
 * such as a person who was deleted after the size was read.
 */
export const subjectsInSlices = <Decoded>(
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
  sizes: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
  decode: (subject: Subject) => Decoded | undefined,
): Effect.Effect<ReadonlyMap<SubjectKey, Decoded>, StoreUnavailable> =>
  Effect.gen(function* () {
    const found = new Map<SubjectKey, Decoded>()
    for (const part of inSlices(keys, sizes)) {
      const subjects = yield* read((connection) => readSubjects(connection, workspace, part))
      for (const subject of subjects) {
        const decoded = decode(subject)
        if (decoded !== undefined) found.set(subject.key, decoded)
      }
    }
    return found
  })

const inSlices = (
  keys: ReadonlySet<SubjectKey>,
  sizes: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
): ReadonlyArray<ReadonlyArray<SubjectKey>> => {
  const parts: Array<ReadonlyArray<SubjectKey>> = []
  let slice = new Slice()
  let part: Array<SubjectKey> = []
  for (const key of keys) {
    const bytes = sizes.get(key)?.bytes ?? 0
    if (part.length > 0 && (slice.isOver || bytes > slice.bytes)) {
      parts.push(part)
      part = []
      slice = new Slice()
    }
    slice.decode(bytes)
    part.push(key)
  }
  if (part.length > 0) parts.push(part)
  return parts
}
