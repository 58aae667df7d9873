import type { UnmergePeople } from "./commands.ts"
import type { RingsBefore } from "../log/Overwritten.ts"
import { unite } from "../rule/Ring.ts"
import type { Ring } from "../state/LeafState.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"

/**
 * Returns what the leaves of rules count for the two people of a merge that is undone: each has again what was counted
 * before the merge. What was counted since is the primary's, unless the events are divided.
 */
export const ringsApart = (
  { leafStates, rules }: WorkingSet,
  { divide, primary, receipt, secondary }: UnmergePeople,
): ReadonlyMap<SubjectKey, ReadonlyMap<SubjectKey, Ring>> => {
  const ofPrimary = new Map<SubjectKey, Ring>()
  const ofSecondary = new Map<SubjectKey, Ring>()
  const { primary: own, secondary: theirs } = receipt
  for (const leafKey of leavesIn(own.rings, theirs.rings, divide?.secondary)) {
    const needed = rules.leaves.groups.get(leafKey)?.needed ?? 0
    if (needed === 0) continue
    const now = leafStates.get(primary)?.get(leafKey)?.ring ?? []
    const back: Ring = divide?.secondary.get(leafKey) ?? []
    const isBack = new Set(back.map(({ position }) => position))
    const since = now.filter(({ position }) => position > receipt.position && !isBack.has(position))
    // Those of the primary may have been dropped for newer ones that go back now.
    const stay = unite(
      divide?.primary.get(leafKey) ?? [],
      missingIn(divide?.primary.get(leafKey), since),
      needed,
    )
    ofPrimary.set(leafKey, unite(own.rings?.get(leafKey) ?? [], stay, needed))
    const before = theirs.rings?.get(leafKey)
    if (before !== undefined || back.length > 0) ofSecondary.set(leafKey, unite(before ?? [], back, needed))
  }
  return new Map([
    [primary, ofPrimary],
    [secondary, ofSecondary],
  ])
}

/**
 * Returns whether rules have counted something for the primary since the log was read to divide it. Nothing keeps the
 * server from undoing a merge to erase somebody.
 */
export const hasCountedSince = (
  { leafStates }: WorkingSet,
  { divide, primary, source }: UnmergePeople,
): boolean =>
  divide !== undefined &&
  source !== "system" &&
  [...(leafStates.get(primary)?.values() ?? [])].some(({ ring }) =>
    ring.some(({ position }) => position > divide.readTo),
  )

const missingIn = (known: Ring | undefined, others: Ring): Ring => {
  const positions = new Set(known?.map(({ position }) => position))
  return others.filter(({ position }) => !positions.has(position))
}

const leavesIn = (...rings: ReadonlyArray<RingsBefore | undefined>): ReadonlySet<SubjectKey> =>
  new Set(rings.flatMap((one) => [...(one?.keys() ?? [])]))
