import type { Slices } from "@inlet/core/Slices"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { SubjectSize } from "@inlet/storage/activityRecords"
import { integer, integerOrNull, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import type { Database } from "../engine/Database.ts"
import { rowId, sqlNumber } from "../engine/rowIds.ts"
import { Slice } from "@inlet/storage/Slice"
import type { ReadSubjects } from "./subjects.ts"

export type ReadSizes = (
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
) => ReadonlyMap<SubjectKey, SubjectSize>

/**
 * Reads the sizes of the documents of people, objects and other subjects in one statement, without reading the
 * documents.
 */
export const readSizes = (database: Database): ReadSizes => {
  const statement = database.prepareByPlace(
    `SELECT ${sqlNumber("found.id")}, found.state, found.owner, octet_length(found.doc) FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.id = wanted.value`,
  )
  return (workspace, keys) =>
    new Map(
      (keys.size === 0
        ? []
        : statement.all(JSON.stringify(Array.from(keys, (key) => rowId(workspace, key))))
      ).map((row) => [
        subjectKey(integer(row[0])),
        { state: integer(row[1]), owner: ownerOf(row[2]), bytes: integer(row[3]) },
      ]),
    )
}

const ownerOf = (value: Row[string] | undefined): SubjectKey | null => {
  const owner = integerOrNull(value ?? null)
  return owner === null ? null : subjectKey(owner)
}

/** The largest number of documents whose sizes one slice (a bounded part of a read) looks up. */
const sizesPerSlice = 1000

/** Reads the sizes of the documents of people, objects and other subjects in slices (bounded parts). */
export function* sizesInSlices(
  sizesOf: ReadSizes,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Slices<ReadonlyMap<SubjectKey, SubjectSize>> {
  if (keys.size <= sizesPerSlice) return sizesOf(workspace, keys)
  const wanted = [...keys]
  const found = new Map<SubjectKey, SubjectSize>()
  for (let from = 0; from < wanted.length; from += sizesPerSlice) {
    const part = new Set(wanted.slice(from, from + sizesPerSlice))
    for (const [key, size] of sizesOf(workspace, part)) found.set(key, size)
    yield
  }
  return found
}

/**
 * Reads people, objects or other subjects by their keys in slices (bounded parts). `sizes` contains the sizes of their
 * documents, which limit the number of documents in a slice. `decode` returns undefined for a subject to leave out,
 * such as a person who was deleted after the size was read.
 */
export function* subjectsInSlices<Decoded>(
  subjectsOf: ReadSubjects,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
  sizes: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
  decode: (subject: Subject) => Decoded | undefined,
): Slices<ReadonlyMap<SubjectKey, Decoded>> {
  const found = new Map<SubjectKey, Decoded>()
  let slice = new Slice()
  let wanted: Array<SubjectKey> = []
  const read = () => {
    for (const subject of subjectsOf(workspace, wanted)) {
      const decoded = decode(subject)
      if (decoded !== undefined) found.set(subject.key, decoded)
    }
    wanted = []
  }
  for (const key of keys) {
    const bytes = sizes.get(key)?.bytes ?? 0
    if (wanted.length > 0 && (slice.isOver || bytes > slice.bytes)) {
      read()
      yield
      slice = new Slice()
    }
    slice.decode(bytes)
    wanted.push(key)
  }
  read()
  return found
}
