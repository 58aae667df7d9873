import { piecesOf, type Block } from "@inlethq/wire/csv/Blocks"
import { ImportFile, type ImportCommand, type ImportKind } from "@inlethq/wire/csv/ImportFile"
import type { CsvRecord, LineFault } from "@inlethq/wire/csv/Records"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { OpenedWorkspace, Receipt } from "@inlethq/wire/decoding/Receipt"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import type { SubmitError } from "@inlethq/engine/commits/IngestBounds"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import type { Pace } from "@inlethq/engine/rules/Pace"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Option, Result, Schedule, Stream } from "effect"
import { ImportKeys, type BlockKeys } from "./importsKeys.ts"
import { rowStatesOf, type RowState } from "./importsRowStatus.ts"
import { noSuchPerson, type Tally } from "./importsTally.ts"
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

/** What an import that goes on without its client does beside reading its file. */
export interface Continued {
  /** The number of records that were read before. They are passed over. */
  readonly records: number
  /**
   * The end of the log when the import began, if it was interrupted since. A row with a later entry was imported by it, and is
   * counted by that entry.
   */
  readonly after: number | null
  readonly entryAt: (sequence: Sequence) => Effect.Effect<Option.Option<ActivityEntry>, StoreUnavailable>
  /** Returns those commands that say nothing about people who were erased after the upload. */
  readonly allowed: (
    commands: ReadonlyArray<ImportCommand>,
  ) => Effect.Effect<ReadonlySet<ImportCommand>, StoreUnavailable>
  /** Returns the lines that name people who were erased after the upload. */
  readonly namingErased: (
    faults: ReadonlyArray<LineFault>,
  ) => Effect.Effect<ReadonlySet<LineFault>, StoreUnavailable>
  readonly pace: Pace
}

/** What was read of a file. */
export interface Read {
  readonly tally: Tally
  readonly records: number
  readonly bytes: number
  /** Whether the header is invalid. */
  readonly isRefused: boolean
}

/**
 * Imports a file block by block with bounded memory, and reports progress after each commit. Counts in a tally, and returns
 * what was read.
 */
export const runImport = Effect.fnUntraced(function* <E, R>(
  services: ImportServices,
  { file, key, kind, workspace }: Omit<ImportRequest, "errorsMax">,
  tally: Tally,
  reportProgress: (read: Read) => Effect.Effect<void, E, R>,
  continued: Continued | null = null,
) {
  const receipt: Receipt = { workspace, brand: defaultBrand, source: "csv", receivedAt: 0, batchIndex: null }
  const run: Run = {
    services,
    receipt,
    file: new ImportFile(kind, receipt),
    keys: new ImportKeys(kind, key),
    tally,
    continued,
    records: 0,
    bytes: 0,
    isRefused: false,
    isDifferent: false,
  }
  yield* Stream.runForEach(file, (block) => importBlock(run, block, reportProgress))
  return run satisfies Read
})

