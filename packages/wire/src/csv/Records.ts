import { exceedsBytes } from "@inlethq/core/values/Json"
import { blockBytesMax, type Block } from "./Blocks.ts"
import { lineTexts } from "../texts/csvTexts.ts"
import { scanRecord, type Delimiter, type ScanProblem } from "./scanRecord.ts"

/**
 * An error in an imported file, with its line number, counted from 1. If a record spans several lines, the number is
 * that of the record's first line.
 */
export interface LineFault {
  readonly _tag: "LineFault"
  readonly line: number
  readonly message: string
  /** The cells that may identify people, if the line has cells. The message may quote it. */
  readonly named?: ReadonlyArray<string>
}

export interface CsvRow {
  readonly _tag: "CsvRow"
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** The row's approximate length in the file, in characters. */
  readonly length: number
}

export type CsvRecord = CsvRow | LineFault

/** The state of the CSV reader between two pieces of a file. */
export interface ReaderState {
  /** The number of the next line in the file. */
  readonly line: number
  /** The rest of the previous piece, which may be the beginning of a record. */
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

export interface ReaderOptions {
  readonly delimiter: Delimiter
  /** The size limit of a row in bytes. */
  readonly bytesMax: number
}

/**
 * Reads the records of a piece (RFC 4180), and returns them with the reader's state for the next piece. If a record
 * cannot be read, its first line is reported and reading continues on the next line. A file is read in time that grows
 * with its size, however many of its lines are faulty: inside a record that cannot be read, no second record can open a
 * quote and leave it open, so each line is read at most twice, and once more for each piece that its record continues in.
 */
export const readRecords = (state: ReaderState, piece: Block, { bytesMax, delimiter }: ReaderOptions) => {
  const records: Array<CsvRecord> = []
  const { bad, text } = decodeText(state, piece)
  let at = state.skipping ? lineEnd(text, 0) : 0
  if (at < 0) return { records, next: state }
  let line = state.skipping ? state.line + 1 : state.line
  const next = (over: Partial<ReaderState>): ReaderState => ({ ...initialState, line, ...over })
  while (at < text.length) {
    const scanned = scanRecord(text, at, delimiter, bytesMax)
    if (scanned._tag === "Scanned") {
      const lines = 1 + scanned.breaks
      addRow(records, scanned.cells, { line, lines, bad, bytesMax })
      at = scanned.end
      line += lines
      continue
    }
    // The record may continue in the next piece.
    const isShort = text.length - at <= bytesMax
    if (scanned.problem === "unclosed" && isShort && !piece.isLast) {
      return { records, next: next({ carried: text.slice(at), bad }) }
    }
    const end = lineEnd(text, at)
    const isLong = (end < 0 ? text.length : end) - at > bytesMax
    const message = isLong
      ? lineTexts.rowTooLarge({ bytes: bytesMax })
      : bad.has(line)
        ? lineTexts.notUtf8()
        : messageOf(scanned.problem, bytesMax)
    records.push({ _tag: "LineFault", line, message })
    if (end < 0) return { records, next: next({ skipping: true }) }
    at = end
    line++
  }
  return { records, next: next({}) }
}

const messageOf = (problem: ScanProblem, bytesMax: number): string => {
  switch (problem) {
    case "too_long":
      return lineTexts.openQuote({ bytes: bytesMax })
    case "unclosed":
      return lineTexts.unclosedQuote()
    case "quote_inside":
      return lineTexts.quoteInside()
    case "text_after_quote":
      return lineTexts.textAfterQuote()
  }
}

interface Where {
  /** The line number of the row, and the number of lines that the row spans. */
  readonly line: number
  readonly lines: number
  readonly bad: ReadonlySet<number>
  readonly bytesMax: number
}

/** Adds a row to `records`, unless it is blank: a row of delimiters alone, such as spreadsheets write, counts as none. */
const addRow = (
  records: Array<CsvRecord>,
  cells: ReadonlyArray<string>,
  { bad, bytesMax, line, lines }: Where,
): void => {
  if (cells.every(isBlank)) return
  const length = lengthOf(cells)
  const message = rowFault(cells, length, bytesMax) ?? utf8Fault(bad, line, lines)
  if (message === undefined) records.push({ _tag: "CsvRow", line, cells, length })
  else records.push({ _tag: "LineFault", line, message })
}

/** Returns whether a cell has no content. */
export const isBlank = (cell: string): boolean => cell === "" || cell.trim() === ""

const lengthOf = (cells: ReadonlyArray<string>): number => {
  let length = cells.length
  for (const cell of cells) length += cell.length
  return length
}

const rowFault = (cells: ReadonlyArray<string>, length: number, bytesMax: number): string | undefined =>
  length * 3 > bytesMax && exceedsBytes(cells.join(","), bytesMax)
    ? lineTexts.rowTooLarge({ bytes: bytesMax })
    : undefined

const utf8Fault = (bad: ReadonlySet<number>, line: number, lines: number): string | undefined => {
  if (bad.size === 0) return undefined
  for (let i = line; i < line + lines; i++) if (bad.has(i)) return lineTexts.notUtf8()
  return undefined
}

const byteOrderMark = "\uFEFF"
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder("utf-8", { ignoreBOM: true })
// latin1 decodes each byte to one character, so a UTF-8 sequence is found in it as a text.
const latin1 = new TextDecoder("latin1")

/**
 * Returns the carried text followed by the text of the block, and the numbers of the lines that are not valid UTF-8.
 */
const decodeText = (state: ReaderState, { bytes }: Block) => {
  const after = (decoded: string) =>
    state === initialState && decoded.startsWith(byteOrderMark) ? decoded.slice(1) : state.carried + decoded
  try {
    return { text: after(strict.decode(bytes)), bad: state.bad }
  } catch {
    const text = lossy.decode(bytes)
    const found = badLines(bytes, text, state.line + breaks(state.carried))
    return { text: after(text), bad: new Set([...state.bad, ...found]) }
  }
}

/** U+FFFD, which takes the place of invalid bytes, and its encoding in UTF-8, decoded as latin1. */
const replacement = "\uFFFD"
const encodedReplacement = "\u00EF\u00BF\u00BD"

/**
 * Returns the numbers of the lines that are not valid UTF-8: those with more replacement characters in their text than
 * in their bytes. Decoding each line on its own would throw an error for each bad line, which is slow.
 */
const badLines = (bytes: Uint8Array, text: string, first: number): ReadonlySet<number> => {
  const bad = new Set<number>()
  const encoded = latin1.decode(bytes).split(anyBreak)
  for (const [i, line] of text.split(anyBreak).entries()) {
    if (countIn(line, replacement) > countIn(encoded[i] ?? "", encodedReplacement)) bad.add(first + i)
  }
  return bad
}

const countIn = (text: string, part: string): number => {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}

/** Returns the offset after the first line break at or after `from`, or -1 if the text has no further line break. */
const lineEnd = (text: string, from: number): number => {
  anyBreak.lastIndex = from
  return anyBreak.test(text) ? anyBreak.lastIndex : -1
}

const anyBreak = /\r\n|\r|\n/g

const breaks = (text: string): number => {
  let count = 0
  for (let at = lineEnd(text, 0); at >= 0; at = lineEnd(text, at)) count++
  return count
}
