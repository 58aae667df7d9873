import type { Provenance } from "@inlethq/core/log/Provenance"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { provenanceColumns } from "../provenanceColumns.ts"
import type { Cell } from "../columns.ts"
import { jsonCell, textCell } from "./cells.ts"

/** Returns the cells of the columns that say where a call came from. */
export const provenanceCells = ({ context, geo }: Provenance): ReadonlyArray<Cell> => {
  if (context === undefined && geo === undefined) return noCells
  return [
    ...provenanceColumns.map(({ name, paths }) =>
      name === "country" ? textCell(geo?.country ?? null) : textCell(textAt(context, paths)),
    ),
    context === undefined ? null : jsonCell(context),
  ]
}

const noCells: ReadonlyArray<Cell> = [...provenanceColumns.map(() => null), null]

const textAt = (
  context: Provenance["context"],
  paths: ReadonlyArray<ReadonlyArray<string>>,
): string | null => {
  for (const path of paths) {
    let value: Json | undefined = context
    for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof value === "string") return value
    if (typeof value === "number") return String(value)
  }
  return null
}
