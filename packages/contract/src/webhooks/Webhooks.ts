import { operationIdText, Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { AttemptKey, AttemptStatus, type RecordedAttempt } from "@inlethq/core/webhook/Attempt"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { RetrySchedule, WebhookKind, WebhookOrdering, type Webhook } from "@inlethq/core/webhook/Webhook"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, administers, reads, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { AttemptCursor, WebhookCursor } from "../values/Cursor.ts"
import { IsoTime, isoTimeOrNull, TimeText } from "../values/IsoTime.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict, Unprocessable } from "../access/Problem.ts"

/** The largest number of event names in the setting `events` of a webhook. */
const eventsMax = 200

const Events = Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(eventsMax),
)

/** The webhook settings that can be changed. */
const changeable = {
  name: Name,
  url: Schema.String.annotate({ description: "an http or https URL without credentials" }),
  events: Events.annotate({
    description:
      'names such as `email_opened`, or of changes such as `new_name` for a webhook of kind `types`, or of conditions such as `lag` for one of kind `alerts`, or `["*"]` for all',
  }),
  filter: Schema.NullOr(Schema.String).annotate({
    description: "chooses entries of an activity webhook, such as `kind:event`; see docs/filters.md",
  }),
  ordering: WebhookOrdering,
  retry: RetrySchedule,
  first_only: Schema.Boolean.annotate({
    description: "send only the first report of a metric of each delivery",
  }),
  body_content: Schema.Boolean.annotate({
    description: "include the preferences in events about subscription preferences",
  }),
  enabled: Schema.Boolean.annotate({
    description: "whether the webhook sends events; a disabled webhook keeps its position in the log",
  }),
}

/** The oldest event that a webhook with strict ordering retries. All later events wait for this event. */
export const BlockedBy = Schema.Struct({
  operation_id: Schema.String,
  attempts: Schema.Int,
  next_at: IsoTime,
  received_at: IsoTime,
})

/** What a webhook has still to send. */
const Waiting = Schema.Struct({
  /** The events that wait for another attempt, or for an earlier event. */
  events: Schema.Int,
  /** The entries of the log that the webhook has not read. Not every entry is an event of the webhook. */
  entries: Schema.Int,
}).annotate({
  identifier: "WebhookWaiting",
  description: `what a webhook has still to send: \`events\` wait for another attempt (counted up to ${heldEventsMax}), and \`entries\` of the log were not read yet`,
})

/** A webhook without its signing secret. */
export const WebhookDocument = Schema.Struct({
  webhook_id: Schema.String,
  kind: WebhookKind,
  ...changeable,
  blocked_by: Schema.NullOr(BlockedBy),
  waiting: Waiting,
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "Webhook",
  description: "a webhook; `blocked_by` is the event that a webhook with strict ordering waits for",
})
export type WebhookDocument = typeof WebhookDocument.Type

/** A webhook with its signing secret, which is never shown again. */
const IssuedWebhook = Schema.Struct({
  ...WebhookDocument.fields,
  signing_secret: Schema.String,
}).annotate({
  identifier: "IssuedWebhook",
  description: "a webhook with its signing secret, which is never shown again",
})

const optional = {
  name: Schema.optionalKey(changeable.name),
  events: Schema.optionalKey(changeable.events),
  filter: Schema.optionalKey(changeable.filter),
  ordering: Schema.optionalKey(changeable.ordering),
  retry: Schema.optionalKey(changeable.retry),
  first_only: Schema.optionalKey(changeable.first_only),
  body_content: Schema.optionalKey(changeable.body_content),
  enabled: Schema.optionalKey(changeable.enabled),
}

const NewWebhook = Schema.Struct({
  url: changeable.url,
  kind: Schema.optionalKey(WebhookKind),
  ...optional,
}).annotate({
  identifier: "NewWebhook",
  description:
    "a new webhook; by default a reporting webhook of all events, with strict ordering and the hosted retry schedule",
})
export type NewWebhook = typeof NewWebhook.Type

const WebhookPatch = Schema.Struct({ url: Schema.optionalKey(changeable.url), ...optional }).annotate({
  identifier: "WebhookPatch",
  description: "the settings of the webhook to change; a setting that is missing stays unchanged",
})
export type WebhookPatch = typeof WebhookPatch.Type

/** The number of seconds for which a replaced secret stays valid by default. The maximum is `overlapSecondsMax`. */
export const overlapSecondsDefault = 86_400
const overlapSecondsMax = 7 * 86_400

const Rotation = Schema.Struct({
  overlap_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: overlapSecondsMax })),
  ),
}).annotate({
  identifier: "Rotation",
  description: `the seconds for which the old secret stays valid, ${overlapSecondsDefault} by default`,
})

/** The result of sending a sample event. */
export const TestResult = Schema.Struct({
  status: Schema.Literals(["delivered", "failed"]),
  response_status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  response_excerpt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "WebhookTest", description: "what the receiver answered to a sample event" })

/** An attempt to deliver an event. */
export const AttemptDocument = Schema.Struct({
  attempt_id: Schema.String,
  event_id: Schema.String,
  operation_id: Schema.String,
  number: Schema.Int,
  at: IsoTime,
  status: AttemptStatus,
  response_status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  response_excerpt: Schema.NullOr(Schema.String),
  next_at: Schema.NullOr(IsoTime),
}).annotate({
  identifier: "WebhookAttempt",
  description: "an attempt to deliver an event; `next_at` is the time of the next attempt",
})
export type AttemptDocument = typeof AttemptDocument.Type

