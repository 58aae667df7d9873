import { Schema } from "effect"
import { IsoTime } from "../values/IsoTime.ts"

/**
 * What became of an operation at one forward: `waiting` was not read yet, and `not_sent` never will be. The others are those of an
 * attempt.
 */
const ForwardedState = Schema.Literals(["delivered", "retrying", "failed", "skipped", "waiting", "not_sent"])

export const ForwardedDocument = Schema.Struct({
  forward_id: Schema.String,
  name: Schema.String,
  state: ForwardedState,
  /** Why it is not sent. Null in any other state. */
  reason: Schema.NullOr(Schema.String),
  /** The newest attempt, as far as attempts are kept. */
  attempts: Schema.Int,
  at: Schema.NullOr(IsoTime),
  response_status: Schema.NullOr(Schema.Int),
  response_excerpt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "Forwarded", description: "where an operation was sent on, and what came back" })
export type ForwardedDocument = typeof ForwardedDocument.Type
