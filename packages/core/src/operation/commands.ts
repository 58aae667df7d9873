import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { ActivityKind } from "../log/ActivityEntry.ts"
import { RejectedCall } from "../log/RejectedCall.ts"
import { Identifier } from "../values/Identifier.ts"

/** What is known of a refused request or batch item (contract §16 *rejected calls*). */
export const SentCall = Schema.Struct({
  /** The name of the event, if the item has a valid one. */
  name: Schema.NullOr(Schema.String),
  /** The identifiers that the item has in the places for identifiers. */
  identifiers: Schema.Array(Identifier),
  call: RejectedCall,
})
export type SentCall = typeof SentCall.Type

/** Record a refused request or batch item. */
export const RejectOperation = Schema.TaggedStruct("RejectOperation", {
  ...envelope,
  kind: Schema.NullOr(ActivityKind),
  sent: Schema.optionalKey(SentCall),
})
export type RejectOperation = typeof RejectOperation.Type

/** Record that a workspace exceeded its request rate, so that its operators can see it (contract §15). */
export const ReportExcess = Schema.TaggedStruct("ReportExcess", { ...envelope, requests: Schema.Int })
export type ReportExcess = typeof ReportExcess.Type
