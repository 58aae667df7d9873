import { blocks, type Block } from "@inlet/api/csv/Blocks"
import { ImportFile, type ImportCommand, type ImportKind } from "@inlet/api/csv/ImportFile"
import type { CsvRecord, LineFault } from "@inlet/api/csv/Records"
import type { ImportProgress } from "@inlet/api/management/Imports"
import { defaultBrand } from "@inlet/api/wire/Brand"
import type { Receipt } from "@inlet/api/wire/Receipt"
import type { Ingest } from "@inlet/core/Ingest"
import type { Store } from "@inlet/core/Store"
import type { Workspace } from "@inlet/core/Workspace"
import { Clock, Effect, Result, Schedule, Stream } from "effect"
import { RowKeys } from "./importsKeys.ts"
import { Known } from "./importsKnown.ts"
import { noSuchPerson, Tally } from "./importsTally.ts"

/** Rows that share a commit; the next ones are read after it. */
const chunkRowsMax = 500

/** How long a chunk waits for a store that cannot commit, or for a full queue, before the import breaks off. */
const retries = { schedule: Schedule.spaced("250 millis"), times: 40 }

export interface ImportRequest {
  readonly kind: ImportKind
  readonly workspace: Workspace
  readonly body: Stream.Stream<Uint8Array, unknown>
  /** Names the upload; the digest of the file does where it is left out. */
  readonly key: string | undefined
}

/** A row as a command. */
export interface Decoded {
  readonly line: number
  readonly command: ImportCommand
  /** About as many bytes as it takes in the file. */
  readonly length: number
}

/** Imports a file block by block in memory that does not grow with it, and tells after each commit how far it is. */
export const runImport = Effect.fnUntraced(function* (
  { ingest, store }: { readonly ingest: Ingest["Service"]; readonly store: Store["Service"] },
  { body, key, kind, workspace }: ImportRequest,
  tell: (progress: ImportProgress) => void,
) {
  const receipt: Receipt = { workspace, brand: defaultBrand, source: "csv", receivedAt: 0, batchIndex: null }
  const file = new ImportFile(kind, receipt)
  const keys = new RowKeys(kind, key)
  const known = new Known(store, kind)
  const tally = new Tally()
  let bytes = 0
  let isRefused = false

  const applyChunk = Effect.fnUntraced(function* (chunk: ReadonlyArray<Decoded>, faults: Array<LineFault>) {
    const fresh = yield* known.sift(chunk, faults, tally)
    const entries =
      fresh.length === 0
        ? []
        : yield* ingest.submit(
            fresh.map(({ command }) => command),
            fresh.reduce((sum, { length }) => sum + length, 0),
          )
    ...
  }, Effect.retry(retries))
