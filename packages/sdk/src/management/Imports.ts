import {
  ImportParams,
  isSummary,
  type ImportProgress,
  type ImportSummary,
} from "@inlethq/contract/transfer/Imports"
import { Effect, Schema, Stream } from "effect"
import { ManagementClient } from "./ManagementClient.ts"
import { managementTexts } from "@inlethq/contract/values/managementTexts"

/** The server's answer ended before the whole file was imported. */
class ImportInterrupted extends Schema.TaggedError<ImportInterrupted>()("ImportInterrupted", {
  cause: Schema.optionalKey(Schema.Defect()),
}) {
  override get message() {
    return managementTexts.importInterrupted()
  }
}

export interface ImportOptions {
  readonly kind: "people" | "events"
  /** The numeric id of the workspace, which the API calls `environment_id`. */
  readonly workspace: number
  /** The file, as CSV in UTF-8. */
  readonly file: Stream.Stream<Uint8Array, unknown>
  /**
   * Identifies the upload. Sending the same file again with the same key adds no data. Sending another file with this
   * key fails with 409.
   */
  readonly idempotencyKey?: string
  readonly onProgress?: (progress: ImportProgress) => Effect.Effect<void>
}

/**
 * Uploads a CSV file of people or events and returns the summary of the import. The file is read only as fast as the
 * server accepts it.
 */
export const importFile = Effect.fn("Imports.importFile")(function* ({
  file,
  idempotencyKey,
  kind,
  onProgress = () => Effect.void,
  workspace,
}: ImportOptions) {
  const client = yield* ManagementClient
  const lines = yield* client.imports[kind]({
    params: yield* Schema.decodeUnknownEffect(ImportParams)({ w: workspace }),
    query: {},
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
    payload: file,
  })
  let summary: ImportSummary | undefined
  yield* Stream.runForEach(lines, (line) => {
    if (!isSummary(line)) return onProgress(line)
    summary = line
    return Effect.void
  }).pipe(Effect.mapError((cause) => new ImportInterrupted({ cause })))
  return summary ?? (yield* new ImportInterrupted({}))
})
