import { encodingOf } from "@inlethq/wire/csv/encodingOf"

/**
 * The largest number of lines of one row. If a quote is still open after so many lines, only the first of these lines
 * counts as the row.
 */
const rowLinesMax = 100

/** The largest number of characters that are read of one line. The server refuses rows of this length. */
const lineLengthMax = 128 * 1024

/** The first line of a CSV file, and the requested rows. */
export interface ReadRows {
  readonly header: string
  /** The text of each row. The key is the number of the row's first line. */
  readonly byLine: ReadonlyMap<number, string>
}

/** Reads the rows that begin on the given lines of a CSV file. The first line of the file is line 1. */
export const readRows = async (
  chunks: AsyncIterable<string>,
  wanted: ReadonlySet<number>,
): Promise<ReadRows> => {
  const byLine = new Map<number, string>()
  let header = ""
  let row: OpenRow | undefined
  let number = 0
  for await (const line of linesOf(chunks)) {
    number++
    if (number === 1) header = line.replace(/^\uFEFF/, "")
    // A row with an open quote can contain a line that was requested. This line still begins a row of its own. The
    // reason is that the server, if it cannot read a row, reports the row's first line and reads the next line as a new
    // row.
    if (wanted.has(number)) row = { firstLine: number, lines: [line] }
    else row?.lines.push(line)
    if (row === undefined) continue
    byLine.set(row.firstLine, row.lines[0] ?? "")
    if (!hasOpenQuote(row.lines)) byLine.set(row.firstLine, row.lines.join("\n"))
    else if (row.lines.length < rowLinesMax) continue
    row = undefined
    if (byLine.size === wanted.size) break
  }
  return { header, byLine }
}

interface OpenRow {
  readonly firstLine: number
  readonly lines: Array<string>
}

const hasOpenQuote = (lines: ReadonlyArray<string>): boolean =>
  lines.reduce((quotes, line) => quotes + line.split('"').length - 1, 0) % 2 === 1

/** Splits a text into lines. A line ends with CR, LF or both. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ""
  for await (const chunk of chunks) {
    // A CR at the end of a chunk may be the first half of a line break.
    const lines = (rest + chunk).split(/\r\n|\r(?!$)|\n/)
    rest = lines.pop() ?? ""
    if (rest.length > lineLengthMax) rest = rest.slice(0, lineLengthMax)
    yield* lines
  }
  yield rest.replace(/\r$/, "")
}

/** Reads a file as text, in parts. The file is closed when the reader stops. Throws after `signal` is aborted. */
export async function* textOf(
  file: Pick<Blob, "stream" | "slice">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const encoding = encodingOf(new Uint8Array(await file.slice(0, 2).arrayBuffer()))
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
