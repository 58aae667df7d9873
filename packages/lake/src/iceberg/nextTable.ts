import { randomUUID } from "node:crypto"
import type { LakeFile } from "@inlethq/core/ports/LakeFiles"
import { icebergMetadataPath, icebergPath } from "../layout.ts"
import { readAvro } from "./avroFile.ts"
import { decodeEntries, numbered, statuses, type Entry } from "./entries.ts"
import {
  locationOf,
  type ReadTable,
  type TableToRead,
  type TableToWrite,
  type WrittenTable,
} from "./IcebergTable.ts"
import { withRows } from "./listedFiles.ts"
import { SnapshotWriter } from "./SnapshotWriter.ts"
import { stagesOf } from "./stagesOf.ts"
import {
  currentSnapshot,
  filesNamedIn,
  manifestsOf,
  nextMetadata,
  readMetadata,
  schemasOf,
  snapshotsMax,
  summaryKeys,
  type IcebergSnapshot,
  type TableMetadata,
} from "./TableMetadata.ts"

/** Reads what published metadata of a table say. */
export const readTable = ({ text, ...place }: TableToRead): ReadTable => {
  const metadata = readMetadata(text, locationOf(place))
  const snapshot = metadata === null ? undefined : currentSnapshot(metadata)
  if (metadata === null || snapshot === undefined) return noTable
  return {
    listed: snapshot.summary[summaryKeys.listed] ?? null,
    sequence: snapshot["sequence-number"],
    manifests: manifestsOf(snapshot).map((name) => icebergPath(place.workspace, place.table, name)),
    named: filesNamedIn(metadata).map((path) => path.slice(place.root.length + 1)),
  }
}

const noTable: ReadTable = { listed: null, sequence: 0, manifests: [], named: [] }

/** Writes the manifests and the metadata of a table whose files have changed, or some of whose snapshots expire. */
export const writeTable = async (asked: TableToWrite): Promise<WrittenTable> => {
  const { root, table, version, workspace } = asked
  const location = locationOf(asked)
  const before = readMetadata(asked.previous, location)
  const now = Math.max(asked.now, before?.["last-updated-ms"] ?? 0)
  const file = `${root}/${icebergMetadataPath(workspace, table, version - 1)}`
  const { objects, snapshots } = await nextSnapshots(asked, before, now)
  const metadata = nextMetadata({
    table,
    location,
    now,
    uuid: before?.["table-uuid"] ?? randomUUID(),
    previous: before === null ? null : { metadata: before, file },
    snapshots,
  })
  const named = new Set(filesNamedIn(metadata))
  const dropped = before === null ? [] : filesNamedIn(before).filter((path) => !named.has(path))
  const text = JSON.stringify(metadata)
  return {
    text,
    state: readTable({ ...asked, text }),
    objects,
    dropped: dropped.map((path) => path.slice(root.length + 1)),
  }
}

/** Writes the snapshots that lead to the files now, and returns them after those before that stay. */
const nextSnapshots = async (asked: TableToWrite, before: TableMetadata | null, now: number) => {
  const files = withRows(asked.files)
  const current = before === null ? undefined : currentSnapshot(before)
  const entries = current === undefined ? [] : await liveEntries(asked.manifests, current["sequence-number"])
  const schemaId = schemasOf(asked.table, before).at(-1)?.["schema-id"] ?? 0
  const writer = new SnapshotWriter(asked, locationOf(asked), now, schemaId)
  const changes = stagesOf(asked, entries, files)
  // A table without rows has a snapshot too, because some readers refuse one that has none.
  const stages =
    current === undefined && changes.length === 0 ? [{ files: [], operation: "append" as const }] : changes
  const made: Array<IcebergSnapshot> = []
  let last = { snapshot: current, entries }
  for (const stage of stages) {
    const written = await writer.write(last.snapshot, last.entries, stage)
    made.push(written.snapshot)
    last = written
  }
  const older = allExist(asked, entries, files) ? (before?.snapshots ?? []) : []
  const kept = [...older, ...made].filter(
    (snapshot) => snapshot["sequence-number"] >= asked.keepFrom || snapshot === last.snapshot,
  )
  const [first, ...more] = kept.slice(-snapshotsMax)
  if (first === undefined) throw new RangeError(`the table ${asked.table} has no snapshot`)
  return { objects: writer.objects, snapshots: [first, ...more] as const }
}

/** Reads the entries of the manifests of the snapshot with a sequence number, without the files that it removed. */
const liveEntries = async (
  manifests: ReadonlyArray<string>,
  sequence: number,
): Promise<ReadonlyArray<Entry>> => {
  const all: Array<Entry> = []
  for (const path of manifests) all.push(...decodeEntries(await readAvro(path)))
  return numbered(all, sequence).filter(({ status }) => status !== statuses.deleted)
}

/** Whether all files of the snapshots before may still be read: those that have left the table wait to be removed. */
const allExist = (
  { replaced, root }: TableToWrite,
  entries: ReadonlyArray<Entry>,
  files: ReadonlyArray<LakeFile>,
): boolean => {
  const known = new Set([...files.map(({ path }) => path), ...replaced])
  return entries.every(({ data_file }) => known.has(data_file.file_path.slice(root.length + 1)))
}
