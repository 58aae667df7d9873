import { ActivityKind, ActivitySource } from "@inlethq/core/log/ActivityEntry"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { KeptReason } from "@inlethq/core/log/KeptValue"
import { nameSearchLengthMax } from "@inlethq/core/log/NameSearch"
import { FieldChange, Outcome } from "@inlethq/core/log/Outcome"
import { TextValues } from "@inlethq/core/log/Reason"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, reads, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { Conflict } from "../access/Problem.ts"
import { ActivityCursor, StreamPosition } from "../values/Cursor.ts"
import { AnswerDocument, CallDocument, CallReason, CallRequest } from "./CallDocument.ts"
import { ForwardedDocument } from "./ForwardedDocument.ts"
import { ExplanationDocument } from "./ExplanationDocument.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { OperationRequest } from "./OperationRequest.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { callProvenanceFields } from "./CallProvenance.ts"
import { PlanFindingDocument } from "./PlanFindingDocument.ts"
import { periodQuery } from "../values/ReceiptTime.ts"
import { fromTheBeginning } from "../values/StreamPart.ts"

export const ObjectIds = Schema.Struct({
  object_type_id: Schema.NullOr(Schema.String),
  object_id: Schema.NullOr(Schema.String),
})
export type ObjectIds = typeof ObjectIds.Type
/** Why an operation was not applied, or a part of it was left out. */
const ReasonDocument = Schema.Struct({
  /** A word that never changes (docs/errors.md). */
  code: Schema.String,
  /** The path of the value at fault. Empty if the reason is about the whole operation. */
  field: Schema.String,
  /** What fills the placeholders of the text with this code. */
  values: TextValues,
}).annotate({
  identifier: "Reason",
  description:
    "why an operation was not applied, or a part of it was left out: a code of docs/errors.md, and what fills its text",
})

/** A value that an operation left out (contract §16 *refused values*). */
export const RefusedDocument = Schema.Struct({
  path: Schema.String,
  /** Null if the request had no value there, or if it may not be kept. */
  value: Schema.Json,
  /** The bytes of the whole value as JSON, if `value` is only its beginning. */
  cut_from: Schema.optionalKey(Schema.Int),
  /** What is wrong with the value, as a sentence. */
  reason: Schema.String,
  /** The code of the reason (docs/errors.md). */
  code: Schema.String,
  rule: Schema.String,
  /** The person to whom the value belongs, if it is not the one that the operation is about. */
  other: Schema.NullOr(Schema.Struct({ svc_id: Schema.String })),
}).annotate({
  identifier: "RefusedValue",
  description: "a value that an operation left out, why, and to whom it belongs",
})
export type RefusedDocument = typeof RefusedDocument.Type

/** A value that an operation read differently than it was sent (contract §16 *values read otherwise*). */
export const KeptDocument = Schema.Struct({
  path: Schema.String,
  sent: Schema.Json,
  /** The bytes of the whole value as JSON, if `sent` is only its beginning. */
  cut_from: Schema.optionalKey(Schema.Int),
  /** What was stored instead. Null if nothing was, or if it may not be kept. */
  kept: Schema.Json,
  why: Schema.String,
  code: KeptReason,
}).annotate({
  identifier: "KeptValue",
  description:
    "a value that an operation read differently than it was sent, what was stored instead, and why",
})
export type KeptDocument = typeof KeptDocument.Type

/** How a rejected call arrived (contract §16 *rejected calls*). */
const RequestDocument = Schema.Struct({
  path: Schema.NullOr(Schema.String),
  key_id: Schema.NullOr(Schema.String),
  key_name: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  /** The characters of the item as JSON, if it was too large to keep. */
  cut_from: Schema.optionalKey(Schema.Int),
}).annotate({
  identifier: "RejectedRequest",
  description: "how a rejected call arrived; kept for `rejected_days` of the workspace",
})

