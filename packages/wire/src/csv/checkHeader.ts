import { trimInvisible } from "@inlethq/core/values/invisible"
import { defaultBrand } from "../decoding/Brand.ts"
import { headerTexts } from "../texts/csvTexts.ts"
import { encodingOf } from "./encodingOf.ts"
import { foreignFormat } from "./foreignFormat.ts"
import {
  eventsColumns,
  eventsHeaderFaults,
  peopleColumns,
  peopleHeaderFaults,
  withoutTitle,
  type HeaderSettings,
} from "./header.ts"
import { initialState, readRecords } from "./Records.ts"
import { delimiters } from "./scanRecord.ts"

/** The columns of a file, and why the file cannot be imported. */
export interface CheckedHeader {
  /** The names as they are read, without those of columns that have none. */
  readonly names: ReadonlyArray<string>
  /** Empty if the file can be imported. */
  readonly faults: ReadonlyArray<string>
}

const readings = {
  people: { columns: peopleColumns, faults: peopleHeaderFaults },
  events: { columns: eventsColumns, faults: eventsHeaderFaults },
} as const

/**
 * Reads the header at the beginning of a file as an import would: in UTF-8 or UTF-16, with the first of the delimiters
 * with which it is valid. `bytes` must contain the whole header.
 */
export const checkHeader = (
  bytes: Uint8Array,
  kind: keyof typeof readings,
  settings: HeaderSettings,
): CheckedHeader => {
  const encoding = encodingOf(bytes)
  const format = encoding === "utf-8" ? foreignFormat(bytes) : undefined
  if (format !== undefined) return { names: [], faults: [headerTexts.notCsv({ format })] }
  const text = new TextEncoder().encode(new TextDecoder(encoding).decode(bytes))
  const reading = readings[kind]
  const columnsOf = (cells: ReadonlyArray<string>) => reading.columns(defaultBrand, cells)
  const faultsOf = (cells: ReadonlyArray<string>) => reading.faults(settings, columnsOf(cells))
  let refused: CheckedHeader | undefined
  for (const delimiter of delimiters) {
    const piece = { bytes: text, isLast: true }
    const [header, ...rows] = readRecords(initialState, piece, { bytesMax: text.length, delimiter }).records
    if (header === undefined) break
    if (header._tag === "LineFault") {
      refused ??= { names: [], faults: [header.message] }
      continue
    }
    const names = namesIn(header.cells, columnsOf(header.cells))
    const faults = faultsOf(header.cells)
    if (faults.length === 0) return { names, faults }
    const below = rows.flatMap((row) => (row._tag === "CsvRow" ? [row] : []))
    refused ??= { names, faults: withoutTitle(faults, below, faultsOf) }
  }
  return refused ?? { names: [], faults: [headerTexts.emptyFile()] }
}

/** Returns the names that columns have in the file, or `id` and `email` where a column is read as one of these. */
const namesIn = (cells: ReadonlyArray<string>, columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.flatMap((cell, i) => {
    const column = columns[i] ?? ""
    if (column === "") return []
    return column === "id" || column === "email" ? [column] : [trimInvisible(cell)]
  })
