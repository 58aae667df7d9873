import {
  ImportFailure,
  importErrorsKeptMax,
  importFileBytesMax,
  ImportId,
  importKeptMs,
  ImportState,
  type ImportJob,
} from "@inlethq/core/ports/ImportJobs"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { reads, Requirement, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { ImportCursor, ImportErrorCursor } from "../values/Cursor.ts"
import { ImportParams, IdempotencyKey } from "./Imports.ts"
import { IsoTime, isoTimeOrNull } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict, TooLarge } from "../access/Problem.ts"
import { importFailureTexts } from "../values/managementTexts.ts"

/** The longest name of a file, in characters. */
const fileNameLengthMax = 255

export const ImportDocument = Schema.Struct({
  import_id: ImportId,
  kind: Schema.Literals(["people", "events"]),
  state: ImportState,
  /** The name of the file, if the client gave one. */
  name: Schema.NullOr(Schema.String),
  /** The size of the file, and how much of it was read. */
  bytes: Schema.Int,
  bytes_read: Schema.Int,
  created_at: IsoTime,
  started_at: Schema.NullOr(IsoTime),
  ended_at: Schema.NullOr(IsoTime),
  /** Who sent the file. */
  created_by: Schema.NullOr(Schema.String),
  rows: Schema.Int,
  imported: Schema.Int,
  skipped: Schema.Int,
  failed: Schema.Int,
  /** The number of errors that are listed. */
  errors: Schema.Int,
  failure: Schema.NullOr(ImportFailure),
  /** Why it failed, as a sentence. */
  reason: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "Import",
  description: `the import of a file, which goes on without its client; listed for ${importKeptMs / dayMs} days after it has ended. Rows count as in the summary of a streamed import; rows about people who were erased after the upload are skipped`,
})
export type ImportDocument = typeof ImportDocument.Type

const ImportErrorDocument = Schema.Struct({ line: Schema.Int, message: Schema.String }).annotate({
  identifier: "ImportError",
  description: `an error in a line of a file; the first ${importErrorsKeptMax} of an import are kept`,
})

const params = { ...ImportParams.fields, import_id: ImportId }

/** Imports that go on when their client is gone. */
export class ImportJobsGroup extends HttpApiGroup.make("importJobs")
  .add(
    HttpApiEndpoint.post("create", "/workspaces/:w/imports", {
      params: { w: WorkspaceId },
      query: {
        kind: Schema.Literals(["people", "events"]).annotate({
          description: "what the rows of the file are",
        }),
        name: Schema.optionalKey(
          Schema.NonEmptyString.check(Schema.isMaxLength(fileNameLengthMax)).annotate({
            description: "the name of the file, which is only shown",
          }),
        ),
      },
      headers: { "idempotency-key": Schema.optionalKey(IdempotencyKey) },
      payload: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
      success: ImportDocument.pipe(HttpApiSchema.status(202)),
      error: [Conflict, TooLarge],
    })
      .annotate(Requirement, writes("import.start"))
      .annotateMerge(
        OpenApi.annotations({
          description: `Saves a file of at most ${importFileBytesMax / 1024 ** 2} MB, answers, and then imports it`,
        }),
      ),
    HttpApiEndpoint.get("list", "/workspaces/:w/imports", {
      params: { w: WorkspaceId },
      query: pageQuery(ImportCursor),
      success: Page(ImportDocument, ImportCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/imports/:import_id", {
      params,
      success: ImportDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("errors", "/workspaces/:w/imports/:import_id/errors", {
      params,
      query: { limit: pageQuery(ImportErrorCursor).limit, after: pageQuery(ImportErrorCursor).after },
      success: Page(ImportErrorDocument, ImportErrorCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("cancel", "/workspaces/:w/imports/:import_id/cancel", {
      params,
      success: ImportDocument,
      error: Conflict,
    }).annotate(Requirement, writes("import.cancel")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Imports that go on" })) {}

export const importDocument = ({ counts, ...job }: ImportJob): ImportDocument => ({
  import_id: job.id,
  kind: job.kind,
  state: job.state,
  name: job.name,
  bytes: job.bytes,
  bytes_read: counts.bytes,
  created_at: toIso(job.createdAt),
  started_at: isoTimeOrNull(job.startedAt),
  ended_at: isoTimeOrNull(job.endedAt),
  created_by: job.actor.name,
  rows: counts.rows,
  imported: counts.imported,
  skipped: counts.skipped,
  failed: counts.failed,
  errors: counts.errors,
  failure: job.failure,
  reason: job.failure === null ? null : importFailureTexts[job.failure](),
})
