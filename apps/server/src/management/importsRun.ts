import type { Block } from "@inlet/api/csv/Blocks"
import { ImportFile, type ImportCommand, type ImportKind } from "@inlet/api/csv/ImportFile"
import type { CsvRecord, LineFault } from "@inlet/api/csv/Records"
import type { ImportProgress } from "@inlet/api/management/Imports"
import { defaultBrand } from "@inlet/api/wire/Brand"
import type { Receipt } from "@inlet/api/wire/Receipt"
import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Ingest } from "@inlet/core/engine/Ingest"
import type { Store } from "@inlet/core/ports/Store"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect, Result, Schedule, Stream } from "effect"
import { RowKeys, type BlockNames } from "./importsKeys.ts"
import { standingsOf, type Standing } from "./importsStanding.ts"
import { noSuchPerson, Tally } from "./importsTally.ts"
import { details } from "./details.ts"

/** Rows that share a commit; the next ones are read after it. */
const chunkRowsMax = 500

/** How long a chunk waits for a store that cannot commit, or for a full queue, before the import breaks off. */
const retries = { schedule: Schedule.spaced("250 millis"), times: 40 }

export interface ImportRequest {
  readonly kind: ImportKind
  readonly workspace: Workspace
  readonly file: Stream.Stream<Block, unknown>
  /** Names the upload, if the client does. */
  readonly key: string | undefined
}

/** Where rows are looked up and applied. */
export interface ImportServices {
  readonly ingest: Ingest["Service"]
  readonly store: Store["Service"]
}

type Tell = (progress: ImportProgress) => void

/** Imports a file block by block, in memory that does not grow with it, and tells after each commit how far it is. */
export const runImport = Effect.fnUntraced(function* (
  services: ImportServices,
  { file, key, kind, workspace }: ImportRequest,
  tell: Tell,
) {
  const receipt: Receipt = { workspace, brand: defaultBrand, source: "csv", receivedAt: 0, batchIndex: null }
  const run: Run = {
    services,
    receipt,
    file: new ImportFile(kind, receipt),
    keys: new RowKeys(kind, key),
    tally: new Tally(),
    bytes: 0,
    isRefused: false,
    isOther: false,
  }
  yield* Stream.runForEach(file, (block) => importBlock(run, block, tell))
  return run.tally.summary
})

/** An import on its way. */
interface Run {
  readonly services: ImportServices
  readonly receipt: Receipt
  readonly file: ImportFile
  readonly keys: RowKeys
  readonly tally: Tally
  /** Bytes of the blocks that are done. */
  bytes: number
  /** Whether the columns cannot be told: the rest is read for clients that listen only once they have sent everything. */
  isRefused: boolean
  /** Whether the upload's key was used for a file that differs before or in this block: nothing more is imported. */
  isOther: boolean
}

const importBlock = Effect.fnUntraced(function* (run: Run, block: Block, tell: Tell) {
  const { file, keys, receipt, tally } = run
  if (run.isRefused) return
  const names = keys.next(block.bytes)
  run.isOther ||= yield* isOfAnotherFile(run.services.store, receipt.workspace, names)
  const records = yield* Effect.catchTag(file.read(block), "WrongHeader", ({ faults }) => {
    run.isRefused = true
    for (const { line, message } of faults) tally.note(line, message)
    return Effect.succeed([])
  })
  if (run.isOther) {
    for (const { line } of records) tally.fail(line, keyOfAnotherFile)
    run.bytes += block.bytes.length
    return
  }
  const received = { ...receipt, receivedAt: yield* Clock.currentTimeMillis }
  for (let from = 0; from < records.length; from += chunkRowsMax) {
    const chunk = records.slice(from, from + chunkRowsMax)
    yield* importChunk(
      run,
      chunk.map((record) => readRow(file, received, record, names.rows)),
    )
    const share = Math.min(1, (from + chunkRowsMax) / records.length)
    tell(tally.progress(run.bytes + Math.floor(block.bytes.length * share)))
  }
  run.bytes += block.bytes.length
})

/** Why a file is refused, or its rows fail from the block on that differs. */
export const keyOfAnotherFile = details.keyOfAnotherFile()

/** Registers a block of an upload that has a key, and returns whether the key was used for a file that differs in it. */
export const isOfAnotherFile = Effect.fnUntraced(function* (
  store: Store["Service"],
  workspace: Workspace,
  { digest, part }: BlockNames,
) {
  if (part === null) return false
  const at = yield* Clock.currentTimeMillis
  const registered = store.registerUpload({ workspace: workspace.id, name: part, digest, at })
  return (yield* Effect.retry(registered, retries)) !== digest
})

interface ReadRow {
  readonly _tag: "ReadRow"
  readonly line: number
  readonly command: ImportCommand
  /** About as many bytes as it takes in the file. */
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

/** Applies what is new among the rows of a chunk in one commit, and counts all of them in their order. */
const importChunk = Effect.fnUntraced(function* (
  { services, tally }: Run,
  chunk: ReadonlyArray<ReadRow | LineFault>,
) {
  const rows = chunk.filter((row) => row._tag === "ReadRow")
  const commands = rows.map(({ command }) => command)
  const known = yield* Effect.retry(standingsOf(services.store, commands), retries)
  const fresh = rows.filter((_, i) => known[i] === "fresh")
  const entries = fresh.length === 0 ? [] : yield* Effect.retry(submit(services, fresh), retries)
  let place = 0
  let applied = 0
  for (const row of chunk) {
    if (row._tag === "LineFault") tally.fail(row.line, row.message)
    else {
      const standing = known[place++]
      count(tally, row.line, standing, standing === "fresh" ? entries[applied++] : undefined)
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
  standing: Standing | undefined,
  entry: ActivityEntry | undefined,
): void => {
  if (standing === "missing") tally.fail(line, noSuchPerson)
  else if (entry === undefined) tally.skip()
  else tally.settle(line, entry)
}
