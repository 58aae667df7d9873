import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { provenanceColumns } from "./provenanceColumns.ts"

/** The value of a column in a row. A time is in milliseconds since 1970. */
export type Cell = string | number | null

/** The values of a row, in the order of the columns of its table. */
export type LakeRow = ReadonlyArray<Cell>

export interface LakeColumn {
  /** The number by which readers of Iceberg know the column in every file. It never changes, and is never used again. */
  readonly id: number
  readonly name: string
  /** `json` is a text that contains JSON. */
  readonly type: "integer" | "text" | "json" | "time"
  /** Whether every row has a value. */
  readonly required: boolean
}

const column = (id: number, name: string, type: LakeColumn["type"], required = false): LakeColumn => ({
  id,
  name,
  type,
  required,
})

/**
 * The columns of each table. They are fixed: nothing is discarded because of its type, and no type drifts. `subject` is
 * the permanent number of a person, visitor, object or other subject.
 */
export const lakeColumns = {
  activity: [
    column(1, "position", "integer", true),
    column(2, "operation_id", "text", true),
    column(3, "received_at", "time", true),
    column(4, "happened_at", "time", true),
    column(5, "kind", "text"),
    column(6, "name", "text"),
    column(7, "outcome", "text", true),
    column(8, "rule", "text"),
    column(9, "reason", "text"),
    column(10, "source", "text", true),
    column(11, "subject", "integer"),
    column(12, "svc_id", "text"),
    column(13, "id", "text"),
    column(14, "email", "text"),
    column(15, "anonymous_id", "text"),
    column(16, "object_type_id", "text"),
    column(17, "object_id", "text"),
    column(18, "dedup_id", "text"),
    column(19, "data", "json"),
    column(20, "changes", "json"),
    column(21, "effects", "json"),
    column(22, "others", "json"),
    column(23, "kept_as", "json"),
    column(24, "reasons", "json"),
    ...provenanceColumns.map(({ id, name }) => column(id, name, "text")),
    column(25, "context", "json"),
    column(26, "plan", "json"),
  ],
  subjects: [
    column(1, "position", "integer", true),
    column(2, "subject", "integer", true),
    column(3, "owner", "integer"),
    column(4, "since", "time"),
    column(5, "state", "text", true),
  ],
  erased: [
    column(1, "position", "integer", true),
    column(2, "subject", "integer", true),
    column(3, "received_at", "time", true),
  ],
  people: [
    column(1, "subject", "integer", true),
    column(2, "svc_id", "text", true),
    column(3, "id", "text"),
    column(4, "email", "text"),
    column(5, "anonymous_ids", "json", true),
    column(6, "attributes", "json", true),
    column(7, "segments", "json", true),
    column(8, "relationships", "json", true),
    column(9, "devices", "json", true),
    column(10, "created_at", "time", true),
    column(11, "updated_at", "time", true),
  ],
  objects: [
    column(1, "subject", "integer", true),
    column(2, "object_type_id", "text", true),
    column(3, "object_id", "text", true),
    column(4, "attributes", "json", true),
    column(5, "people_total", "integer", true),
    column(6, "created_at", "time", true),
    column(7, "updated_at", "time", true),
  ],
} as const satisfies Record<LakeTable, ReadonlyArray<LakeColumn>>

/** The tables of a lake, in the order in which statements define them. */
export const lakeTables = ["activity", "subjects", "erased", "people", "objects"] as const

/** The numbers in `StoredOwners` for what `state` says in `subjects`. `none` is a subject without a row. */
export const ownerStates = { none: 0, visitor: 1, person: 2, attached: 3, object: 4 } as const

/** Returns the place of a column in the rows of a table. */
export const placeOf = (table: LakeTable, name: string): number => {
  const place = lakeColumns[table].findIndex((found) => found.name === name)
  if (place < 0) throw new RangeError(`the table ${table} has no column ${name}`)
  return place
}
