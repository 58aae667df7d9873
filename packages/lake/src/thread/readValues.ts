import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"

/** The rows that are unpacked at once. */
const rowsPerRead = 2000

/** Reads all values of any Parquet file as JSON, some rows at a time, whatever their columns are. */
export async function* readValues(path: string): AsyncGenerator<string, void> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const rows = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rows; rowStart += rowsPerRead) {
    const rowEnd = Math.min(rows, rowStart + rowsPerRead)
    const read = await parquetReadObjects({ file, metadata, rowStart, rowEnd })
    yield JSON.stringify(read, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
  }
}