const AttemptRequest = Schema.Struct({
  method: Schema.Literal("POST"),
  url: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String,
}).annotate({
  identifier: "WebhookAttemptRequest",
  description:
    "the request of an attempt, without its signatures, as the webhook would send it now: with its present URL, and without what was erased since",
})

const Recovery = Schema.Struct({
  since: TimeText,
}).annotate({
  identifier: "Recovery",
  description: "a time; every event that was received since this time and not delivered is sent again",
})

const Recovered = Schema.Struct({ events: Schema.Int }).annotate({
  identifier: "Recovered",
  description: "the number of events that are sent again",
})

const params = { w: WorkspaceId, webhook_id: Schema.String }
const attemptParams = { ...params, attempt_id: Schema.String }

const path = "/workspaces/:w/webhooks"
const one = `${path}/:webhook_id` as const

export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: { w: WorkspaceId },
      query: pageQuery(WebhookCursor),
      success: Page(WebhookDocument, WebhookCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("create", path, {
      params: { w: WorkspaceId },
      payload: NewWebhook,
      success: IssuedWebhook.pipe(HttpApiSchema.status(201)),
      error: [Unprocessable, Conflict],
    }).annotate(Requirement, administers("webhook.create")),
    HttpApiEndpoint.get("get", one, { params, success: WebhookDocument }).annotate(Requirement, reads),
    HttpApiEndpoint.patch("update", one, {
      params,
      payload: WebhookPatch,
      success: WebhookDocument,
      error: [Unprocessable, Conflict],
    }).annotate(Requirement, administers("webhook.update")),
    HttpApiEndpoint.delete("delete", one, { params }).annotate(Requirement, administers("webhook.delete")),
    HttpApiEndpoint.post("rotateSecret", `${one}/rotate-secret`, {
      params,
      payload: [Rotation, Schema.Null],
      success: IssuedWebhook,
      error: Conflict,
    }).annotate(Requirement, administers("webhook.rotate_secret")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks" })) {}

export class WebhookAttemptsGroup extends HttpApiGroup.make("webhookAttempts")
  .add(
    HttpApiEndpoint.post("test", `${one}/test`, {
      params,
      success: TestResult,
      error: Unprocessable,
    }).annotate(Requirement, writes("webhook.test")),
    HttpApiEndpoint.get("list", `${one}/attempts`, {
      params,
      query: { ...pageQuery(AttemptCursor), status: Schema.optionalKey(AttemptStatus) },
      success: Page(AttemptDocument, AttemptCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("request", `${one}/attempts/:attempt_id/request`, {
      params: attemptParams,
      success: AttemptRequest,
      error: Conflict,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("resend", `${one}/attempts/:attempt_id/resend`, {
      params: attemptParams,
      success: HttpApiSchema.Accepted,
      error: Conflict,
    }).annotate(Requirement, writes("webhook.resend")),
    HttpApiEndpoint.post("skip", `${one}/attempts/:attempt_id/skip`, {
      params: attemptParams,
      error: Conflict,
    }).annotate(Requirement, writes("webhook.skip")),
    HttpApiEndpoint.post("recover", `${one}/recover`, {
      params,
      payload: Recovery,
      success: Recovered,
    }).annotate(Requirement, writes("webhook.recover")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Webhook attempts" })) {}

/** The event that blocks a webhook. */
export interface BlockedHead {
  readonly sequence: Sequence
  readonly batchIndex: number | null
  readonly attempts: number
  readonly nextAt: number
  readonly receivedAt: number
}

/** How far a webhook is: the event that blocks it, and what it has still to send. */
export interface WebhookProgress {
  readonly head: BlockedHead | null
  readonly waiting: WebhookDocument["waiting"]
}

export const nothingWaiting: WebhookProgress = { head: null, waiting: { events: 0, entries: 0 } }

export const webhookDocument = (
  webhook: Webhook,
  { head, waiting }: WebhookProgress = nothingWaiting,
): WebhookDocument => ({
  webhook_id: webhook.webhookId,
  kind: webhook.kind,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  filter: webhook.filter,
  ordering: webhook.ordering,
  retry: webhook.retry,
  first_only: webhook.firstOnly,
  body_content: webhook.bodyContent,
  enabled: webhook.enabled,
  blocked_by: blockedByDocument(webhook.workspace, head),
  waiting,
  created_at: toIso(webhook.createdAt),
  updated_at: toIso(webhook.updatedAt),
})

export const blockedByDocument = (workspace: WorkspaceId, head: BlockedHead | null) =>
  head === null
    ? null
    : {
        operation_id: operationIdText(workspace, head.sequence, head.batchIndex),
        attempts: head.attempts,
        next_at: toIso(head.nextAt),
        received_at: toIso(head.receivedAt),
      }

export const attemptDocument = (attempt: RecordedAttempt): AttemptDocument => ({
  attempt_id: `a${attempt.key}`,
  event_id: attempt.eventId,
  operation_id: attempt.operationId,
  number: attempt.number,
  at: toIso(attempt.at),
  status: attempt.status,
  response_status: attempt.responseStatus,
  duration_ms: attempt.durationMs,
  response_excerpt: attempt.responseExcerpt,
  next_at: isoTimeOrNull(attempt.nextAt),
})

/** Returns the key of the attempt with this id, or undefined if the text is not the id of an attempt. */
export const attemptKeyIn = (attemptId: string): AttemptKey | undefined =>
  /^a[1-9]\d{0,14}$/.test(attemptId) ? AttemptKey.make(Number(attemptId.slice(1))) : undefined
