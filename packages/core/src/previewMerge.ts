import { decideAll } from "./Batch.ts"
import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { MergePeople } from "./person/commands.ts"
import type { Person } from "./state/Person.ts"
import type { WorkingSet } from "./fold/WorkingSet.ts"

/** The result of a merge that is decided but not committed. */
export interface MergePreview {
  /** The log entry that the merge would add. Its outcome says whether the people would be merged. */
  readonly entry: ActivityEntry
  /** The primary after the merge. Null if the people would not be merged. */
  readonly merged: Person | null
}

/**
 * Decides a merge without committing it. Applies the changes to the working set, which must not be used for anything else
 * afterwards. Returns undefined if the merge would not be recorded.
 */
export const previewMerge = (state: WorkingSet, command: MergePeople): MergePreview | undefined => {
  const { entries } = decideAll(state, [command])
  const [entry] = entries
  if (entry === undefined) return undefined
  const subject =
    entry.outcome === "applied" && entry.subject !== null ? state.subjects.get(entry.subject) : undefined
  return { entry, merged: subject?._tag === "Person" ? subject : null }
}
