import { ActivitySource } from "@inlethq/core/log/ActivityEntry"
import { Schema } from "effect"
import { IsoTime } from "../values/IsoTime.ts"

/** The operation that last changed a field of a person. */
export const ProvenanceDocument = Schema.Struct({
  /** The path of the field, as in the `changes` of an activity entry: `email`, or `attributes.plan`. */
  path: Schema.String,
  operation_id: Schema.String,
  source: ActivitySource,
  at: IsoTime,
  received_at: IsoTime,
}).annotate({
  identifier: "Provenance",
  description: "a field of a person and the operation that last changed the field",
})
export type ProvenanceDocument = typeof ProvenanceDocument.Type
