import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { ActivityKind } from "../log/ActivityEntry.ts"
import { SentCall } from "../log/RejectedCall.ts"
import type { NeedsCollector } from "../Needs.ts"

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

/**
 * Adds the identifiers of a refused request to the keys that the store must load, so that what is kept of the request can be
 * erased with the people it names.
 */
export const collectSent = (needs: NeedsCollector, { sent }: RejectOperation): void => {
  for (const { kind, value } of sent?.identifiers ?? []) needs.identifier(kind, value)
}
