import type { Schema } from "avsc"

/*
 * The Avro schemas of manifests and of lists of manifests, version 2. Readers of Iceberg find fields by the numbers that the
 * specification gives them.
 */

/** A type that is no union. */
type Single = Extract<Schema, ReadonlyArray<unknown>>[number]

const optional = (type: Single): Schema => ["null", type]

const field = (id: number, name: string, type: Schema) => ({ name, type, "field-id": id })

const optionalField = (id: number, name: string, type: Single) => ({
  ...field(id, name, optional(type)),
  default: null,
})

/** A map whose keys are numbers of columns. Avro knows only texts as keys. */
const byColumn = (keyId: number, valueId: number, value: string) => ({
  type: "array" as const,
  logicalType: "map",
  items: {
    type: "record" as const,
    name: `k${keyId}_v${valueId}`,
    fields: [field(keyId, "key", "int"), field(valueId, "value", value)],
  },
})

/** The number of the field by which activity is partitioned. */
export const dayFieldId = 1000
export const dayField = "received_at_day"

const partition = (isByDay: boolean) => ({
  type: "record" as const,
  name: "r102",
  fields: isByDay ? [optionalField(dayFieldId, dayField, { type: "int" as const, logicalType: "date" })] : [],
})

/** An entry of a manifest: a file, and since which snapshot it is in the table or no longer is. */
export const entrySchema = (isByDay: boolean) => ({
  type: "record" as const,
  name: "manifest_entry",
  fields: [
    field(0, "status", "int"),
    optionalField(1, "snapshot_id", "long"),
    optionalField(3, "sequence_number", "long"),
    optionalField(4, "file_sequence_number", "long"),
    field(2, "data_file", {
      type: "record" as const,
      name: "r2",
      fields: [
        field(134, "content", "int"),
        field(100, "file_path", "string"),
        field(101, "file_format", "string"),
        field(102, "partition", partition(isByDay)),
        field(103, "record_count", "long"),
        field(104, "file_size_in_bytes", "long"),
        optionalField(108, "column_sizes", byColumn(117, 118, "long")),
        optionalField(109, "value_counts", byColumn(119, 120, "long")),
        optionalField(110, "null_value_counts", byColumn(121, 122, "long")),
        optionalField(137, "nan_value_counts", byColumn(138, 139, "long")),
        optionalField(125, "lower_bounds", byColumn(126, 127, "bytes")),
        optionalField(128, "upper_bounds", byColumn(129, 130, "bytes")),
      ],
    }),
  ],
})

export const manifestListSchema = {
  type: "record" as const,
  name: "manifest_file",
  fields: [
    field(500, "manifest_path", "string"),
    field(501, "manifest_length", "long"),
    field(502, "partition_spec_id", "int"),
    field(517, "content", "int"),
    field(515, "sequence_number", "long"),
    field(516, "min_sequence_number", "long"),
    field(503, "added_snapshot_id", "long"),
    field(504, "added_files_count", "int"),
    field(505, "existing_files_count", "int"),
    field(506, "deleted_files_count", "int"),
    field(512, "added_rows_count", "long"),
    field(513, "existing_rows_count", "long"),
    field(514, "deleted_rows_count", "long"),
    optionalField(507, "partitions", {
      type: "array" as const,
      "element-id": 508,
      items: {
        type: "record" as const,
        name: "r508",
        fields: [
          field(509, "contains_null", "boolean"),
          optionalField(510, "lower_bound", "bytes"),
          optionalField(511, "upper_bound", "bytes"),
        ],
      },
    }),
  ],
}
