import { WorkspaceId } from "@inlet/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { Conflict } from "./Problem.ts"

/** Errors that the summary of an import lists; the rows of further ones are counted. */
export const importErrorsMax = 100

const counts = {
  /** Rows read, blank lines and the header aside. */
  rows: Schema.Int,
  imported: Schema.Int,
  /** Rows that have no effect any more: imported before from the same file, or about somebody suppressed. */
  skipped: Schema.Int,
  failed: Schema.Int,
}

export const ImportProgress = Schema.Struct({ ...counts, bytes: Schema.Int }).annotate({
  identifier: "ImportProgress",
  description: "how far an import is: rows, and bytes of the file, that are done",
})
export type ImportProgress = typeof ImportProgress.Type

export const ImportSummary = Schema.Struct({
  ...counts,
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
}).annotate({
  identifier: "ImportSummary",
  description: `what became of a file: the last line of the answer, with at most ${importErrorsMax} errors`,
})
export type ImportSummary = typeof ImportSummary.Type

const ImportLine = Schema.Union([ImportSummary, ImportProgress])
export type ImportLine = typeof ImportLine.Type

export const isSummary = (line: ImportLine): line is ImportSummary => "errors" in line

const IdempotencyKey = Schema.NonEmptyString.check(Schema.isMaxLength(255)).annotate({
  description: "names the upload: the same file with the same key adds nothing, another file is a 409",
})

/** Where a file goes. */
export const ImportParams = Schema.Struct({ w: WorkspaceId })

/** An answer without its summary broke off: send the file again, and it goes on where it stopped. */
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
