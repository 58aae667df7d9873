import { exceedsBytes } from "@inlet/core/values/Json"
import { Effect, Result, Stream } from "effect"
import { Csv } from "effect/encoding"
import { blockBytesMax, type Block } from "./Blocks.ts"
import { lineTexts } from "./faults.ts"

/**
 * An error in an imported file, with its line number, counted from 1. If a record spans several lines, the number is
 * that of the record's first line.
 */
export interface LineFault {
  readonly _tag: "LineFault"
  readonly line: number
  readonly message: string
}

export interface CsvRow {
  readonly _tag: "CsvRow"
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** The row's approximate length in the file, in characters. */
  readonly length: number
}

export type CsvRecord = CsvRow | LineFault

/** The state of the CSV reader between two blocks of a file. */
export interface ReaderState {
  /** The number of the next line in the file. */
  readonly line: number
  /** The rest of the previous block, which may be the beginning of a record. */
  readonly carried: string
  /** The numbers of the lines in `carried` that are not valid UTF-8. */
  readonly bad: ReadonlySet<number>
  /** True while the reader skips the rest of a line that is too long. */
  readonly skipping: boolean
}

const noLines: ReadonlySet<number> = new Set()

export const initialState: ReaderState = { line: 1, carried: "", bad: noLines, skipping: false }

/**
 * Returns the size limit of a row in bytes: the limit of the workspace or a quarter of a block, whichever is smaller.
 * An incomplete record is carried over to the next block, so a row must be much smaller than a block.
 */
export const rowBytesMax = (limit: number): number => Math.min(limit, blockBytesMax / 4)

/**
 * Reads the records of a block (RFC 4180), and returns them with the reader's state for the next block. If a record
 * cannot be read, its first line is reported and reading continues on the next line.
 */
export const readRecords = Effect.fnUntraced(function* (state: ReaderState, block: Block, bytesMax: number) {
  const records: Array<CsvRecord> = []
  const decoded = decodeText(state, block)
  const { bad } = decoded
  const start = state.skipping ? lineEnd(decoded.text, 0) : 0
  if (start < 0) return { records, next: state }
  let text = decoded.text.slice(start)
  let line = state.skipping ? state.line + 1 : state.line
  const add = (rows: ReadonlyArray<Csv.Row>) => {
    line = addRows(records, rows, { line, bad, bytesMax })
  }
  const next = (over: Partial<ReaderState>): ReaderState => ({ ...initialState, line, ...over })
  for (;;) {
    const whole = yield* Effect.result(parse(text, bytesMax))
    if (Result.isSuccess(whole)) {
      add(whole.success)
      return { records, next: next({}) }
    }
    const wrong = whole.failure
    const at = startOfLine(text, wrong.line)
    if (at > 0) add(yield* Effect.orDie(parse(text.slice(0, at), bytesMax)))
    text = text.slice(at)
    // The record may continue in the next block.
    if (text.length <= bytesMax && !block.isLast) return { records, next: next({ carried: text, bad }) }
    const end = lineEnd(text, 0)
    const isLong = (end < 0 ? text.length : end) > bytesMax
    const message = isLong
      ? lineTexts.rowTooLarge({ bytes: bytesMax })
      : bad.has(line)
        ? lineTexts.notUtf8()
        : messageOf(wrong, bytesMax)
    records.push({ _tag: "LineFault", line, message })
    if (end < 0) return { records, next: next({ skipping: true }) }
    text = text.slice(end)
    line++
  }
})

/**
 * The CSV decoder drops a byte order mark at the beginning of its input. The mark at the beginning of the file is
 * already removed, so a mark at the beginning of `text` is data. Therefore a second mark is added, which the decoder
 * drops.
 */
const parse = (text: string, lengthMax: number) =>
  Stream.make(text.startsWith(byteOrderMark) ? byteOrderMark + text : text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ maxRecordSize: lengthMax })),
    Stream.runCollect,
  )

const byteOrderMark = "\uFEFF"

