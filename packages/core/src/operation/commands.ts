import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { ActivityKind } from "../log/ActivityEntry.ts"
import { SentCall } from "../log/RejectedCall.ts"

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
