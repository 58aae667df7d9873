import { ActivityKind, ActivitySource, provenanceOf, type SegmentEffect } from "@inlet/core/log/ActivityEntry"
import { toActivityView, type ActivityRecord, type ActivityView } from "@inlet/core/catalog/ActivityView"
import { operationIdText, Sequence, SubjectKey, svcIdText, WorkspaceId } from "@inlet/core/values/Identifier"
import { KeptReason, type KeptValue } from "@inlet/core/log/KeptValue"
import { keptTexts } from "@inlet/core/log/keptTexts"
import { nameSearchLengthMax } from "@inlet/core/log/NameSearch"
import { FieldChange, Outcome } from "@inlet/core/log/Outcome"
import { TextValues } from "@inlet/core/log/Reason"
import type { RejectedCall } from "@inlet/core/log/RejectedCall"
import type { Sender } from "@inlet/core/log/Sender"
import type { RefusedValue } from "@inlet/core/log/RefusedValue"
import type { Person } from "@inlet/core/state/Person"
import { searchedName } from "@inlet/core/state/searchedNames"
import { toIso } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { messageOf, reasonInBrand, sentenceOf } from "../texts/sentences.ts"
import { pathInBrand, type WrittenBrand } from "../texts/WrittenBrand.ts"
import { Requirement, reads, writes } from "./Access.ts"
import { ProblemAnswers } from "./Authorization.ts"
import { ActivityCursor, StreamPosition } from "./Cursor.ts"
import { AnswerDocument, CallDocument, CallReason, CallRequest } from "./CallDocument.ts"
import { ExplanationDocument } from "./ExplanationDocument.ts"
import { IsoTime, isoTimeOrNull } from "./IsoTime.ts"
import { OperationRequest } from "./OperationRequest.ts"
import { Page, pageQuery } from "./Page.ts"
import { callProvenanceDocument, callProvenanceFields } from "./CallProvenance.ts"
import { periodQuery } from "./ReceiptTime.ts"
import { fromTheBeginning } from "./StreamPart.ts"

