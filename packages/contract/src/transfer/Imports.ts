import { ActivitySource, EventKind } from "@inlethq/core/log/ActivityEntry"
import { KeptReason, keptValuesMax } from "@inlethq/core/log/KeptValue"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { callProvenanceFields } from "../activity/CallProvenance.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Conflict } from "../access/Problem.ts"

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

export const IdempotencyKey = Schema.NonEmptyString.check(Schema.isMaxLength(255)).annotate({
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

/** The largest number of entities in one call. */
const exportedEntitiesMax = 1000

/** The largest length of a deduplication key, in characters. */
const keyLengthMax = 1000

/** An entity of the Track API v2 that was made from an exported document, and what that API cannot say. */
export const ExportedEntity = Schema.Struct({
  entity: Schema.Record(Schema.String, Schema.Json),
  /** Identifies the entity: one with the key of an operation that the server knows is skipped. */
  key: Schema.NonEmptyString.check(Schema.isMaxLength(keyLengthMax)),
  /** The kind and the source of an exported event. */
  kind: Schema.optionalKey(EventKind),
  source: Schema.optionalKey(ActivitySource),
  original_timestamp: Schema.optionalKey(Schema.NullOr(IsoTime)),
  /** The creation time of a person to the millisecond. The Track API has only seconds. */
  created_at: Schema.optionalKey(IsoTime),
  /** The time of a replayed operation to the millisecond, and the time of its receipt. */
  at: Schema.optionalKey(IsoTime),
  received_at: Schema.optionalKey(IsoTime),
  /** When an exported document was last received. It is not imported if whoever it names was erased since. */
  seen_at: Schema.optionalKey(IsoTime),
  /** The person is found by the identifiers of the entity, which are then changed as a call by `svc_id` may change them. */
  addressed_by: Schema.optionalKey(Schema.Literal("svc_id")),
  /** The key of the merge that an `unmerge` undoes. */
  merge: Schema.optionalKey(Schema.NonEmptyString),
  /** The values that were read differently than they were first sent. The entity has them as they were stored. */
  kept_as: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        path: Schema.String,
        sent: Schema.Json,
        cut_from: Schema.optionalKey(Schema.Int),
        kept: Schema.Json,
        code: KeptReason,
      }),
    ).check(Schema.isMaxLength(keptValuesMax)),
  ),
  /** Where the call of an exported event or a replayed operation came from. */
  ...callProvenanceFields,
}).annotate({
  identifier: "ExportedEntity",
  description:
    "an entity of the Track API v2 that was made from an exported document or from a log entry. `key` is its deduplication key; `kind`, `source` and `original_timestamp` are those of an exported event, and `created_at` is that of a person; `kept_as` are the values that were first sent differently. Only events and replayed entries have `at`, and only replayed entries `received_at`, `addressed_by` and `merge`",
})
export type ExportedEntity = typeof ExportedEntity.Type

const ExportedResult = Schema.Struct({
  outcome: Schema.Literals(["imported", "skipped", "erased", "failed"]),
  /** Why the entity failed, or which part of it was left out. */
  message: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "ExportedResult",
  description:
    "what became of an entity: `skipped` means that it is known or without effect, `erased` that it names somebody who was erased since",
})
export type ExportedResult = typeof ExportedResult.Type

export class ImportsGroup extends HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("people", "/workspaces/:w/imports/people", importInto).annotate(
      Requirement,
      writes("import.people"),
    ),
    HttpApiEndpoint.post("events", "/workspaces/:w/imports/events", importInto).annotate(
      Requirement,
      writes("import.events"),
    ),
    HttpApiEndpoint.post("exported", "/workspaces/:w/import", {
      params: ImportParams.fields,
      payload: Schema.Struct({
        entities: Schema.Array(ExportedEntity).check(Schema.isMaxLength(exportedEntitiesMax)),
        webhooks: Schema.optionalKey(
          Schema.Boolean.annotate({
            description: "whether webhooks send events about replayed operations; false by default",
          }),
        ),
        include_erased: Schema.optionalKey(
          Schema.Boolean.annotate({
            description: "whether people who were erased since are imported, too; false by default",
          }),
        ),
      }),
      success: Schema.Struct({ results: Schema.Array(ExportedResult) }),
    }).annotate(Requirement, writes("import.exported")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Imports" })) {}
