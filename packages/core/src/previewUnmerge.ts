import { decideAll } from "./Batch.ts"
import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Reason } from "./log/Reason.ts"
import type { UnmergePeople } from "./person/commands.ts"
import { staysAfterUnmerge } from "./person/unmerge.ts"
import type { Person } from "./state/Person.ts"
import type { SubjectKey } from "./values/Identifier.ts"
import type { WorkingSet } from "./fold/WorkingSet.ts"

/** The end of a merge that is decided but not committed: its entry, and both people afterwards, or null if it is refused. */
export interface UnmergePreview {
  readonly entry: ActivityEntry | undefined
  readonly people: { readonly primary: Person; readonly secondary: Person } | null
  /** What would not come back. Empty if the merge stays. */
  readonly stays: ReadonlyArray<{
    readonly reason: Reason
    /** The person who has it instead. */
    readonly other: SubjectKey | null
  }>
}

/**
 * Decides to undo a merge without committing it. Applies the changes to the working set, which must not be used for
 * anything else afterwards.
 */
export const previewUnmerge = (state: WorkingSet, command: UnmergePeople): UnmergePreview => {
  const faults = staysAfterUnmerge(state, command)
  const stays = faults.map(({ code, field, other, values }) => {
    const isPerson = other !== undefined && state.subjects.get(other)?._tag === "Person"
    return { reason: { code, field, values }, other: isPerson ? other : null }
  })
  const [entry] = decideAll(state, [command]).entries
  const person = (key: SubjectKey) => state.subjects.get(key)
  const [primary, secondary] = [person(command.primary), person(command.secondary)]
  const people = primary?._tag === "Person" && secondary?._tag === "Person" ? { primary, secondary } : null
  return { entry, people, stays: people === null ? [] : stays }
}
