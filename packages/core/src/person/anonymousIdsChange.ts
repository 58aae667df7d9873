import type { FieldChange } from "../log/Outcome.ts"

/**
 * Returns a change of the anonymous ids of a person. It names only those that were removed and added, because the others may
 * be those of a merged person, and erasing that person would not reach this entry.
 */
export const anonymousIdsChange = (
  removed: ReadonlyArray<string>,
  added: ReadonlyArray<string>,
): FieldChange => ({
  path: "anonymous_ids",
  from: removed.length === 0 ? null : [...removed],
  to: added.length === 0 ? null : [...added],
})
