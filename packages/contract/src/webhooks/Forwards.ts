import { Forward, ForwardedAs, ForwardShape } from "@inlethq/core/forward/Forward"
import { forwardsPerWorkspaceMax } from "@inlethq/core/ports/ForwardStore"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { DeliveryRetry } from "@inlethq/core/webhook/Webhook"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administers, reads, Requirement, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { Conflict, Unprocessable } from "../access/Problem.ts"
import { AttemptCursor, WebhookCursor } from "../values/Cursor.ts"
import { IsoTime, TimeText } from "../values/IsoTime.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import {
  AttemptDocument,
  BlockedBy,
  blockedByDocument,
  TestResult,
  type WebhookProgress,
} from "./Webhooks.ts"

/** The longest key of a receiver, in characters. */
const forwardKeyLengthMax = 500

const changeable = {
  name: Name.annotate({ description: "unique in the workspace; the `integrations` of calls choose by it" }),
  url: Schema.String.annotate({
    description: "the base address: `/v1/batch` or `/v2/batch` is added to it, as `to` says",
  }),
  filter: Schema.NullOr(Schema.String).annotate({
    description: "chooses entries, such as `kind:event`; deletions and suppressions are sent all the same",
  }),
  as: ForwardedAs.annotate({
    description: "`decided` sends what was made of a call, `sent` the values as they came",
  }),
  retry: DeliveryRetry,
  enabled: Schema.Boolean.annotate({
    description: "whether the forward sends; a disabled forward keeps its position in the log",
  }),
}

const key = Schema.NonEmptyString.check(Schema.isMaxLength(forwardKeyLengthMax)).annotate({
  description: "the write key of a source, or `<site_id>:<api_key>` with `to` set to `track-v2`; never shown",
})

const Waiting = Schema.Struct({
  /** The operations that wait for another attempt. */
  operations: Schema.Int,
  /** The entries of the log that the forward has not read. It does not send every entry. */
  entries: Schema.Int,
}).annotate({
  identifier: "ForwardWaiting",
  description: `what a forward has still to send: \`operations\` wait for another attempt (counted up to ${heldEventsMax}), and \`entries\` of the log were not read yet`,
})

/** A forward without its key. */
export const ForwardDocument = Schema.Struct({
  forward_id: Schema.String,
  to: ForwardShape,
  ...changeable,
  blocked_by: Schema.NullOr(BlockedBy),
  waiting: Waiting,
  /** What came of the newest attempt that failed, if none was delivered since. */
  last_error: Schema.NullOr(Schema.String),
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "Forward",
  description:
    "a forward; `blocked_by` is the operation that it sends again, and that all later ones wait for",
})
export type ForwardDocument = typeof ForwardDocument.Type

const optional = {
  filter: Schema.optionalKey(changeable.filter),
  as: Schema.optionalKey(changeable.as),
  retry: Schema.optionalKey(changeable.retry),
  enabled: Schema.optionalKey(changeable.enabled),
}

const NewForward = Schema.Struct({
  name: changeable.name,
  to: ForwardShape,
  url: changeable.url,
  key,
  ...optional,
}).annotate({
  identifier: "NewForward",
  description: `a new forward; by default it sends everything as it was decided; a workspace has at most ${forwardsPerWorkspaceMax}`,
})
export type NewForward = typeof NewForward.Type

const ForwardPatch = Schema.Struct({
  name: Schema.optionalKey(changeable.name),
  url: Schema.optionalKey(changeable.url),
  key: Schema.optionalKey(key),
  ...optional,
}).annotate({
  identifier: "ForwardPatch",
  description: "the settings of the forward to change; a setting that is missing stays unchanged",
})
export type ForwardPatch = typeof ForwardPatch.Type

const Recovery = Schema.Struct({ since: TimeText }).annotate({
  identifier: "ForwardRecovery",
  description: "a time; every operation that was received since this time and not delivered is sent again",
})

const Recovered = Schema.Struct({ operations: Schema.Int }).annotate({
  identifier: "ForwardRecovered",
  description: "the number of operations that are sent again",
})

const params = { w: WorkspaceId, forward_id: Schema.String }
const attemptParams = { ...params, attempt_id: Schema.String }

const path = "/workspaces/:w/forwards"
const one = `${path}/:forward_id` as const

export class ForwardsGroup extends HttpApiGroup.make("forwards")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: { w: WorkspaceId },
      query: pageQuery(WebhookCursor),
      success: Page(ForwardDocument, WebhookCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("create", path, {
      params: { w: WorkspaceId },
      payload: NewForward,
      success: ForwardDocument.pipe(HttpApiSchema.status(201)),
      error: [Unprocessable, Conflict],
    }).annotate(Requirement, administers("forward.create")),
    HttpApiEndpoint.get("get", one, { params, success: ForwardDocument }).annotate(Requirement, reads),
    HttpApiEndpoint.patch("update", one, {
      params,
      payload: ForwardPatch,
      success: ForwardDocument,
      error: [Unprocessable, Conflict],
    }).annotate(Requirement, administers("forward.update")),
    HttpApiEndpoint.delete("delete", one, { params }).annotate(Requirement, administers("forward.delete")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Forwards" })) {}

export class ForwardAttemptsGroup extends HttpApiGroup.make("forwardAttempts")
  .add(
    HttpApiEndpoint.post("test", `${one}/test`, {
      params,
      success: TestResult,
      error: Unprocessable,
    }).annotate(Requirement, writes("forward.test")),
    HttpApiEndpoint.get("list", `${one}/attempts`, {
      params,
      query: { ...pageQuery(AttemptCursor), status: Schema.optionalKey(AttemptStatus) },
      success: Page(AttemptDocument, AttemptCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("resend", `${one}/attempts/:attempt_id/resend`, {
      params: attemptParams,
      success: HttpApiSchema.Accepted,
      error: Conflict,
    }).annotate(Requirement, writes("forward.resend")),
    HttpApiEndpoint.post("skip", `${one}/attempts/:attempt_id/skip`, {
      params: attemptParams,
      error: Conflict,
    }).annotate(Requirement, writes("forward.skip")),
    HttpApiEndpoint.post("recover", `${one}/recover`, {
      params,
      payload: Recovery,
      success: Recovered,
    }).annotate(Requirement, writes("forward.recover")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Forward attempts" })) {}

export const forwardDocument = (
  forward: Forward,
  { head, waiting }: WebhookProgress,
  lastError: string | null,
): ForwardDocument => ({
  forward_id: forward.forwardId,
  to: forward.to,
  name: forward.name,
  url: forward.url,
  filter: forward.filter,
  as: forward.as,
  retry: forward.retry,
  enabled: forward.enabled,
  blocked_by: blockedByDocument(forward.workspace, head),
  waiting: { operations: waiting.events, entries: waiting.entries },
  last_error: lastError,
  created_at: toIso(forward.createdAt),
  updated_at: toIso(forward.updatedAt),
})
