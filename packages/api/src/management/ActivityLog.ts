import { ActivityKind, ActivitySource, present, type ActivityRecord } from "@inlet/core/Activity"
import { operationIdText, Sequence, svcIdText, WorkspaceId } from "@inlet/core/Identifier"
import { nameSearchLengthMax } from "@inlet/core/NameSearch"
import { FieldChange, Outcome } from "@inlet/core/Outcome"
import type { Person } from "@inlet/core/person/Person"
import { toIso } from "@inlet/core/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { ActivityCursor } from "./Cursor.ts"
import { IsoTime, isoTimeOrNull } from "./IsoTime.ts"
import { Page, pageQuery } from "./Page.ts"

/** One operation as operators see it now. */
export const ActivityDocument = Schema.Struct({
  operation_id: Schema.String,
  sequence: Sequence,
  at: IsoTime,
  original_timestamp: Schema.NullOr(IsoTime),
  received_at: IsoTime,
  /** Null until it took effect for a person. */
  processed_at: Schema.NullOr(IsoTime),
  source: ActivitySource,
  /** Null where the request could not be read far enough to tell. */
  kind: Schema.NullOr(ActivityKind),
  name: Schema.NullOr(Schema.String),
  outcome: Outcome,
  reason: Schema.NullOr(Schema.String),
  /** The section of the reference that decided. */
  rule: Schema.NullOr(Schema.String),
  subject: Schema.Struct({
    svc_id: Schema.NullOr(Schema.String),
    id: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
    anonymous_id: Schema.NullOr(Schema.String),
    object_type_id: Schema.NullOr(Schema.String),
    object_id: Schema.NullOr(Schema.String),
  }),
  /** The deduplication key that the client sent. */
  id: Schema.NullOr(Schema.String),
  trigger_eligible: Schema.Boolean,
  data: Schema.Json,
  changes: Schema.Array(FieldChange),
  /** Present where an event's data overrides the addresses of messages that it triggers. */
  message_overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
}).annotate({ identifier: "ActivityEntry" })
export type ActivityDocument = typeof ActivityDocument.Type

/** The query fields that narrow a list of activity. */
export const activityQuery = {
  kind: Schema.optionalKey(ActivityKind),
  outcome: Schema.optionalKey(Outcome),
  name: Schema.optionalKey(Schema.String),
  search: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(nameSearchLengthMax))),
}

/** An event of the stream: its `id` is what `Last-Event-ID` takes to go on behind it. */
const ActivityEvent = Schema.Struct({
  id: ActivityCursor,
  event: Schema.String,
  data: Schema.fromJsonString(ActivityDocument),
})

/** What `Last-Event-ID` says to read the log from its beginning. */
export const fromTheBeginning = "0"

const LastEventId = Schema.Union([Schema.Literal(fromTheBeginning), ActivityCursor])

export class ActivityGroup extends HttpApiGroup.make("activity")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/activity", {
      params: { w: WorkspaceId },
      query: { ...activityQuery, ...pageQuery(ActivityCursor) },
      success: Page(ActivityDocument, ActivityCursor),
    }),
    HttpApiEndpoint.get("stream", "/workspaces/:w/activity/stream", {
      params: { w: WorkspaceId },
      query: activityQuery,
      headers: { "last-event-id": Schema.optionalKey(LastEventId) },
      success: HttpApiSchema.StreamSse({ events: ActivityEvent }),
    }),
    HttpApiEndpoint.get("operation", "/workspaces/:w/operations/:operation_id", {
      params: { w: WorkspaceId, operation_id: Schema.String },
      success: ActivityDocument,
    }),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Activity" })) {}

export const activityDocument = (record: ActivityRecord): ActivityDocument => {
  const view = present(record)
  return {
    operation_id: operationIdText(view.sequence, view.batchIndex),
    sequence: view.sequence,
    at: toIso(view.at),
    original_timestamp: isoTimeOrNull(view.originalTimestamp),
    received_at: toIso(view.receivedAt),
    processed_at: isoTimeOrNull(view.processedAt),
    source: view.source,
    kind: view.kind,
    name: view.name,
    outcome: view.outcome,
    reason: view.reason,
    rule: view.rule,
    subject: {
      svc_id: svcIdOf(record, view.person),
      id: view.knownAs.id,
      email: view.knownAs.email,
      anonymous_id: view.knownAs.anonymousId,
      object_type_id: null,
      object_id: null,
    },
    id: view.id,
    trigger_eligible: view.triggerEligible,
    data: view.data,
    changes: view.changes,
    ...(view.messageOverrides === null ? {} : { message_overrides: view.messageOverrides }),
  }
}

/** Whose an entry is: a person's, also one that was deleted since; nobody's while only a visitor is known. */
const svcIdOf = ({ entry, subject }: ActivityRecord, person: Person | null): string | null => {
  if (person !== null) return svcIdText(person.key)
  const deleted = subject === null || subject._tag === "Erased"
  return deleted && entry.subject !== null ? svcIdText(entry.subject) : null
}
