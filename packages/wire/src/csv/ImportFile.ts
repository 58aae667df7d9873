import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { RecordEvent } from "@inlethq/core/event/commands"
import { trimInvisible } from "@inlethq/core/values/invisible"
import { followPlan } from "@inlethq/core/followPlan"
import { Data, Result } from "effect"
import { refusedPlaceholder } from "../decoding/readOtherwise.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { identifierTexts } from "../texts/wireTexts.ts"
import { lineMessage } from "./lineMessage.ts"
import type { Block } from "./Blocks.ts"
import { eventsHeader } from "./events.ts"
import { foreignFormat } from "./foreignFormat.ts"
import { peopleHeader } from "./people.ts"
import { eventColumns, eventsColumns, peopleColumns, withoutTitle } from "./header.ts"
import {
  initialState,
  isBlank,
  readRecords,
  rowBytesMax,
  type CsvRecord,
  type CsvRow,
  type LineFault,
  type ReaderState,
} from "./Records.ts"
import type { ReadHeader, ReadRow } from "./Row.ts"
import { delimiters, type Delimiter } from "./scanRecord.ts"
import { headerTexts, lineTexts } from "../texts/csvTexts.ts"

/** The kinds of data that can be imported from CSV files (contract §13). */
export type ImportKind = "people" | "events"

export type ImportCommand = IdentifyPerson | RecordEvent

/** The header is invalid, so no row of the file can be imported. */
export class WrongHeader extends Data.TaggedError("WrongHeader")<{
  readonly faults: ReadonlyArray<LineFault>
}> {}

/** Decodes an imported file piece by piece: first its header, then its rows. */
export class ImportFile {
  private readonly kind: ImportKind
  private readonly receipt: Receipt
  private readonly bytesMax: number
  private delimiter: Delimiter = ","
  private state: ReaderState = initialState
  /** Which of the columns have a name. Those without may have no cells (contract §13 *CSV*). */
  private isNamed: ReadonlyArray<boolean> = []
  /** The places of the columns that identify people. */
  private naming: ReadonlyArray<number> = []
  private readRow: ReadRow<ImportCommand> | undefined

  constructor(kind: ImportKind, receipt: Receipt) {
    this.kind = kind
    this.receipt = receipt
    this.bytesMax = rowBytesMax(receipt.workspace.limits.batchItemBytesMax)
  }

  /** Returns the rows and the unreadable lines of the next piece, in order. Fails if the header is invalid. */
  read(piece: Block): Result.Result<ReadonlyArray<CsvRecord>, WrongHeader> {
    if (this.readRow !== undefined) return Result.succeed(this.records(piece, this.delimiter))
    if (this.state === initialState) {
      const format = foreignFormat(piece.bytes)
      if (format !== undefined) return wrongHeader(1, [], [headerTexts.notCsv({ format })])
    }
    return this.open(piece)
  }

  /** Decodes a row as a command. Fails with the fault of an invalid row. */
  decode(receipt: Receipt, row: CsvRow, deduplicationKey: string): Result.Result<ImportCommand, LineFault> {
    const { cells, line } = row
    const fault = this.shapeFault(cells)
    const failed = (message: string) =>
      Result.fail({ ...lineFault(line, message), named: this.namedIn(cells) })
    if (this.readRow === undefined || fault !== undefined) return failed(fault ?? headerTexts.emptyFile())
    const read = this.readRow(receipt, { cells, deduplicationKey })
    if (Result.isFailure(read)) return failed(read.failure)
    const placeholder = refusedPlaceholder(read.success)
    if (placeholder !== null) return failed(lineMessage([identifierTexts.placeholder(placeholder.kind)]))
    const followed = followPlan(read.success, { root: "attributes", areCells: true })
    if (followed._tag !== "PlanRefusal") return Result.succeed(followed)
    // An entry names its data as a call does, and the summary of an import names the columns of the file.
    const named = followPlan(read.success, { root: "", areCells: true })
    return failed(lineMessage(named._tag === "PlanRefusal" ? named.faults : followed.faults))
  }