const ObjectIds = Schema.Struct({
  object_type_id: Schema.NullOr(Schema.String),
  object_id: Schema.NullOr(Schema.String),
})
type ObjectIds = typeof ObjectIds.Type
const isObjectIds = Schema.is(ObjectIds)

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
const RefusedDocument = Schema.Struct({
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
const KeptDocument = Schema.Struct({
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
const SenderDocument = Schema.Struct({
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
const EffectDocument = Schema.Struct({
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
}).annotate({
  identifier: "Operation",
  description:
    "an operation with its explanation, the call that makes it again, and the answer to a rejected one",
})
export type OperationDocument = typeof OperationDocument.Type

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
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Activity" })) {}

export const activityDocument = (record: ActivityRecord, brand: WrittenBrand): ActivityDocument => {
  const view = toActivityView(record)
  const told = toldActivity(record, view, brand)
  const { subject } = told
  return {
    operation_id: told.operation_id,
    sequence: told.sequence,
    at: toIso(view.at),
    original_timestamp: isoTimeOrNull(view.originalTimestamp),
    received_at: toIso(view.receivedAt),
    processed_at: isoTimeOrNull(view.processedAt),
    source: told.source,
    sender: record.sender === null ? null : senderDocument(record.sender),
    kind: told.kind,
    name: told.name,
    outcome: told.outcome,
    reason: told.reason,
    reasons: told.reasons,
    rule: told.rule,
    subject: {
      svc_id: subject.svc_id,
      id: subject.id,
      email: subject.email,
      name: view.person === null ? null : searchedName(view.person.attributes),
      anonymous_id: subject.anonymous_id,
      object_type_id: subject.object_type_id,
      object_id: subject.object_id,
      ...(view.segment !== null && {
        segment: { segment_id: view.segment.key, name: view.segment.name },
      }),
    },
    ...viaOf(record),
    id: told.id,
    trigger_eligible: view.triggerEligible,
    data: told.data,
    changes: told.changes,
    refused: view.refused.map((refused) => refusedDocument(view.workspace, refused, brand)),
    kept_as: told.kept_as,
    effects: told.effects,
    request: view.call === null || view.outcome !== "rejected" ? null : requestDocument(view.call),
    ...(view.messageOverrides === null ? {} : { message_overrides: view.messageOverrides }),
    ...callProvenanceDocument(provenanceOf(view)),
  }
}

/** Returns the fields of a document that the lake stores too. */
export const toldActivity = (record: ActivityRecord, view: ActivityView, brand: WrittenBrand) => ({
  operation_id: operationIdText(view.workspace, view.sequence, view.batchIndex),
  sequence: view.sequence,
  source: view.source,
  kind: view.kind,
  name: view.name,
  outcome: view.outcome,
  reason: sentenceOf(brand, view.reasons),
  reasons: view.reasons.map((reason) => reasonInBrand(brand, reason)),
  rule: view.rule,
  subject: {
    svc_id: svcIdOf(record, view.person),
    id: view.knownAs.id,
    email: view.knownAs.email,
    anonymous_id: view.knownAs.anonymousId,
    ...objectOf(view),
  },
  id: view.id,
  data: view.data,
  changes: view.changes.map(({ from, path, to }) => ({ path: pathInBrand(brand, path), from, to })),
  kept_as: view.keptAs.map((kept) => keptDocument(kept, brand)),
  effects: view.effects.map((effect) => effectDocument(view.workspace, effect)),
})

const viaOf = ({ entry, isErased, owner }: ActivityRecord): Pick<ActivityDocument, "via"> => {
  const via = isErased ? undefined : owner?.attached.find(({ key }) => key === entry.subject)?.via
  return via === undefined ? {} : { via: { svc_id: svcIdText(entry.workspace, via.secondary) } }
}

const effectDocument = (
  workspace: WorkspaceId,
  { change, segment, subject, version }: SegmentEffect,
): EffectDocument => ({ svc_id: svcIdText(workspace, subject), segment_id: segment, version, change })

const senderDocument = ({ key, route, token, userAgent }: Sender): SenderDocument => ({
  key: key === null ? null : { key_id: key.id, name: key.name },
  token: token === undefined ? null : { token_id: token.id, name: token.name },
  user_agent: userAgent,
  route,
})

const requestDocument = ({ address, cutFrom, key, path, userAgent }: RejectedCall) => ({
  path,
  key_id: key?.id ?? null,
  key_name: key?.name ?? null,
  user_agent: userAgent,
  address,
  ...(cutFrom !== null && { cut_from: cutFrom }),
})

const refusedDocument = (
  workspace: WorkspaceId,
  { code, cutFrom, other, path, rule, value, values }: RefusedValue,
  brand: WrittenBrand,
): RefusedDocument => ({
  path: pathInBrand(brand, path),
  value,
  ...(cutFrom !== null && { cut_from: cutFrom }),
  reason: messageOf(brand, { code, field: path, values }),
  code,
  rule,
  other: other === null ? null : { svc_id: svcIdText(workspace, other) },
})

const keptDocument = ({ cutFrom, kept, path, sent, why }: KeptValue, brand: WrittenBrand): KeptDocument => ({
  path: pathInBrand(brand, path),
  sent,
  ...(cutFrom !== null && { cut_from: cutFrom }),
  kept,
  why: keptTexts[why](),
  code: why,
})

/**
 * Returns the type and id of the object that an entry is about. For a deleted object, only the log entry of the
 * deletion still has the type and id, in its `data`.
 */
const objectOf = ({ data, kind, knownAs }: ActivityView): ObjectIds =>
  kind === "object_delete" && isObjectIds(data)
    ? { object_type_id: data.object_type_id, object_id: data.object_id }
    : { object_type_id: knownAs.objectTypeId, object_id: knownAs.objectId }

/**
 * Returns the `svc_id` of the person that an entry is about, even if the person has been deleted since. Returns null if
 * the entry is about an anonymous visitor. Only operations on visitors are stored as pending.
 */
const svcIdOf = ({ entry, subject }: ActivityRecord, person: Person | null): string | null => {
  if (person !== null) return svcIdText(person.workspace, person.key)
  const deleted = subject === null || subject._tag === "Erased"
  return deleted && entry.subject !== null && entry.outcome !== "pending" && isPersonKind(entry.kind)
    ? svcIdText(entry.workspace, entry.subject)
    : null
}

/** Returns true if log entries of this kind are always about a person or visitor. */
const isPersonKind = (kind: ActivityKind | null): boolean => {
  switch (kind) {
    case "identify":
    case "delete":
    case "suppress":
    case "unsuppress":
    case "merge":
    case "unmerge":
    case "event":
    case "page":
    case "screen":
    case "anonymous_event":
    case "add_device":
    case "delete_device":
    case "unsubscribe":
    case "form_submission":
    case "delivery_metric":
      return true
    case "add_relationships":
    case "delete_relationships":
    case "object_identify":
    case "object_delete":
    case "segment_add":
    case "segment_remove":
    case "segment_change":
    case null:
      return false
  }
}
