import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { ActivityKind } from "../log/ActivityEntry.ts"

/** Record that a request or an item was refused; nothing that it held is kept. */
export const RejectOperation = Schema.TaggedStruct("RejectOperation", {
  ...envelope,
  kind: Schema.NullOr(ActivityKind),
})
export type RejectOperation = typeof RejectOperation.Type

/** Tell operators that more requests came in than a workspace may send (contract §15). */
export const ReportExcess = Schema.TaggedStruct("ReportExcess", { ...envelope, requests: Schema.Int })
export type ReportExcess = typeof ReportExcess.Type
