import { ActivitySource } from "@inlet/core/log/ActivityEntry"
import { Schema } from "effect"
import type { ActivityDocument } from "./ActivityLog.ts"
import { IsoTime } from "./IsoTime.ts"

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

/** Returns the newest operation that changed each field. `entries` must be sorted by log position, newest first. */
export const provenanceIn = (entries: Iterable<ActivityDocument>): ReadonlyArray<ProvenanceDocument> => {
  const found = new Map<string, ProvenanceDocument>()
  for (const { at, changes, operation_id, received_at, source } of entries) {
    for (const { path } of changes) {
      if (!found.has(path)) found.set(path, { path, operation_id, source, at, received_at })
    }
  }
  return [...found.values()]
}
