import type { UnmergePeople } from "./commands.ts"
import type { RingsBefore } from "../log/Overwritten.ts"
import { unite } from "../rule/Ring.ts"
import type { Ring } from "../state/LeafState.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Returns what the leaves of rules count for the two people of a merge that is undone: each has again what was counted
 * before the merge, and the primary also what was counted since.
 */
export const ringsApart = (
  { leafStates, rules }: WorkingSet,
  primary: SubjectKey,
  secondary: SubjectKey,
  receipt: UnmergePeople["receipt"],
): ReadonlyMap<SubjectKey, ReadonlyMap<SubjectKey, Ring>> => {
  const ofPrimary = new Map<SubjectKey, Ring>()
  const ofSecondary = new Map<SubjectKey, Ring>()
  for (const leafKey of leavesIn(receipt.primary.rings, receipt.secondary.rings)) {
    const needed = rules.leaves.groups.get(leafKey)?.needed ?? 0
    if (needed === 0) continue
    const now = leafStates.get(primary)?.get(leafKey)?.ring ?? []
    const since = now.filter(({ position }) => position > receipt.position)
    ofPrimary.set(leafKey, unite(receipt.primary.rings?.get(leafKey) ?? [], since, needed))
    const theirs = receipt.secondary.rings?.get(leafKey)
    if (theirs !== undefined) ofSecondary.set(leafKey, theirs)
  }
  return new Map([
    [primary, ofPrimary],
    [secondary, ofSecondary],
  ])
}

const leavesIn = (...rings: ReadonlyArray<RingsBefore | undefined>): ReadonlySet<SubjectKey> =>
  new Set(rings.flatMap((one) => [...(one?.keys() ?? [])]))
