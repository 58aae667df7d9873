import { randomInt, randomUUID } from "node:crypto"
import { join } from "node:path"
import type { LakeFile } from "@inlethq/core/ports/LakeFiles"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { icebergPath } from "../layout.ts"
import { writeAvro } from "./avroFile.ts"
import { dayField, entrySchema, manifestListSchema } from "./avroSchemas.ts"
import { dataFileOf, numbered, specOf, statuses, storedDay, type Entry } from "./entries.ts"
import type { TableToWrite, WrittenObject } from "./IcebergTable.ts"
import { listedFiles } from "./listedFiles.ts"
import type { Stage } from "./stagesOf.ts"
import { summaryKeys, type IcebergSnapshot } from "./TableMetadata.ts"
import { fieldsOf, partitionFields, specIds, specsOf } from "./tableSchema.ts"

/** A snapshot, and the entries of its files. */
interface Written {
  readonly snapshot: IcebergSnapshot
  readonly entries: ReadonlyArray<Entry>
}

/** Writes snapshots of a table, and notes the files that they are made of. */
export class SnapshotWriter {
  readonly objects: Array<WrittenObject> = []
  private readonly asked: TableToWrite
  private readonly location: string
  private readonly now: EpochMillis
  private readonly schemaId: number
  private readonly attempt = randomUUID()

  constructor(asked: TableToWrite, location: string, now: EpochMillis, schemaId: number) {
    this.asked = asked
    this.location = location
    this.now = now
    this.schemaId = schemaId
  }

  async write(
    parent: IcebergSnapshot | undefined,
    before: ReadonlyArray<Entry>,
    { files, operation }: Stage,
  ): Promise<Written> {
    const { root } = this.asked
    const id = randomInt(1, 2 ** 48 - 1)
    const sequence = (parent?.["sequence-number"] ?? 0) + 1
    const kept = new Map(before.map((entry) => [entry.data_file.file_path, entry]))
    const live = files.map((file) => {
      const path = `${root}/${file.path}`
      const found = kept.get(path)
      kept.delete(path)
      return found === undefined ? addedEntry(file, path, id) : existingEntry(found)
    })
    const gone = [...kept.values()].map((entry) => ({
      ...entry,
      status: statuses.deleted,
      snapshot_id: id,
    }))
    const manifests: Array<object> = []
    const names: Array<string> = []
    for (const spec of specsOf(this.asked.table)) {
      const entries = [...live, ...gone].filter((entry) => specOf(entry) === spec)
      if (entries.length === 0) continue
      const manifest = await this.manifest(spec, entries)
      names.push(manifest.name)
      manifests.push(listed(manifest, spec, entries, sequence, id))
    }
    const list = await this.put("snap", manifestListSchema, manifests, {
      "snapshot-id": String(id),
      "parent-snapshot-id": String(parent?.["snapshot-id"] ?? "null"),
      "sequence-number": String(sequence),
      "format-version": "2",
    })
    const to = files.reduce((max, file) => Math.max(max, file.to), 0)
    const snapshot: IcebergSnapshot = {
      "snapshot-id": id,
      ...(parent !== undefined && { "parent-snapshot-id": parent["snapshot-id"] }),
      "sequence-number": sequence,
      "timestamp-ms": this.now,
      "manifest-list": list.address,
      summary: {
        operation,
        ...countsOf(live, gone),
        [summaryKeys.listed]: listedFiles(files),
        [summaryKeys.manifests]: names.join(","),
        [summaryKeys.to]: String(to),
      },
      "schema-id": this.schemaId,
    }
    return { snapshot, entries: numbered(live, sequence) }
  }

  private manifest(spec: number, entries: ReadonlyArray<Entry>) {
    const { table } = this.asked
    const header = {
      schema: JSON.stringify({ type: "struct", "schema-id": this.schemaId, fields: fieldsOf(table) }),
      "schema-id": String(this.schemaId),
      "partition-spec": JSON.stringify(partitionFields(table, spec)),
      "partition-spec-id": String(spec),
      "format-version": "2",
      content: "data",
    }
    return this.put("files", entrySchema(spec === specIds.day), entries, header)
  }

  private async put(
    kind: "files" | "snap",
    schema: Parameters<typeof writeAvro>[1],
    records: ReadonlyArray<object>,
    header: Readonly<Record<string, string>>,
  ) {
    const { table, token, workFolder, workspace } = this.asked
    const place = this.objects.length
    const name = `${kind}-g${token}-${this.attempt}-${place}.avro`
    const file = join(workFolder, `${workspace}-${token}-${table}-iceberg-${place}.avro`)
    const { bytes, sha256 } = await writeAvro(file, schema, header, records)
    this.objects.push({ path: icebergPath(workspace, table, name), file, sha256 })
    return { name, bytes, address: `${this.location}/metadata/${name}` }
  }
}

const addedEntry = (file: LakeFile, path: string, snapshot: number): Entry => ({
  status: statuses.added,
  snapshot_id: snapshot,
  sequence_number: null,
  file_sequence_number: null,
  data_file: dataFileOf(file, path),
})

const existingEntry = (entry: Entry): Entry => ({ ...entry, status: statuses.existing })

const listed = (
  { address, bytes }: { readonly address: string; readonly bytes: number },
  spec: number,
  entries: ReadonlyArray<Entry>,
  sequence: number,
  snapshot: number,
) => {
  const of = (status: number) => entries.filter((entry) => entry.status === status)
  const [added, existing, deleted] = [of(statuses.added), of(statuses.existing), of(statuses.deleted)]
  const days = entries.flatMap(({ data_file: { partition } }) => partition[dayField] ?? [])
  return {
    manifest_path: address,
    manifest_length: bytes,
    partition_spec_id: spec,
    content: 0,
    sequence_number: sequence,
    min_sequence_number: [...added, ...existing].reduce(
      (min, entry) => Math.min(min, entry.sequence_number ?? sequence),
      sequence,
    ),
    added_snapshot_id: snapshot,
    added_files_count: added.length,
    existing_files_count: existing.length,
    deleted_files_count: deleted.length,
    added_rows_count: rowsOf(added),
    existing_rows_count: rowsOf(existing),
    deleted_rows_count: rowsOf(deleted),
    partitions:
      spec === specIds.none
        ? []
        : [
            {
              contains_null: false,
              lower_bound: storedDay(smallest(days)),
              upper_bound: storedDay(-smallest(days.map((day) => -day))),
            },
          ],
  }
}

const smallest = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((min, number) => Math.min(min, number), Number.POSITIVE_INFINITY)

const rowsOf = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce((sum, { data_file }) => sum + data_file.record_count, 0)

const bytesOf = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce((sum, { data_file }) => sum + data_file.file_size_in_bytes, 0)

/** The counts that the summary of a snapshot has. */
const countsOf = (live: ReadonlyArray<Entry>, gone: ReadonlyArray<Entry>) => {
  const added = live.filter(({ status }) => status === statuses.added)
  const counts = {
    "added-data-files": added.length,
    "added-records": rowsOf(added),
    "added-files-size": bytesOf(added),
    "deleted-data-files": gone.length,
    "deleted-records": rowsOf(gone),
    "removed-files-size": bytesOf(gone),
    "total-data-files": live.length,
    "total-records": rowsOf(live),
    "total-files-size": bytesOf(live),
    "total-delete-files": 0,
    "total-position-deletes": 0,
    "total-equality-deletes": 0,
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))
}
