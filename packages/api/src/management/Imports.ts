import { WorkspaceId } from "@inlet/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { Conflict } from "./Problem.ts"

/** The largest number of errors that the summary of an import lists. `failed` also counts those not listed. */
export const importErrorsMax = 100

const counts = {
  /** Rows read, without the header and blank lines. */
  rows: Schema.Int,
  imported: Schema.Int,
  /** Rows without effect: imported before from the same file, or about a suppressed person. */
  skipped: Schema.Int,
  failed: Schema.Int,
}

export const ImportProgress = Schema.Struct({ ...counts, bytes: Schema.Int }).annotate({
  identifier: "ImportProgress",
  description: "the progress of an import: rows by outcome, and bytes of the file that were processed",
})
export type ImportProgress = typeof ImportProgress.Type

export const ImportSummary = Schema.Struct({
  ...counts,
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
}).annotate({
  identifier: "ImportSummary",
  description: `the result of an import and the last line of the answer, with at most ${importErrorsMax} errors`,
})
export type ImportSummary = typeof ImportSummary.Type

const ImportLine = Schema.Union([ImportSummary, ImportProgress])
export type ImportLine = typeof ImportLine.Type

export const isSummary = (line: ImportLine): line is ImportSummary => "errors" in line

const IdempotencyKey = Schema.NonEmptyString.check(Schema.isMaxLength(255)).annotate({
  description:
    "identifies the upload: the same file with the same key adds nothing, and another file with this key is answered 409",
})

/** The workspace that a file is imported into. */
export const ImportParams = Schema.Struct({ w: WorkspaceId })

/**
 * An endpoint that imports a file. If its answer ends without a summary, the import was interrupted; sending the same
 * file again resumes it.
 */
const importInto = {
  params: ImportParams.fields,
  headers: { "idempotency-key": Schema.optionalKey(IdempotencyKey) },
  payload: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
  success: HttpApiSchema.StreamNdjson({ schema: ImportLine }),
  error: Conflict,
}

export class ImportsGroup extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("people", "/workspaces/:w/imports/people", importInto),
    HttpApiEndpoint.post("events", "/workspaces/:w/imports/events", importInto),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Imports" })) {}