const messageOf = ({ kind, message }: Csv.CsvError, bytesMax: number): string =>
  kind === "RecordSize"
    ? lineTexts.openQuote({ bytes: bytesMax })
    : message.charAt(0).toLowerCase() + message.slice(1)

interface Where {
  /** The line number of the first row to add. */
  readonly line: number
  readonly bad: ReadonlySet<number>
  readonly bytesMax: number
}

/** Adds rows to `records`, except blank lines. Returns the number of the line after these rows. */
const addRows = (
  records: Array<CsvRecord>,
  rows: ReadonlyArray<Csv.Row>,
  { bad, bytesMax, line: first }: Where,
): number => {
  let line = first
  for (const cells of rows) {
    const lines = 1 + breaksIn(cells)
    if (cells.length > 1 || cells[0] !== "") {
      const length = lengthOf(cells)
      const message = rowFault(cells, length, bytesMax) ?? utf8Fault(bad, line, lines)
      if (message === undefined) records.push({ _tag: "CsvRow", line, cells, length })
      else records.push({ _tag: "LineFault", line, message })
    }
    line += lines
  }
  return line
}

const lengthOf = (cells: Csv.Row): number => {
  let length = cells.length
  for (const cell of cells) length += cell.length
  return length
}

const rowFault = (cells: Csv.Row, length: number, bytesMax: number): string | undefined =>
  length * 3 > bytesMax && exceedsBytes(cells.join(","), bytesMax)
    ? lineTexts.rowTooLarge({ bytes: bytesMax })
    : undefined

const utf8Fault = (bad: ReadonlySet<number>, line: number, lines: number): string | undefined => {
  if (bad.size === 0) return undefined
  for (let i = line; i < line + lines; i++) if (bad.has(i)) return lineTexts.notUtf8()
  return undefined
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder("utf-8", { ignoreBOM: true })
/**
 * Returns the carried text followed by the text of the block, and the numbers of the lines that are not valid UTF-8.
 */
const decodeText = (state: ReaderState, { bytes }: Block) => {
  const after = (decoded: string) =>
    state === initialState && decoded.startsWith(byteOrderMark) ? decoded.slice(1) : state.carried + decoded
  try {
    return { text: after(strict.decode(bytes)), bad: state.bad }
  } catch {
    const found = badLines(bytes, state.line + breaks(state.carried))
    return { text: after(lossy.decode(bytes)), bad: new Set([...state.bad, ...found]) }
  }
}

const badLines = (bytes: Uint8Array, first: number): ReadonlySet<number> => {
  const bad = new Set<number>()
  // latin1 decodes each byte to one character, so offsets in the text are offsets in the bytes.
  const places = new TextDecoder("latin1").decode(bytes)
  let line = first
  for (let at = 0; at < bytes.length; line++) {
    const end = lineEnd(places, at)
    const next = end < 0 ? bytes.length : end
    try {
      strict.decode(bytes.subarray(at, next))
    } catch {
      bad.add(line)
    }
    at = next
  }
  return bad
}

/** Returns the offset after the first line break at or after `from`, or -1 if the text has no further line break. */
const lineEnd = (text: string, from: number): number => {
  anyBreak.lastIndex = from
  return anyBreak.test(text) ? anyBreak.lastIndex : -1
}

const anyBreak = /\r\n|\r|\n/g

/** Returns the offset of the beginning of the n-th line of a text. Lines count from 1. */
const startOfLine = (text: string, n: number): number => {
  let at = 0
  for (let line = 1; line < n; line++) at = lineEnd(text, at)
  return at
}

const breaks = (text: string): number => {
  let count = 0
  for (let at = lineEnd(text, 0); at >= 0; at = lineEnd(text, at)) count++
  return count
}

const breaksIn = (cells: Csv.Row): number => {
  let count = 0
  for (const cell of cells) if (cell.includes("\n") || cell.includes("\r")) count += breaks(cell)
  return count
}
