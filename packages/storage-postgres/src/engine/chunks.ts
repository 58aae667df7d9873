/**
 * The largest number of rows that one statement writes. `lengthMax` limits the number of characters in these rows, but
 * a single row is written whatever its size.
 */
const rowsMax = 4096
const lengthMax = 4 * 1024 * 1024

/** Splits rows into chunks, so that one statement can write each chunk. Returns no chunks if there are no rows. */
export const chunksOf = <A>(
  rows: ReadonlyArray<A>,
  lengthOf: (row: A) => number = () => 0,
): ReadonlyArray<ReadonlyArray<A>> => {
  const chunks: Array<ReadonlyArray<A>> = []
  let start = 0
  let length = 0
  for (const [index, row] of rows.entries()) {
    const own = lengthOf(row)
    if (index > start && (index - start >= rowsMax || length + own > lengthMax)) {
      chunks.push(rows.slice(start, index))
      start = index
      length = 0
    }
    length += own
  }
  if (start < rows.length) chunks.push(start === 0 ? rows : rows.slice(start))
  return chunks
}
