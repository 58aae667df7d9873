import { WorkspaceId } from "@inlet/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, writes } from "./Access.ts"
import { ProblemAnswers } from "./Authorization.ts"
import { Conflict } from "./Problem.ts"

/**
 * The number of errors that the summary of an import lists by default. A request can ask for up to `importErrorsMax`.
 * The count `failed` includes errors that are not listed.
 */
export const importErrorsDefault = 100
const importErrorsMax = 10_000

const counts = {
  /** The number of rows read. The header and blank lines do not count. */
  rows: Schema.Int,
  imported: Schema.Int,
  /** The number of rows without effect, because the same file was imported before or the person is suppressed. */
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
  description: `the result of an import and the last line of the answer, with the first ${importErrorsDefault} errors, or as many as the request asks for`,
})
export type ImportSummary = typeof ImportSummary.Type

const ImportLine = Schema.Union([ImportSummary, ImportProgress])
export type ImportLine = typeof ImportLine.Type

export const isSummary = (line: ImportLine): line is ImportSummary => "errors" in line

const IdempotencyKey = Schema.NonEmptyString.check(Schema.isMaxLength(255)).annotate({
  description:
    "identifies the upload: the same file with the same key adds nothing, and another file with this key is answered 409",
})

const importQuery = {
  errors: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: importErrorsMax })).annotate({
      description: `the largest number of errors in the summary, ${importErrorsDefault} by default and ${importErrorsMax} at most`,
    }),
  ),
}

/** The workspace into which a file is imported. */
export const ImportParams = Schema.Struct({ w: WorkspaceId })

/**
 * The parameters, body and response of an endpoint that imports a file. The last line of the response is the summary.
 * If the response ends without the summary, the import was interrupted, and sending the same file again resumes the
 * import.
 */
const importInto = {
  params: ImportParams.fields,
  query: importQuery,
  headers: { "idempotency-key": Schema.optionalKey(IdempotencyKey) },
  payload: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
  success: HttpApiSchema.StreamNdjson({ schema: ImportLine }),
  error: Conflict,
}

export class ImportsGroup extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("people", "/workspaces/:w/imports/people", importInto).annotate(Requirement, writes),
    HttpApiEndpoint.post("events", "/workspaces/:w/imports/events", importInto).annotate(Requirement, writes),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Imports" })) {}
