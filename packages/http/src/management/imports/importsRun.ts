import { piecesOf, type Block } from "@inlet/api/csv/Blocks"
import { ImportFile, type ImportCommand, type ImportKind } from "@inlet/api/csv/ImportFile"
import type { CsvRecord, LineFault } from "@inlet/api/csv/Records"
import type { ImportProgress } from "@inlet/api/management/Imports"
import { defaultBrand } from "@inlet/api/wire/Brand"
import type { OpenedWorkspace, Receipt } from "@inlet/api/wire/Receipt"
import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Ingest } from "@inlet/engine/commits/Ingest"
import type { SubmitError } from "@inlet/engine/commits/IngestBounds"
import type { Store } from "@inlet/core/ports/Store"
import { TrustedTime } from "@inlet/engine/time/TrustedTime"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect, Result, Schedule, Stream } from "effect"
import { ImportKeys, type BlockKeys } from "./importsKeys.ts"
import { rowStatusesOf, type RowStatus } from "./importsRowStatus.ts"
import { noSuchPerson, Tally } from "./importsTally.ts"
import { BrandInUse } from "../../BrandInUse.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The largest number of rows in one commit. The next rows are processed after that commit. */
const chunkRowsMax = 500

/** Retries for 10 seconds while the store is unavailable or the queue is full. Then the import fails. */
const retries = {
  schedule: Schedule.spaced("250 millis"),
  times: 40,
  while: (error: SubmitError) => error._tag !== "WorkspaceDeleted",
}

export interface ImportRequest {
  readonly kind: ImportKind
  /** The workspace, with the sender of the file. */
  readonly workspace: OpenedWorkspace
  readonly file: Stream.Stream<Block, unknown>
  /** The `Idempotency-Key` of the upload. */
  readonly key: string | undefined
  /** The largest number of errors in the summary. */
  readonly errorsMax: number
}

/** The services that an import uses. */
export interface ImportServices {
  readonly ingest: Ingest["Service"]
  readonly store: Store["Service"]
}

type ReportProgress = (progress: ImportProgress) => void

/** Imports a file block by block with bounded memory, and reports progress after each commit. Returns the summary. */
export const runImport = Effect.fnUntraced(function* (
  services: ImportServices,
  { errorsMax, file, key, kind, workspace }: ImportRequest,
  reportProgress: ReportProgress,
) {
  const receipt: Receipt = { workspace, brand: defaultBrand, source: "csv", receivedAt: 0, batchIndex: null }
  const run: Run = {
    services,
    receipt,
    file: new ImportFile(kind, receipt),
    keys: new ImportKeys(kind, key),
    tally: new Tally(errorsMax, yield* BrandInUse),
    bytes: 0,
    isRefused: false,
    isDifferent: false,
  }
  yield* Stream.runForEach(file, (block) => importBlock(run, block, reportProgress))
  return run.tally.summary
})

/** The state of a running import. */
interface Run {
  readonly services: ImportServices
  readonly receipt: Receipt
  readonly file: ImportFile
  readonly keys: ImportKeys
  readonly tally: Tally
  /** The total size, in bytes, of the file's blocks that were processed. */
  bytes: number
  /**
   * True if the header line is invalid. The rest of the file is still read and then discarded, because some clients
   * send the whole file before they read the response.
   */
  isRefused: boolean
  /**
   * True if the `Idempotency-Key` of the upload was used before for a different file, and the first difference is in
   * this block or an earlier block. From that block on, no row is imported.
   */
  isDifferent: boolean
}

const importBlock = Effect.fnUntraced(function* (run: Run, block: Block, reportProgress: ReportProgress) {
  const { keys, receipt } = run
  if (run.isRefused) return
  const names = keys.next(block.bytes)
  run.isDifferent ||= yield* isDifferentFile(run.services.store, receipt.workspace, names)
  let waiting: ReadonlyArray<CsvRecord> = []
  for (const piece of piecesOf(block)) {
    yield* Effect.yieldNow
    waiting = [...waiting, ...recordsOf(run, piece)]
    while (waiting.length >= chunkRowsMax) {
      yield* importRecords(run, waiting.slice(0, chunkRowsMax), names.rows)
      waiting = waiting.slice(chunkRowsMax)
      reportProgress(run.tally.progress(run.bytes))
    }
    run.bytes += piece.bytes.length
  }
  yield* importRecords(run, waiting, names.rows)
  reportProgress(run.tally.progress(run.bytes))
})

