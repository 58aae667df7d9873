import { TextValues } from "@inlethq/core/log/Reason"
import { Schema } from "effect"

const protocol = Schema.Literals(["track-v1", "track-v2", "pipelines", "management"])

const request = {
  method: Schema.Literals(["POST", "PUT", "DELETE", "PATCH"]),
  /** The path with its query, as it is sent. */
  path: Schema.String,
  /** Null if the call has none. */
  body: Schema.Json,
}

/** The call that an operation was, as one request. */
export const CallDocument = Schema.Struct({
  /** The API that takes the call, and with it the kind of key that it needs. */
  protocol,
  ...request,
}).annotate({
  identifier: "Call",
  description:
    "the call that an operation was, as one request without credentials: an item of a batch or a row of CSV is a request of its own; it has a time only if the client sent one",
})
export type CallDocument = typeof CallDocument.Type

/** Why the log cannot say which call an operation was. */
export const CallReason = Schema.Struct({
  /** A word that never changes (docs/errors.md). */
  code: Schema.String,
  values: TextValues,
  /** The same as a sentence. */
  reason: Schema.String,
}).annotate({
  identifier: "CallReason",
  description: "why the log cannot say which call an operation was",
})
export type CallReason = typeof CallReason.Type

/** What the sender of a rejected call was answered. */
export const AnswerDocument = Schema.Struct({ status: Schema.Int, body: Schema.Json }).annotate({
  identifier: "CallAnswer",
  description:
    "what the sender of a rejected call was answered; for an item of a batch, the answer to the item alone",
})
export type AnswerDocument = typeof AnswerDocument.Type

/** A call that is sent again. Its deduplication key is left out, because the call would be a duplicate of itself. */
export const CallRequest = Schema.Struct({
  /** The path says it. */
  protocol: Schema.optionalKey(protocol),
  ...request,
}).annotate({
  identifier: "CallRequest",
  description:
    "a call to an ingestion API, such as the `call` of an operation, that is applied as if it had arrived there; its deduplication key is left out",
})
export type CallRequest = typeof CallRequest.Type
