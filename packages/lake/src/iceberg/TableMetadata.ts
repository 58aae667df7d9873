import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Option, Schema } from "effect"
import { fieldsOf, nameMapping, partitionFields, specsOf } from "./tableSchema.ts"
import { dayFieldId } from "./avroSchemas.ts"

const IcebergSnapshot = Schema.Struct({
  "snapshot-id": Schema.Int,
  "parent-snapshot-id": Schema.optionalKey(Schema.Int),
  "sequence-number": Schema.Int,
  "timestamp-ms": Schema.Int,
  "manifest-list": Schema.String,
  summary: Schema.Record(Schema.String, Schema.String),
  "schema-id": Schema.Int,
})
export type IcebergSnapshot = typeof IcebergSnapshot.Type

/** What a snapshot says about itself for the writer of the next one: its files in short, and its manifests. */
export const summaryKeys = { listed: "inlet.files", manifests: "inlet.manifests", to: "inlet.to" } as const

const TableSchema = Schema.Struct({
  type: Schema.Literal("struct"),
  "schema-id": Schema.Int,
  fields: Schema.Array(
    Schema.Struct({ id: Schema.Int, name: Schema.String, required: Schema.Boolean, type: Schema.String }),
  ),
})

const LoggedMetadata = Schema.Struct({ "timestamp-ms": Schema.Int, "metadata-file": Schema.String })

/** The metadata of a table of Iceberg, version 2, as far as the writer of the next ones reads them. */
const TableMetadata = Schema.Struct({
  "format-version": Schema.Literal(2),
  "table-uuid": Schema.String,
  location: Schema.String,
  "last-sequence-number": Schema.Int,
  "last-updated-ms": Schema.Int,
  schemas: Schema.NonEmptyArray(TableSchema),
  "current-schema-id": Schema.Int,
  "current-snapshot-id": Schema.Int,
  snapshots: Schema.NonEmptyArray(IcebergSnapshot),
  "metadata-log": Schema.Array(LoggedMetadata),
})
export type TableMetadata = typeof TableMetadata.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(TableMetadata))

/** Reads metadata, or returns null if they are none of a table at this location, such as those of a folder that was moved. */
export const readMetadata = (text: string | null, location: string): TableMetadata | null => {
  const found = text === null ? null : Option.getOrNull(decode(text))
  return found !== null && found.location === location && currentSnapshot(found) !== undefined ? found : null
}

export const currentSnapshot = (metadata: TableMetadata): IcebergSnapshot | undefined =>
  metadata.snapshots.find((snapshot) => snapshot["snapshot-id"] === metadata["current-snapshot-id"])

/** The most snapshots, and the most earlier metadata, that metadata name. */
export const snapshotsMax = 500
const loggedMax = 20

/** The earlier metadata of a table, and where they are. */
interface Previous {
  readonly metadata: TableMetadata
  readonly file: string
}

interface NextMetadata {
  readonly table: LakeTable
  readonly location: string
  readonly uuid: string
  readonly now: EpochMillis
  readonly previous: Previous | null
  /** The snapshots that stay, oldest first. The last one is current. */
  readonly snapshots: readonly [IcebergSnapshot, ...ReadonlyArray<IcebergSnapshot>]
}

/** The schemas of a table, of which the last one is current: those before had other columns. */
export const schemasOf = (table: LakeTable, previous: TableMetadata | null): TableMetadata["schemas"] => {
  const fields = fieldsOf(table)
  const before = previous?.schemas ?? []
  const last = before.at(-1)
  if (last === undefined) return [{ type: "struct", "schema-id": 0, fields }]
  const isSame = JSON.stringify(last.fields) === JSON.stringify(fields)
  const [first = last, ...more] = before
  return isSame
    ? [first, ...more]
    : [first, ...more, { type: "struct", "schema-id": last["schema-id"] + 1, fields }]
}

/** Writes the metadata that follow others. Metadata whose current snapshot is gone are not named. */
export const nextMetadata = ({ location, now, previous, snapshots, table, uuid }: NextMetadata) => {
  const current = snapshots.at(-1) ?? snapshots[0]
  const schemas = schemasOf(table, previous?.metadata ?? null)
  const specs = specsOf(table)
  const logged =
    previous === null
      ? []
      : [
          ...previous.metadata["metadata-log"],
          { "timestamp-ms": previous.metadata["last-updated-ms"], "metadata-file": previous.file },
        ]
  return {
    "format-version": 2,
    "table-uuid": uuid,
    location,
    "last-sequence-number": current["sequence-number"],
    "last-updated-ms": now,
    "last-column-id": Math.max(...schemas.flatMap(({ fields }) => fields.map(({ id }) => id))),
    schemas,
    "current-schema-id": schemas.at(-1)?.["schema-id"] ?? 0,
    "partition-specs": specs.map((spec) => ({ "spec-id": spec, fields: partitionFields(table, spec) })),
    "default-spec-id": specs.at(-1) ?? 0,
    "last-partition-id": specs.length > 1 ? dayFieldId : dayFieldId - 1,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    "default-sort-order-id": 0,
    properties: { "schema.name-mapping.default": nameMapping(table), "write.format.default": "parquet" },
    "current-snapshot-id": current["snapshot-id"],
    refs: { main: { "snapshot-id": current["snapshot-id"], type: "branch" } },
    snapshots,
    "snapshot-log": snapshots.map((snapshot) => ({
      "snapshot-id": snapshot["snapshot-id"],
      "timestamp-ms": snapshot["timestamp-ms"],
    })),
    "metadata-log": logged
      .filter((one) => one["timestamp-ms"] >= snapshots[0]["timestamp-ms"])
      .slice(-loggedMax),
  } satisfies TableMetadata & Readonly<Record<string, unknown>>
}

/** The files that metadata name, apart from those of rows. */
export const filesNamedIn = (metadata: TableMetadata): ReadonlyArray<string> => [
  ...metadata.snapshots.flatMap((snapshot) => [
    snapshot["manifest-list"],
    ...manifestsOf(snapshot).map((name) => `${metadata.location}/metadata/${name}`),
  ]),
  ...metadata["metadata-log"].map((one) => one["metadata-file"]),
]

/** The names of the manifests of a snapshot. */
export const manifestsOf = ({ summary }: IcebergSnapshot): ReadonlyArray<string> =>
  (summary[summaryKeys.manifests] ?? "").split(",").filter((name) => name !== "")
