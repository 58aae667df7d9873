import { Effect, Option } from "effect"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Command, CommandOf } from "../Command.ts"
import { needsOf } from "../CommandTable.ts"
import { isClaimed } from "../decision/erasure.ts"
import { findSuppression } from "../decision/findSuppression.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { systemEnvelope } from "../nextBuildStep.ts"
import type { Store, StoreUnavailable } from "../ports/Store.ts"
import {
  freedText,
  identifierText,
  type Reference,
  type SubjectKey,
  type WorkspaceId,
} from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { UnmergePeople } from "../person/commands.ts"
import { viaOf } from "../person/movedNames.ts"
import type { Person } from "../state/Person.ts"
import { dividedEvents } from "./dividedEvents.ts"
import { mergeOf } from "./merges.ts"

type Erasing = CommandOf<"DeletePerson" | "SuppressPerson">

/** The largest number of entries since a merge that are read before the commit of a deletion. */
const erasedEntriesMax = 1000

interface Reads {
  readonly store: Store["Service"]
  readonly catalog: Catalog["Service"]
}

/**
 * Returns the ends of merges that must be decided before the commands of a workspace. A delete or suppress that names an
 * identifier which nobody has since a merge freed it is about the person who was merged, so the merge is undone first
 * (contract §6 *delete of a merged person*). Reads nothing for other commands.
 */
export const endsOfFreeingMerges = Effect.fnUntraced(function* (
  { catalog, store }: Reads,
  workspace: WorkspaceId,
  commands: ReadonlyArray<Command>,
): Effect.fn.Return<ReadonlyArray<UnmergePeople>, StoreUnavailable> {
  const erasing = commands.filter(isErasing)
  if (erasing.length === 0) return []
  const seen = yield* store.view(needsOf(workspace, erasing))
  const named = erasing.map((command) => ({ command, texts: freedTextsOf(seen, command) }))
  const identifiers = new Set(named.flatMap(({ texts }) => texts))
  if (identifiers.size === 0) return []
  const state = yield* store.view({ ...needsOf(workspace, []), identifiers })
  const ends = new Map<SubjectKey, UnmergePeople>()
  for (const { command, texts } of named) {
    const freed = firstFreed(state, texts)
    const merge = freed && (yield* mergeOf(catalog, freed.owner, freed.key, command.receivedAt))
    if (freed === undefined || merge == null) continue
    // The person is deleted in the same commit, so a full workspace has room for them.
    const envelope = systemEnvelope({ ...command.workspace, recordsMax: null }, command.receivedAt)
    const { primary, receipt, secondary } = merge
    const end: UnmergePeople = { ...envelope, _tag: "UnmergePeople", primary, secondary, receipt }
    ends.set(secondary, yield* withEvents({ catalog, store }, end, freed.owner))
  }
  return [...ends.values()].toSorted((one, other) => other.receipt.position - one.receipt.position)
})

/**
 * Returns the end of a merge with the events that named the person who is erased, so that they are erased, too. If there are
 * too many to read before a commit, the rules of the primary go on counting them until they are too old.
 */
const withEvents = Effect.fnUntraced(function* (
  { catalog, store }: Reads,
  end: UnmergePeople,
  owner: Person,
): Effect.fn.Return<UnmergePeople, StoreUnavailable> {
  if (viaOf(owner, end.secondary, end.receipt.position) === undefined) return end
  const { nextSequence, rules } = yield* store.view(needsOf(owner.workspace, [end]))
  const readTo = nextSequence - 1
  const divided = yield* dividedEvents(catalog, rules, owner, end, readTo, erasedEntriesMax)
  const uncounted = { readTo, primary: new Map(), secondary: new Map() }
  return { ...end, divide: Option.getOrElse(divided, () => uncounted) }
})

const isErasing = (command: Command): command is Erasing =>
  command._tag === "DeletePerson" || command._tag === "SuppressPerson"

/** Returns the texts under which a merge notes what a command names, or none if a person has it or it is ignored. */
const freedTextsOf = (state: WorkingSet, command: Erasing): ReadonlyArray<string> => {
  const { deduplicationKey, target } = command
  if (resolvePerson(state, target)._tag !== "UnknownIdentifier") return []
  if (findSuppression(state, target) !== undefined) return []
  if (deduplicationKey !== null && isClaimed(state, deduplicationKey)) return []
  return namesOf(target).map((text) => freedText(state.digest(text)))
}

const namesOf = (reference: Reference): ReadonlyArray<string> => {
  switch (reference._tag) {
    case "BySvcId":
      return []
    case "ByIdentifier":
      return [identifierText(reference.kind, reference.value)]
    case "ByBareText":
      return [identifierText("id", reference.value), ...namesOf(reference.otherwise)]
  }
}

/** Returns the merged person to whom the first of the texts leads that leads to one, and the person to whom they belong. */
const firstFreed = ({ identifiers, subjects }: WorkingSet, texts: ReadonlyArray<string>) => {
  for (const text of texts) {
    const key = identifiers.get(text)
    const attached = key === undefined ? undefined : subjects.get(key)
    const owner = attached?._tag === "Attached" && attached.merged ? subjects.get(attached.owner) : undefined
    if (attached !== undefined && owner?._tag === "Person") return { key: attached.key, owner }
  }
  return undefined
}
