import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { provenanceColumns } from "./provenanceColumns.ts"

/** The value of a column in a row. A time is in milliseconds since 1970. */
export type Cell = string | number | null

/** The values of a row, in the order of the columns of its table. */
export type LakeRow = ReadonlyArray<Cell>

export interface LakeColumn {
  readonly name: string
  /** `json` is a text that contains JSON. */
  readonly type: "integer" | "text" | "json" | "time"
  /** Whether every row has a value. */
  readonly required: boolean
}

const column = (name: string, type: LakeColumn["type"], required = false): LakeColumn => ({
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
    column("position", "integer", true),
    column("operation_id", "text", true),
    column("received_at", "time", true),
    column("happened_at", "time", true),
    column("kind", "text"),
    column("name", "text"),
    column("outcome", "text", true),
    column("rule", "text"),
    column("reason", "text"),
    column("source", "text", true),
    column("subject", "integer"),
    column("svc_id", "text"),
    column("id", "text"),
    column("email", "text"),
    column("anonymous_id", "text"),
    column("object_type_id", "text"),
    column("object_id", "text"),
    column("dedup_id", "text"),
    column("data", "json"),
    column("changes", "json"),
    column("effects", "json"),
    column("others", "json"),
    column("kept_as", "json"),
    column("reasons", "json"),
    ...provenanceColumns.map(({ name }) => column(name, "text")),
    column("context", "json"),
  ],
  subjects: [
    column("position", "integer", true),
    column("subject", "integer", true),
    column("owner", "integer"),
    column("since", "time"),
    column("state", "text", true),
  ],
  erased: [
    column("position", "integer", true),
    column("subject", "integer", true),
    column("received_at", "time", true),
  ],
  people: [
    column("subject", "integer", true),
    column("svc_id", "text", true),
    column("id", "text"),
    column("email", "text"),
    column("anonymous_ids", "json", true),
    column("attributes", "json", true),
    column("segments", "json", true),
    column("relationships", "json", true),
    column("devices", "json", true),
    column("created_at", "time", true),
    column("updated_at", "time", true),
  ],
  objects: [
    column("subject", "integer", true),
    column("object_type_id", "text", true),
    column("object_id", "text", true),
    column("attributes", "json", true),
    column("people_total", "integer", true),
    column("created_at", "time", true),
    column("updated_at", "time", true),
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
