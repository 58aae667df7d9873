import type { MergeDocument } from "@inlethq/contract/people/MergePreview"

/**
 * Returns the last merge of each person. A person who was merged, split off and merged again has several in the list,
 * newest first, of which only the last is in force.
 */
export const newestMerges = (merges: ReadonlyArray<MergeDocument>): ReadonlyArray<MergeDocument> =>
  merges.filter(
    ({ secondary }, index) =>
      merges.findIndex((other) => other.secondary.svc_id === secondary.svc_id) === index,
  )