/** Who sent an operation, and how. */
export const SenderDocument = Schema.Struct({
  key: Schema.NullOr(Schema.Struct({ key_id: Schema.String, name: Schema.String })),
  /** The management token with which an operator or an import sent it. Null if a client sent it with a key. */
  token: Schema.NullOr(Schema.Struct({ token_id: Schema.String, name: Schema.String })),
  user_agent: Schema.NullOr(Schema.String),
  /** The method and the path with its parameters by name. */
  route: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "Sender",
  description: "the key or management token, the client and the route with which an operation arrived",
})
export type SenderDocument = typeof SenderDocument.Type

/** A person who entered or left a segment by its rule, because of an operation. */
export const EffectDocument = Schema.Struct({
  svc_id: Schema.String,
  segment_id: SubjectKey,
  /** Counts the rules that the segment has had, from 1. */
  version: Schema.Int,
  change: Schema.Literals(["entered", "left"]),
}).annotate({
  identifier: "SegmentEffect",
  description: "a person who entered or left a segment by its rule, because of an operation",
})
export type EffectDocument = typeof EffectDocument.Type

/** An entry of the activity log. */
export const ActivityDocument = Schema.Struct({
  operation_id: Schema.String,
  sequence: Sequence,
  at: IsoTime,
  original_timestamp: Schema.NullOr(IsoTime),
  received_at: IsoTime,
  /** The time when the operation was processed. Null while its outcome is `pending`. */
  processed_at: Schema.NullOr(IsoTime),
  source: ActivitySource,
  /** Null if nobody sent the operation, or if it arrived without a key. */
  sender: Schema.NullOr(SenderDocument),
  /** The kind of the operation. The kind is null if the request was too malformed to determine it. */
  kind: Schema.NullOr(ActivityKind),
  name: Schema.NullOr(Schema.String),
  outcome: Outcome,
  /** Why the operation was not applied, or what was left out, as a sentence for people. */
  reason: Schema.NullOr(Schema.String),
  /** The same for programs, empty if there is no reason. */
  reasons: Schema.Array(ReasonDocument),
  /** The section of the contract or of a reference that decided the outcome. */
  rule: Schema.NullOr(Schema.String),
  /** The current identifiers of the person, visitor, object or segment that the entry is about. */
  subject: Schema.Struct({
    svc_id: Schema.NullOr(Schema.String),
    id: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
    /** The attribute `name` of the person, or `first_name` and `last_name`. */
    name: Schema.NullOr(Schema.String),
    anonymous_id: Schema.NullOr(Schema.String),
    ...ObjectIds.fields,
    /** The segment that the entry is about. The field is missing if it is about none, or if the segment was deleted. */
    segment: Schema.optionalKey(Schema.Struct({ segment_id: SubjectKey, name: Schema.String })),
  }),
  /**
   * Who was merged into the person, if an event named the person by an identifier that this merge moved. Otherwise the field
   * is missing.
   */
  via: Schema.optionalKey(Schema.Struct({ svc_id: Schema.String })),
  /** The deduplication key that the client sent. */
  id: Schema.NullOr(Schema.String),
  trigger_eligible: Schema.Boolean,
  data: Schema.Json,
  changes: Schema.Array(FieldChange),
  /** The values that the operation left out. */
  refused: Schema.Array(RefusedDocument),
  /** The values that the operation read differently than they were sent. */
  kept_as: Schema.Array(KeptDocument),
  /** Who entered and who left segments by their rules because of the operation. */
  effects: Schema.Array(EffectDocument),
  /** What is kept of a rejected call, whose item is in `data`. Null for any other operation. */
  request: Schema.NullOr(RequestDocument),
  /**
   * The keys `recipient`, `from_address` and `reply_to` of the event's data, which override the addresses of messages
   * that the event triggers. The field is missing if the data have no such key.
   */
  message_overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  ...callProvenanceFields,
  /** The plan that the operation did not fit. Missing if it did, or if there was none. */
  plan: Schema.optionalKey(PlanFindingDocument),
}).annotate({
  identifier: "ActivityEntry",
  description: "an operation and its outcome",
})
export type ActivityDocument = typeof ActivityDocument.Type