  /** Returns the cells of a row that identify people. */
  namedIn(cells: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.naming.flatMap((place) => nonBlank(cells[place] ?? ""))
  }

  /**
   * Reads the header with each delimiter in turn, and takes the first with which it is valid. If none is, the faults
   * are those with commas.
   */
  private open(piece: Block): Result.Result<ReadonlyArray<CsvRecord>, WrongHeader> {
    const before = this.state
    let refused: Result.Result<never, WrongHeader> | undefined
    for (const delimiter of delimiters) {
      this.state = before
      const [header, ...rows] = this.records(piece, delimiter)
      if (header === undefined) {
        return piece.isLast ? wrongHeader(1, [], [headerTexts.emptyFile()]) : Result.succeed(rows)
      }
      if (header._tag === "LineFault") refused ??= Result.fail(new WrongHeader({ faults: [header] }))
      else {
        const opened = headers[this.kind](this.receipt, header.cells)
        if (Result.isSuccess(opened)) {
          this.delimiter = delimiter
          this.readRow = opened.success
          this.isNamed = header.cells.map((name) => trimInvisible(name) !== "")
          this.naming = columns[this.kind](this.receipt.brand, header.cells).flatMap((name, place) =>
            namingColumns.has(name) ? [place] : [],
          )
          return Result.succeed(rows)
        }
        const below = rows.flatMap((row) => (row._tag === "CsvRow" ? [row] : []))
        // A file without a header begins with a row, which the fault quotes.
        refused ??= wrongHeader(
          header.line,
          header.cells.flatMap(nonBlank),
          withoutTitle(opened.failure, below, (cells) =>
            Result.match(headers[this.kind](this.receipt, cells), {
              onSuccess: () => [],
              onFailure: (faults) => faults,
            }),
          ),
        )
      }
    }
    return refused ?? wrongHeader(1, [], [headerTexts.emptyFile()])
  }

  /** Returns the fault of a row whose cells do not fit the columns. Empty cells may be missing where columns have no name, and be too many. */
  private shapeFault(cells: ReadonlyArray<string>): string | undefined {
    const { isNamed } = this
    const expected = isNamed.lastIndexOf(true) + 1
    if (cells.length < expected) return lineTexts.wrongWidth({ expected, found: cells.length })
    if (cells.length === isNamed.length && expected === isNamed.length && !isNamed.includes(false))
      return undefined
    const at = cells.findIndex((cell, i) => isNamed[i] !== true && !isBlank(cell))
    if (at < 0) return undefined
    return at < isNamed.length
      ? lineTexts.unnamedColumn({ column: at + 1 })
      : lineTexts.wrongWidth({ expected: isNamed.length, found: cells.length })
  }

  private records(piece: Block, delimiter: Delimiter): ReadonlyArray<CsvRecord> {
    const { next, records } = readRecords(this.state, piece, { bytesMax: this.bytesMax, delimiter })
    this.state = next
    return records
  }
}

const headers: { readonly [kind in ImportKind]: ReadHeader<ImportCommand> } = {
  people: peopleHeader,
  events: eventsHeader,
}

const columns: { readonly [kind in ImportKind]: typeof peopleColumns } = {
  people: peopleColumns,
  events: eventsColumns,
}

/** The columns of files that identify people. */
const namingColumns = new Set<string>(["id", "email", "svc_id", eventColumns.customer])

const lineFault = (line: number, message: string): LineFault => ({ _tag: "LineFault", line, message })

const wrongHeader = (
  line: number,
  named: ReadonlyArray<string>,
  messages: ReadonlyArray<string>,
): Result.Result<never, WrongHeader> =>
  Result.fail(
    new WrongHeader({ faults: messages.map((message) => ({ ...lineFault(line, message), named })) }),
  )

const nonBlank = (cell: string): ReadonlyArray<string> => {
  const text = trimInvisible(cell)
  return text === "" ? [] : [text]
}
