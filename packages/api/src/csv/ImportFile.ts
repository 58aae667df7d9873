import type { IdentifyPerson } from "@inlet/core/person/commands"
import type { RecordEvent } from "@inlet/core/event/commands"
import { Data, Effect, Result } from "effect"
import type { Receipt } from "../wire/Receipt.ts"
import type { Block } from "./Blocks.ts"
import { eventsHeader } from "./events.ts"
import { peopleHeader } from "./people.ts"
import {
  initialState,
  readRecords,
  rowBytesMax,
  type CsvRecord,
  type CsvRow,
  type LineFault,
  type ReaderState,
} from "./Records.ts"
import type { ReadHeader, ReadRow } from "./Row.ts"
import { headerTexts, lineTexts } from "./faults.ts"

/** The kinds of data that can be imported from CSV files (contract §13). */
export type ImportKind = "people" | "events"

export type ImportCommand = IdentifyPerson | RecordEvent

/** The header is invalid, so no row of the file can be imported. */
export class WrongHeader extends Data.TaggedError("WrongHeader")<{
  readonly faults: ReadonlyArray<LineFault>
}> {}

/** Decodes an imported file block by block: first its header, then its rows. */
export class ImportFile {
  private readonly kind: ImportKind
  private readonly receipt: Receipt
  private state: ReaderState = initialState
  private width = 0
  private readRow: ReadRow<ImportCommand> | undefined

  constructor(kind: ImportKind, receipt: Receipt) {
    this.kind = kind
    this.receipt = receipt
  }

  /** Returns the rows and the unreadable lines of the next block, in order. Fails if the header is invalid. */
  read(block: Block): Effect.Effect<ReadonlyArray<CsvRecord>, WrongHeader> {
    const bytesMax = rowBytesMax(this.receipt.workspace.limits.batchItemBytesMax)
    return Effect.flatMap(readRecords(this.state, block, bytesMax), ({ next, records }) => {
      this.state = next
      if (this.readRow !== undefined) return Effect.succeed(records)
      const [header, ...rows] = records
      if (header !== undefined) return Effect.as(this.open(header), rows)
      return block.isLast ? Effect.fail(wrongHeader(1, [headerTexts.emptyFile()])) : Effect.succeed(rows)
    })
  }

  /** Decodes a row as a command. Fails with the fault of an invalid row. */
  decode(receipt: Receipt, row: CsvRow, deduplicationKey: string): Result.Result<ImportCommand, LineFault> {
    const { cells, line } = row
    if (this.readRow === undefined || cells.length !== this.width) {
      return Result.fail(lineFault(line, lineTexts.wrongWidth({ expected: this.width, found: cells.length })))
    }
    return Result.mapError(this.readRow(receipt, { cells, deduplicationKey }), (message) =>
      lineFault(line, message),
    )
  }

  private open(header: CsvRecord): Effect.Effect<void, WrongHeader> {
    if (header._tag === "LineFault") return Effect.fail(new WrongHeader({ faults: [header] }))
    const opened = headers[this.kind](this.receipt, header.cells)
    if (Result.isFailure(opened)) return Effect.fail(wrongHeader(header.line, opened.failure))
    this.readRow = opened.success
    this.width = header.cells.length
    return Effect.void
  }
}

const headers: { readonly [kind in ImportKind]: ReadHeader<ImportCommand> } = {
  people: peopleHeader,
  events: eventsHeader,
}

const lineFault = (line: number, message: string): LineFault => ({ _tag: "LineFault", line, message })

const wrongHeader = (line: number, messages: ReadonlyArray<string>) =>
  new WrongHeader({ faults: messages.map((message) => lineFault(line, message)) })