/** An operation with what its call was and what became of it, in one answer. */
export const OperationDocument = Schema.Struct({
  ...ActivityDocument.fields,
  explanation: ExplanationDocument,
  /** The call that makes this operation again. Null if the log cannot say it: `call_reason` says why. */
  call: Schema.NullOr(CallDocument),
  call_reason: Schema.NullOr(CallReason),
  /** Null unless the call was rejected, and known to have arrived over HTTP. */
  answer: Schema.NullOr(AnswerDocument),
  /** What became of it at each forward that the workspace had. */
  forwards: Schema.Array(ForwardedDocument),
}).annotate({
  identifier: "Operation",
  description:
    "an operation with its explanation, the call that makes it again, and the answer to a rejected one",
})
export type OperationDocument = typeof OperationDocument.Type

/** What `inlet capsule run` and the emulator decide again. Its format is that of the version that made it. */
const CapsuleDocument = Schema.Json.annotate({
  identifier: "Capsule",
  description:
    "one decision: the people and objects that it needed as they were, its command, and what was decided. Identifiers and values are replaced, always by the same ones of the same shape",
})

/** How far back or forth a filtered page has searched the log. */
export const SearchedTo = Schema.Struct({ sequence: Sequence, at: IsoTime }).annotate({
  identifier: "SearchedTo",
  description: "the log position up to which a filtered page has searched, and the receipt time of its entry",
})
export type SearchedTo = typeof SearchedTo.Type

/**
 * A page of activity. A filtered page examines a limited number of entries, so it may have fewer items than the limit
 * before the end of the log. `searched_to` then says how far it has searched; it is null if the page has no filter, or if
 * nothing is left to search.
 */
export const ActivityPage = Schema.Struct({
  ...Page(ActivityDocument, ActivityCursor).fields,
  searched_to: Schema.NullOr(SearchedTo),
})

/** Query parameters that filter a list of activity. */
export const activityQuery = {
  kind: Schema.optionalKey(ActivityKind),
  outcome: Schema.optionalKey(Outcome),
  name: Schema.optionalKey(Schema.String),
  search: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(nameSearchLengthMax))),
  filter: Schema.optionalKey(
    Schema.String.annotate({
      description: "a filter, such as `kind:event -outcome:applied`; see docs/filters.md",
    }),
  ),
}

/** An event of the activity stream. To resume after an event, a client sends the event's `id` as `Last-Event-ID`. */
const ActivityEvent = Schema.Struct({
  id: StreamPosition,
  event: Schema.String,
  data: Schema.fromJsonString(ActivityDocument),
})

const { after, limit } = pageQuery(ActivityCursor)

const LastEventId = Schema.Union([Schema.Literal(fromTheBeginning), StreamPosition])

export class ActivityGroup extends HttpApiGroup.make("activity")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/activity", {
      params: { w: WorkspaceId },
      query: { ...activityQuery, ...periodQuery, ...pageQuery(ActivityCursor) },
      success: ActivityPage,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("stream", "/workspaces/:w/activity/stream", {
      params: { w: WorkspaceId },
      query: activityQuery,
      headers: { "last-event-id": Schema.optionalKey(LastEventId) },
      success: HttpApiSchema.StreamSse({ events: ActivityEvent }),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("operation", "/workspaces/:w/operations/:operation_id", {
      params: { w: WorkspaceId, operation_id: Schema.String },
      success: OperationDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("apply", "/workspaces/:w/operations", {
      params: { w: WorkspaceId },
      payload: Schema.Union([OperationRequest, CallRequest]),
      success: ActivityDocument,
    }).annotate(Requirement, writes("operation.apply")),
    HttpApiEndpoint.get("request", "/workspaces/:w/operations/:operation_id/request", {
      params: { w: WorkspaceId, operation_id: Schema.String },
      query: { limit, after },
      success: Page(ActivityDocument, ActivityCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("explanation", "/workspaces/:w/operations/:operation_id/explanation", {
      params: { w: WorkspaceId, operation_id: Schema.String },
      success: ExplanationDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("capsule", "/workspaces/:w/operations/:operation_id/capsule", {
      params: { w: WorkspaceId, operation_id: Schema.String },
      success: CapsuleDocument,
      error: Conflict,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Activity" })) {}
