/** The characters that can separate the cells of a row. */
export type Delimiter = "," | ";" | "\t"

/** The delimiters in the order in which a header is read with them. */
export const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t"]

/**
 * The reason why a record cannot be read. `unclosed` means that the text ends inside a quoted cell, and `too_long` that
 * the record is longer than the limit.
 */
export type ScanProblem = "too_long" | "unclosed" | "quote_inside" | "text_after_quote"

/** A record that was read from a text. */
interface Scanned {
  readonly _tag: "Scanned"
  readonly cells: ReadonlyArray<string>
  /** The offset after the record and its line break. */
  readonly end: number
  /** The number of line breaks inside the record's cells. */
  readonly breaks: number
}

interface Unreadable {
  readonly _tag: "Unreadable"
  readonly problem: ScanProblem
}

const quote = 34
const LF = 10
const CR = 13

/**
 * Reads the record that begins at an offset (RFC 4180). A line ends with LF, CRLF or CR. The limit is in characters and
 * counts quotes and delimiters, but not the line break after the record. Effect's CSV decoder ends at the first
 * unreadable record, so it would have to start again after each one.
 */
export const scanRecord = (
  text: string,
  start: number,
  delimiter: Delimiter,
  lengthMax: number,
): Scanned | Unreadable => {
  const separator = delimiter.charCodeAt(0)
  const cells: Array<string> = []
  let breaks = 0
  let at = start
  for (;;) {
    let end: number
    if (text.charCodeAt(at) === quote) {
      end = closingQuote(text, at + 1) + 1
      if (end === 0) return unreadable("unclosed", text.length - start, lengthMax)
      const cell = text.slice(at + 1, end - 1)
      breaks += breaksIn(cell)
      cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell)
    } else {
      end = at
      while (end < text.length) {
        const code = text.charCodeAt(end)
        if (code === separator || code === LF || code === CR) break
        if (code === quote) return unreadable("quote_inside", end - start, lengthMax)
        end++
      }
      cells.push(text.slice(at, end))
    }
    const code = end < text.length ? text.charCodeAt(end) : LF
    if (code !== separator) {
      if (code !== LF && code !== CR) return unreadable("text_after_quote", end - start, lengthMax)
      if (end - start > lengthMax) return { _tag: "Unreadable", problem: "too_long" }
      const isPair = code === CR && text.charCodeAt(end + 1) === LF
      return { _tag: "Scanned", cells, end: end + (isPair ? 2 : 1), breaks }
    }
    at = end + 1
  }
}

/** Returns the offset of the quote that closes a cell, or -1 if the text ends before it. A doubled quote is data. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
  return at
}

const breaksIn = (cell: string): number => {
  let count = 0
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i)
    if (code === LF ? cell.charCodeAt(i - 1) !== CR : code === CR) count++
  }
  return count
}

const unreadable = (problem: ScanProblem, length: number, lengthMax: number): Unreadable => ({
  _tag: "Unreadable",
  problem: length > lengthMax ? "too_long" : problem,
})
