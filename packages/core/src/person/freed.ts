import { isClaimed } from "../decision/erasure.ts"
import { findSuppression } from "../decision/findSuppression.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { PersonBefore } from "../log/Overwritten.ts"
import { noReasons } from "../log/Reason.ts"
import { NeedsCollector, type Needs } from "../fold/Needs.ts"
import type { Attached, Subject } from "../state/Subject.ts"
import { freedText, identifierText, type Sequence, type SubjectKey } from "../values/Identifier.ts"
import { readOperationId, writeOperationId } from "../values/idText.ts"
import { isJsonObject } from "../values/Json.ts"
import { dayMs } from "../values/Timestamp.ts"
import type { SuppressPerson } from "../suppression/commands.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { collectUnmerge, namesIn, type DeletePerson, type UnmergePeople } from "./commands.ts"
import { mergesOf, mergeThrough } from "./mergeChain.ts"
import { mergeIn } from "./mergeReceipt.ts"

/*
 * A deletion or suppression that names an identifier which nobody has since a merge freed it is about the person who was
 * merged (contract §6 *delete of a merged person*), so that merge is undone first.
 */

/** The days after a merge in which it can be undone. */
export const undoDaysMax = 30

/** Returns the lookup texts under which merges note the identifiers that deletions name. */
export const freedLookups = (
  { freed }: Pick<Needs, "freed">,
  digest: WorkingSet["digest"],
): ReadonlyArray<string> => Array.from(freed, (text) => freedText(digest(text)))

/** Returns the log positions of the merges to which these lookup texts lead, whose entries a store loads next. */
export const mergesFreeing = (
  texts: ReadonlyArray<string>,
  { identifiers, subjects }: Pick<WorkingSet, "identifiers" | "subjects">,
): ReadonlySet<Sequence> =>
  new Set(
    texts.flatMap((text) => {
      const attached = mergedBy(identifiers.get(text), subjects)
      return attached === undefined ? [] : mergesOf(attached, subjects)
    }),
  )

/** Adds to what a batch needs what the entries of merges say the merged people had, to find out who has it now. */
export const withMerges = (needs: Needs, merges: Iterable<ActivityEntry>): Needs => {
  if (needs.freed.size === 0) return needs
  const more = new NeedsCollector(needs.workspace)
  for (const entry of merges) {
    const merge = mergeIn(entry)
    if (merge !== null) collectUnmerge(more, merge)
  }
  return {
    ...needs,
    identifiers: new Set([...needs.identifiers, ...more.identifiers]),
    subjects: new Set([...needs.subjects, ...more.subjects]),
  }
}

type Erasing = DeletePerson | SuppressPerson

/** Returns the end of a merge that must be decided right before a deletion, or null. */
export const freeingUnmerge = (
  state: WorkingSet,
  command: { readonly _tag: string } | Erasing,
): UnmergePeople | null => {
  if (!isErasing(command)) return null
  const { deduplicationKey, target } = command
  if (resolvePerson(state, target)._tag !== "UnknownIdentifier") return null
  if (findSuppression(state, target) !== undefined) return null
  if (deduplicationKey !== null && isClaimed(state, deduplicationKey)) return null
  const receivedAt = Math.max(command.receivedAt, state.latestReceipt ?? command.receivedAt)
  for (const text of namesIn(target)) {
    const key = state.identifiers.get(freedText(state.digest(text)))
    const attached = mergedBy(key, state.subjects)
    if (attached === undefined) continue
    const merge = mergeThrough(state, attached)
    if (merge === null) return null
    // They had it from somebody who is erased, and it went with that person.
    if (!namesBefore(merge.receipt.secondary).includes(text)) continue
    return merge.receipt.mergedAt < receivedAt - undoDaysMax * dayMs
      ? null
      : {
          _tag: "UnmergePeople",
          // The person is deleted at once, so a full workspace has room for them.
          workspace: { ...command.workspace, recordsMax: null },
          source: "system",
          receivedAt,
          at: receivedAt,
          followsReceipt: false,
          originalTimestamp: null,
          batchIndex: null,
          deduplicationKey: null,
          sender: null,
          faults: [],
          ...merge,
          divide: true,
          erases: true,
        }
  }
  return null
}

/**
 * Returns the entry of a merge that a deletion has undone, as it looks once the person is erased: it names the operation of the
 * deletion, whose entry says what rules made of the person who stays.
 */
export const freeingEntry = (entry: ActivityEntry, deletion: Sequence): ActivityEntry => ({
  ...entry,
  outcome: "applied",
  reasons: noReasons,
  data: { operation_id: writeOperationId(entry.workspace, deletion) },
  changes: [],
  refused: [],
  effects: [],
  overwritten: [],
})

/** Returns the log position of the deletion that undid a merge, or undefined if an entry records no such end of a merge. */
export const deletionFreeing = ({ data, kind, workspace }: ActivityEntry): number | undefined => {
  const operation = kind === "unmerge" && isJsonObject(data) ? data["operation_id"] : undefined
  return typeof operation === "string" ? readOperationId(workspace, operation) : undefined
}

const isErasing = (command: { readonly _tag: string }): command is Erasing =>
  command._tag === "DeletePerson" || command._tag === "SuppressPerson"

/** Returns the lookup texts of the id and email that somebody had. */
const namesBefore = ({ email, id }: PersonBefore): ReadonlyArray<string> => [
  ...(id == null ? [] : [identifierText("id", id)]),
  ...(email == null ? [] : [identifierText("email", email)]),
]

/** Returns the merged person with a key if they belong to a person. */
const mergedBy = (
  key: SubjectKey | undefined,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): Attached | undefined => {
  const attached = key === undefined ? undefined : subjects.get(key)
  const isMerged = attached?._tag === "Attached" && attached.merged
  return isMerged && subjects.get(attached.owner)?._tag === "Person" ? attached : undefined
}
