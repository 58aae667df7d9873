import type { LakeBounds, LakeFile, LakeTable } from "@inlethq/core/ports/LakeFiles"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { lakeColumns, placeOf } from "../columns.ts"
import { dayField } from "./avroSchemas.ts"
import { idOf, specIds } from "./tableSchema.ts"

/** What an entry of a manifest says of its file: it was in the table before, a snapshot adds it, or removes it. */
export const statuses = { existing: 0, added: 1, deleted: 2 } as const

const Counts = Schema.NullOr(Schema.Array(Schema.Struct({ key: Schema.Int, value: Schema.Int })))
const Bounds = Schema.NullOr(Schema.Array(Schema.Struct({ key: Schema.Int, value: Schema.Uint8Array })))

const DataFile = Schema.Struct({
  content: Schema.Int,
  file_path: Schema.String,
  file_format: Schema.String,
  partition: Schema.Struct({ [dayField]: Schema.optionalKey(Schema.NullOr(Schema.Int)) }),
  record_count: Schema.Int,
  file_size_in_bytes: Schema.Int,
  column_sizes: Counts,
  value_counts: Counts,
  null_value_counts: Counts,
  nan_value_counts: Counts,
  lower_bounds: Bounds,
  upper_bounds: Bounds,
})
export type DataFile = typeof DataFile.Type

/** An entry of a manifest. */
export const Entry = Schema.Struct({
  status: Schema.Int,
  /** The snapshot that added or removed the file. */
  snapshot_id: Schema.NullOr(Schema.Int),
  sequence_number: Schema.NullOr(Schema.Int),
  file_sequence_number: Schema.NullOr(Schema.Int),
  data_file: DataFile,
})
export type Entry = typeof Entry.Type

export const decodeEntries = Schema.decodeUnknownSync(Schema.Array(Entry))

/** What a snapshot adds has its sequence number, which was not known when its manifest was written. */
export const numbered = (entries: ReadonlyArray<Entry>, sequence: number): ReadonlyArray<Entry> =>
  entries.map((entry) => ({
    ...entry,
    sequence_number: entry.sequence_number ?? sequence,
    file_sequence_number: entry.file_sequence_number ?? sequence,
  }))

/** How an entry is partitioned. Entries of one manifest are so in the same way. */
export const specOf = ({ data_file: { partition } }: Pick<Entry, "data_file">): number =>
  partition[dayField] === undefined ? specIds.none : specIds.day

/** Describes a file for a manifest. */
export const dataFileOf = (file: LakeFile, path: string): DataFile => {
  const bounds = file.bounds ?? []
  const day = dayOf(file)
  const bytesOf = (name: "min" | "max") =>
    bounds.flatMap((bound) => {
      const value = bound[name]
      return value === null
        ? []
        : [{ key: idOf(file.table, bound.column), value: stored(file.table, bound, value) }]
    })
  const counts = (count: (bound: LakeBounds) => number) =>
    bounds.map((bound) => ({ key: idOf(file.table, bound.column), value: count(bound) }))
  return {
    content: 0,
    file_path: path,
    file_format: "PARQUET",
    partition: day === null ? {} : { [dayField]: day },
    record_count: file.rows,
    file_size_in_bytes: file.bytes,
    // PyIceberg does not show the entries of a manifest without these two.
    column_sizes: [],
    nan_value_counts: [],
    value_counts: counts(() => file.rows),
    null_value_counts: counts(({ nulls }) => nulls),
    lower_bounds: bytesOf("min"),
    upper_bounds: bytesOf("max"),
  }
}

/**
 * The day on which all rows of a file were received, or null. Around midnight, a file may have rows of two days, and readers
 * would skip it for one of them.
 */
const dayOf = ({ bounds = [], table }: LakeFile): number | null => {
  const received = bounds.find(({ column }) => column === "received_at")
  if (table !== "activity" || received === undefined || received.min === null || received.max === null)
    return null
  const day = Math.floor(received.min / dayMs)
  return day === Math.floor(received.max / dayMs) ? day : null
}

const stored = (table: LakeTable, { column }: LakeBounds, value: number): Buffer => {
  const isTime = lakeColumns[table][placeOf(table, column)]?.type === "time"
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value) * (isTime ? 1000n : 1n))
  return bytes
}

/** A day as the lists of manifests have it. */
export const storedDay = (day: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(day)
  return bytes
}
