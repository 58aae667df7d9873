import {
  auditTimeOf,
  AuditActor,
  AuditChange,
  AuditOutcome,
  type AuditRecord,
} from "@inlethq/core/audit/AuditRecord"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { inspects, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { AuditCursor } from "../values/Cursor.ts"
import { ExportBroken, ExportEnd } from "../transfer/Exports.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Forbidden } from "../access/Problem.ts"
import { periodQuery } from "../values/ReceiptTime.ts"

/** The largest number of records that one filtered page examines. */
export const auditExaminedMax = 20_000

export const AuditDocument = Schema.Struct({
  audit_id: Schema.String,
  at: IsoTime,
  environment_id: Schema.NullOr(WorkspaceId).annotate({
    description: "the workspace that the action was about; null for the installation",
  }),
  action: Schema.String.annotate({ description: "a resource and a verb, such as `key.create`" }),
  outcome: AuditOutcome.annotate({
    description:
      "`done`, `refused` (an answer of 4xx) or `failed` (5xx); `begun` if nobody learned how the action ended, for example because the server was killed",
  }),
  status: Schema.NullOr(Schema.Int).annotate({ description: "the status of the answer" }),
  actor: AuditActor.annotate({
    identifier: "AuditActor",
    description: "the token that acted, or the token with which a session of the console was opened",
  }),
  target: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.NullOr(Schema.String) })),
  changes: Schema.Array(AuditChange.mapFields(Struct.renameKeys({ isSecret: "secret" }))).annotate({
    description: "changed settings; the values of secret ones are null",
  }),
  details: Schema.Record(Schema.String, Schema.Json),
  address: Schema.NullOr(Schema.String).annotate({
    description:
      "the client's address: the other end of the connection, or behind a trusted proxy what the proxy says",
  }),
  forwarded_for: Schema.NullOr(Schema.String).annotate({
    description:
      "the header `X-Forwarded-For`: its right end is set by proxies, the rest made up by the client, or all of it if there is no proxy",
  }),
  user_agent: Schema.NullOr(Schema.String),
  count: Schema.Int.annotate({
    description:
      "the number of requests, which is only counted for refused ones: those of a minute are one record",
  }),
}).annotate({
  identifier: "AuditRecord",
  description: "who did what through the management API, from where, when, and how it ended",
})
export type AuditDocument = typeof AuditDocument.Type

const filterQuery = {
  workspace: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "only actions on this workspace; 0 for those on the installation",
    }),
  ),
  actor: Schema.optionalKey(
    Schema.String.annotate({ description: "only actions of the token with this id or name" }),
  ),
  action: Schema.optionalKey(
    Schema.String.annotate({
      description: "an action such as `key.create`, or all of a resource, such as `key`",
    }),
  ),
  outcome: Schema.optionalKey(AuditOutcome),
  ...periodQuery,
}

const filterSchema = Schema.Struct(filterQuery)
export type AuditQuery = typeof filterSchema.Type

export class AuditGroup extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      query: { ...filterQuery, ...pageQuery(AuditCursor) },
      success: Page(AuditDocument, AuditCursor).annotate({
        description: `a page of the audit log; a filtered page examines at most ${auditExaminedMax} records, so it may have few items or none and still be followed by another`,
      }),
      error: Forbidden,
    }).annotate(Requirement, inspects(null)),
    HttpApiEndpoint.get("export", "/audit/export", {
      query: filterQuery,
      success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([AuditDocument, ExportEnd, ExportBroken]) }),
      error: Forbidden,
    }).annotate(Requirement, inspects("export.audit")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Audit log" })) {}

export const auditDocument = (record: AuditRecord): AuditDocument => ({
  audit_id: `${record.workspace ?? 0}-${record.position}`,
  at: toIso(auditTimeOf(record.position)),
  environment_id: record.workspace,
  action: record.action,
  outcome: record.outcome,
  status: record.status,
  actor: record.actor,
  target: record.target,
  changes: record.changes.map(({ from, isSecret: secret, setting, to }) => ({ setting, from, to, secret })),
  details: record.details,
  address: record.address,
  forwarded_for: record.forwardedFor,
  user_agent: record.userAgent,
  count: record.count,
})

/** Returns whether a record matches a filter, apart from its workspace and its time. */
export const matchesAudit = (
  { action, actor, outcome }: Pick<AuditQuery, "action" | "actor" | "outcome">,
  record: AuditRecord,
): boolean =>
  (action === undefined || record.action === action || record.action.startsWith(`${action}.`)) &&
  (actor === undefined || record.actor.id === actor || record.actor.name === actor) &&
  (outcome === undefined || record.outcome === outcome)
