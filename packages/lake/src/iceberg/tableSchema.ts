import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { lakeColumns, placeOf, type LakeColumn } from "../columns.ts"
import { dayField, dayFieldId } from "./avroSchemas.ts"

const types: Readonly<Record<LakeColumn["type"], string>> = {
  integer: "long",
  text: "string",
  json: "string",
  time: "timestamptz",
}

/** A column of a table, as metadata of Iceberg name it. */
export interface IcebergField {
  readonly id: number
  readonly name: string
  readonly required: boolean
  readonly type: string
}

export const fieldsOf = (table: LakeTable): ReadonlyArray<IcebergField> =>
  lakeColumns[table].map(({ id, name, required, type }) => ({ id, name, required, type: types[type] }))

/** Names the columns for files that were written without their numbers. */
export const nameMapping = (table: LakeTable): string =>
  JSON.stringify(lakeColumns[table].map(({ id, name }) => ({ "field-id": id, names: [name] })))

export const idOf = (table: LakeTable, column: string): number =>
  lakeColumns[table][placeOf(table, column)]?.id ?? 0

/** How files are partitioned: not at all, or by the day in UTC on which all rows of a file were received. */
export const specIds = { none: 0, day: 1 } as const

/** The fields of each way in which the files of a table are partitioned. */
export const partitionFields = (table: LakeTable, spec: number): ReadonlyArray<object> =>
  spec === specIds.none
    ? []
    : [
        {
          "source-id": idOf(table, "received_at"),
          "field-id": dayFieldId,
          name: dayField,
          transform: "day",
        },
      ]

export const specsOf = (table: LakeTable): ReadonlyArray<number> =>
  table === "activity" ? [specIds.none, specIds.day] : [specIds.none]
