import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { activityDocument } from "./activityDocument.ts"
import type { ProvenanceDocument } from "@inlethq/contract/activity/Provenance"

/**
 * Returns the newest operation that changed each field of a person. `records` are of the person's activity, newest first. What
 * happened to people before they were merged into the person is in it, too, and changed nothing of the person: what the person
 * took over from them was set by the merge.
 */
export const provenanceOf = (
  person: SubjectKey,
  records: Iterable<ActivityRecord>,
  brand: WrittenBrand,
): ReadonlyArray<ProvenanceDocument> => {
  const found = new Map<string, ProvenanceDocument>()
  for (const record of records) {
    if (record.entry.subject !== person) continue
    const { at, changes, operation_id, received_at, source } = activityDocument(record, brand)
    for (const { path } of changes) {
      if (!found.has(path)) found.set(path, { path, operation_id, source, at, received_at })
    }
  }
  return [...found.values()]
}
