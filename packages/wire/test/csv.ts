import { assert, describe, it } from "@effect/vitest"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Result, Stream } from "effect"
import { blocks, piecesOf } from "../src/csv/Blocks.ts"
import { ImportFile, type ImportCommand, type ImportKind } from "../src/csv/ImportFile.ts"
import { initialState, readRecords, type CsvRecord } from "../src/csv/Records.ts"
import { assertCommand, receipt, workspace, type ExpectedFields } from "./requests.ts"

const encoder = new TextEncoder()

export const bytesOf = (file: string | Uint8Array): Uint8Array =>
  typeof file === "string" ? encoder.encode(file) : file

/** Streams a file in chunks of `size` bytes. */
export const arriving = (file: Uint8Array, size: number): Stream.Stream<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < file.length; at += size) pieces.push(file.subarray(at, at + size))
  return Stream.fromIterable(pieces)
}

/** Formats a record as `line: cells`, or as `line! message` if its line could not be read as a row. */
const recordLine = (record: CsvRecord): string =>
  record._tag === "CsvRow" ? `${record.line}: ${record.cells.join("|")}` : `${record.line}! ${record.message}`

/** Returns all records of a file that is split into blocks of `blockBytes` bytes. */
export const recordsOf = Effect.fnUntraced(function* (
  file: string | Uint8Array,
  bytesMax = 1000,
  blockBytes = 100_000,
  pieceBytes = blockBytes,
) {
  let state = initialState
  const lines: Array<string> = []
  yield* Stream.runForEach(blocks(arriving(bytesOf(file), 7), blockBytes), (block) =>
    Effect.sync(() => {
      for (const piece of piecesOf(block, pieceBytes)) {
        const { next, records } = readRecords(state, piece, { bytesMax, delimiter: "," })
        state = next
        lines.push(...records.map(recordLine))
      }
    }),
  )
  return lines
})

/** The line number of a row, and its decoded command or error message. */
type RowOutcome<Command> = readonly [line: number, outcome: Command | string]

/** Returns the outcome of each row of a file. If the header is invalid, returns the errors of the header instead. */
const imported = (kind: ImportKind, file: string | Uint8Array, over: Workspace) => {
  const received = receipt("csv", over)
  const opened = new ImportFile(kind, received)
  return Result.match(opened.read({ bytes: bytesOf(file), isLast: true }), {
    onSuccess: (records) =>
      records.map((record): RowOutcome<ImportCommand> => {
        if (record._tag === "LineFault") return [record.line, record.message]
        const read = opened.decode(received, record, `key:${record.line}`)
        return [record.line, Result.isFailure(read) ? read.failure.message : read.success]
      }),
    onFailure: ({ faults }) => faults.map(({ line, message }): RowOutcome<ImportCommand> => [line, message]),
  })
}

/** Returns the commands of the rows of a file. */
export const importedRows = (kind: ImportKind, file: string, over: Workspace): ReadonlyArray<ImportCommand> =>
  imported(kind, file, over).flatMap(([, outcome]) => (typeof outcome === "string" ? [] : [outcome]))

/** A test case: its title, a file, the expected outcome of each row, and the workspace if it is not the default one. */
type ImportRow = readonly [
  name: string,
  file: string | Uint8Array,
  expected: ReadonlyArray<RowOutcome<ExpectedFields>>,
  over?: Workspace,
]

/** Defines one test for each row. Every row is a CSV file of the given kind. */
export const importTable = (kind: ImportKind) => (title: string, rows: ReadonlyArray<ImportRow>) => {
  describe(title, () => {
    for (const [name, file, expected, over = workspace] of rows) {
      it(name, () => {
        const outcome = imported(kind, file, over)
        assert.deepStrictEqual(
          outcome.map(([line]) => line),
          expected.map(([line]) => line),
        )
        for (const [i, [, wanted]] of expected.entries()) {
          const got = outcome[i]?.[1]
          if (typeof wanted === "string" || typeof got === "string") assert.strictEqual<unknown>(got, wanted)
          else assertCommand(got, wanted)
        }
      })
    }
  })
}
