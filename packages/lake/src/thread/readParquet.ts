import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { lakeColumns, type Cell, type LakeRow } from "../columns.ts"

/**
 * Reads the rows of a Parquet file, one group after the other. Columns that are not in `only` are null in the rows, and are
 * not read. So are those that an earlier version of Inlet did not write.
 */
export async function* readRows(
  table: LakeTable,
  path: string,
  only?: ReadonlyArray<string>,
): AsyncGenerator<ReadonlyArray<LakeRow>, void> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const stored = new Set(metadata.schema.map(({ name }) => name))
  const columns = (only ?? lakeColumns[table].map(({ name }) => name)).filter((name) => stored.has(name))
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const read = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd })
    yield read.map((values) => lakeColumns[table].map(({ name }) => cellOf(values[name])))
    rowStart = rowEnd
  }
}

const cellOf = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || typeof value === "number") return value
  if (typeof value === "bigint") return Number(value)
  if (value instanceof Date) return value.getTime()
  throw new TypeError("a column of the lake holds an unknown type")
}