/** The state of a running import. */
interface Run {
  readonly services: ImportServices
  readonly receipt: Receipt
  readonly file: ImportFile
  readonly keys: ImportKeys
  readonly tally: Tally
  readonly continued: Continued | null
  /** The number of records that were read. */
  records: number
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

const importBlock = Effect.fnUntraced(function* <E, R>(
  run: Run,
  block: Block,
  reportProgress: (read: Read) => Effect.Effect<void, E, R>,
) {
  const { keys, receipt } = run
  if (run.isRefused) return
  const names = keys.next(block.bytes)
  run.isDifferent ||= yield* isDifferentFile(run.services.store, receipt.workspace, names)
  let waiting: ReadonlyArray<CsvRecord> = []
  for (const piece of piecesOf(block)) {
    yield* Effect.yieldNow
    waiting = [...waiting, ...recordsOf(run, piece)]
    while (waiting.length >= chunkRowsMax) {
      const isRead = yield* importRecords(run, waiting.slice(0, chunkRowsMax), names.rows)
      waiting = waiting.slice(chunkRowsMax)
      if (isRead) yield* reportProgress(run)
    }
    run.bytes += piece.bytes.length
  }
  if (yield* importRecords(run, waiting, names.rows)) yield* reportProgress(run)
})

/** Returns the records of a piece. Returns none if the header is invalid. */
const recordsOf = (run: Run, piece: Block): ReadonlyArray<CsvRecord> => {
  if (run.isRefused) return []
  const records = run.file.read(piece)
  if (Result.isSuccess(records)) return records.success
  run.isRefused = true
  for (const fault of records.failure.faults) run.tally.note(fault, fault.message)
  return []
}

/**
 * Imports up to `chunkRowsMax` records. Other work runs first, because records without effect, such as faults and
 * repeated rows, wait for nothing. Returns false if they were imported before.
 */
const importRecords = Effect.fnUntraced(function* (
  run: Run,
  found: ReadonlyArray<CsvRecord>,
  keyPrefix: string,
) {
  yield* Effect.yieldNow
  const records = found.slice(Math.max(0, (run.continued?.records ?? 0) - run.records))
  run.records += found.length
  if (records.length === 0 && found.length > 0) return false
  if (run.isDifferent) {
    for (const { line } of records) run.tally.fail({ line }, keyReusedDetail)
    return true
  }
  const received = { ...run.receipt, receivedAt: yield* Clock.currentTimeMillis }
  yield* importChunk(
    run,
    records.map((record) => readRow(run.file, received, record, keyPrefix)),
  )
  return true
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
  /** The cells that identify people. */
  readonly named: ReadonlyArray<string>
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
    : { _tag: "ReadRow", line, named: file.namedIn(record.cells), command: decoded.success, length }
}

/**
 * Applies only the `fresh` rows of a chunk, in one commit. Then counts the result of every row, in the order of the
 * file.
 */
const importChunk = Effect.fnUntraced(function* (
  { continued, receipt, services, tally }: Run,
  chunk: ReadonlyArray<ReadRow | LineFault>,
) {
  const rows = chunk.filter((row) => row._tag === "ReadRow")
  const commands = rows.map(({ command }) => command)
  const states = yield* Effect.retry(rowStatesOf(services.store, commands), retries)
  const unknown = rows.filter((_, i) => states[i]?.status === "fresh")
  const allowed =
    continued === null
      ? null
      : yield* Effect.retry(continued.allowed(unknown.map(({ command }) => command)), retries)
  const fresh = allowed === null ? unknown : unknown.filter(({ command }) => allowed.has(command))
  const commit = fresh.length === 0 ? noEntries : Effect.retry(submit(services, fresh), retries)
  const entries = yield* continued === null ? commit : continued.pace.run(receipt.workspace.id, commit)
  const settled = new Map(fresh.map(({ line }, i) => [line, entries[i]]))
  const faults = chunk.filter((row) => row._tag === "LineFault")
  const erased =
    continued === null || faults.length === 0
      ? noFaults
      : yield* Effect.retry(continued.namingErased(faults), retries)
  let checked = 0
  for (const row of chunk) {
    if (row._tag === "LineFault") {
      if (erased.has(row)) tally.fail({ line: row.line }, problemTexts.erasedSinceUpload())
      else tally.fail(row, row.message)
    } else yield* count(tally, continued, row, states[checked++], settled)
  }
})

const noFaults: ReadonlySet<LineFault> = new Set()
const noEntries: Effect.Effect<ReadonlyArray<ActivityEntry>> = Effect.succeed([])

const submit = ({ ingest }: ImportServices, rows: ReadonlyArray<ReadRow>) =>
  ingest.submit(
    rows.map(({ command }) => command),
    rows.reduce((sum, { length }) => sum + length, 0),
  )

/** Counts the result of a row. `settled` has the entries of the rows that were applied now, by their lines. */
const count = Effect.fnUntraced(function* (
  tally: Tally,
  continued: Continued | null,
  row: ReadRow,
  state: RowState | undefined,
  settled: ReadonlyMap<number, ActivityEntry | undefined>,
): Effect.fn.Return<void, StoreUnavailable> {
  const { line } = row
  const entry = settled.get(line)
  if (entry !== undefined) return tally.settle(row, entry)
  if (state?.status === "missing") return tally.fail(row, noSuchPerson)
  if (state?.status === "fresh" && continued !== null && !settled.has(line)) {
    tally.skip()
    return tally.note({ line }, problemTexts.erasedSinceUpload())
  }
  const after = continued?.after ?? null
  const sequence = state?.sequence ?? null
  if (continued === null || after === null || sequence === null || sequence <= after) return tally.skip()
  const own = yield* continued.entryAt(sequence)
  return Option.isSome(own) ? tally.settle(row, own.value) : tally.skip()
})