/** Returns the records of a piece. Returns none if the header is invalid. */
const recordsOf = (run: Run, piece: Block): ReadonlyArray<CsvRecord> => {
  if (run.isRefused) return []
  const records = run.file.read(piece)
  if (Result.isSuccess(records)) return records.success
  run.isRefused = true
  for (const { line, message } of records.failure.faults) run.tally.note(line, message)
  return []
}

/**
 * Imports up to `chunkRowsMax` records. Other work runs first, because records without effect, such as faults and
 * repeated rows, wait for nothing.
 */
const importRecords = Effect.fnUntraced(function* (
  run: Run,
  records: ReadonlyArray<CsvRecord>,
  keyPrefix: string,
) {
  yield* Effect.yieldNow
  if (run.isDifferent) {
    for (const { line } of records) run.tally.fail(line, keyReusedDetail)
    return
  }
  const received = { ...run.receipt, receivedAt: yield* Clock.currentTimeMillis }
  yield* importChunk(
    run,
    records.map((record) => readRow(run.file, received, record, keyPrefix)),
  )
})

/**
 * The error for an `Idempotency-Key` that was used before for another file. If the first block differs, the error is
 * the response to the upload. If a later block differs, the error is the result of each row from that block on.
 */
export const keyReusedDetail = problemTexts.keyOfAnotherFile()

/**
 * Returns true if the `Idempotency-Key` of an upload was used before for a file that differs in this block or an
 * earlier block. Otherwise, registers the block for later uploads with the same key. Does nothing for an upload without
 * a key.
 */
export const isDifferentFile = Effect.fnUntraced(function* (
  store: Store["Service"],
  workspace: Workspace,
  { digest, part }: BlockKeys,
) {
  if (part === null) return false
  const at = yield* yield* TrustedTime
  const registered = store.registerUpload({ workspace: workspace.id, name: part, digest, at })
  return (yield* Effect.retry(registered, retries)) !== digest
})

interface ReadRow {
  readonly _tag: "ReadRow"
  readonly line: number
  readonly command: ImportCommand
  /** The approximate size of the row in the uploaded file, in bytes. */
  readonly length: number
}

const readRow = (
  file: ImportFile,
  receipt: Receipt,
  record: CsvRecord,
  name: string,
): ReadRow | LineFault => {
  if (record._tag === "LineFault") return record
  const { length, line } = record
  const decoded = file.decode(receipt, record, `${name}:${line}`)
  return Result.isFailure(decoded)
    ? decoded.failure
    : { _tag: "ReadRow", line, command: decoded.success, length }
}

/**
 * Applies only the `fresh` rows of a chunk, in one commit. Then counts the result of every row, in the order of the
 * file.
 */
const importChunk = Effect.fnUntraced(function* (
  { services, tally }: Run,
  chunk: ReadonlyArray<ReadRow | LineFault>,
) {
  const rows = chunk.filter((row) => row._tag === "ReadRow")
  const commands = rows.map(({ command }) => command)
  const known = yield* Effect.retry(rowStatusesOf(services.store, commands), retries)
  const fresh = rows.filter((_, i) => known[i] === "fresh")
  const entries = fresh.length === 0 ? [] : yield* Effect.retry(submit(services, fresh), retries)
  let checked = 0
  let applied = 0
  for (const row of chunk) {
    if (row._tag === "LineFault") tally.fail(row.line, row.message)
    else {
      const rowStatus = known[checked++]
      count(tally, row.line, rowStatus, rowStatus === "fresh" ? entries[applied++] : undefined)
    }
  }
})

const submit = ({ ingest }: ImportServices, rows: ReadonlyArray<ReadRow>) =>
  ingest.submit(
    rows.map(({ command }) => command),
    rows.reduce((sum, { length }) => sum + length, 0),
  )

const count = (
  tally: Tally,
  line: number,
  rowStatus: RowStatus | undefined,
  entry: ActivityEntry | undefined,
): void => {
  if (rowStatus === "missing") tally.fail(line, noSuchPerson)
  else if (entry === undefined) tally.skip()
  else tally.settle(line, entry)
}
