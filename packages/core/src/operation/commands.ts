import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { ActivityKind } from "../log/ActivityEntry.ts"
import type { SentCall } from "../log/RejectedCall.ts"
import type { NeedsCollector } from "../fold/Needs.ts"

/** Record a refused request or batch item. */
export const RejectOperation = Schema.TaggedStruct("RejectOperation", {
  ...envelope,
  kind: Schema.NullOr(ActivityKind),
})
export type RejectOperation = typeof RejectOperation.Type

/** Record that a workspace exceeded its request rate, so that its operators can see it (contract §15). */
export const ReportExcess = Schema.TaggedStruct("ReportExcess", { ...envelope, requests: Schema.Int })
export type ReportExcess = typeof ReportExcess.Type

/**
 * Adds the identifiers of a call that is or may be refused to the keys that the store must load, so that what is kept of the call can be
 * erased with the people it names. Adds the form that it submits, whose mapping says what is omitted.
 */
export const collectSent = (needs: NeedsCollector, { form, identifiers }: SentCall): void => {
  for (const { kind, value } of identifiers) needs.identifier(kind, value)
  if (form !== undefined) needs.form(form)
}
