import type { LeafGroup } from "../rule/LeafIndex.ts"
import { unite } from "../rule/Ring.ts"
import type { RuleIndex } from "../rule/RuleIndex.ts"
import type { LeafState, LeafStates, Ring } from "../state/LeafState.ts"
import { countsApart, type Attachment, type Person } from "../state/Person.ts"
import type { Holder, Subject } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"

/** What is stored about leaves, by the person, the visitor or the part of a person whose doings it counts. */
type AllStates = ReadonlyMap<SubjectKey, LeafStates>

const noRing: Ring = []

/**
 * Returns what a leaf counts for a person or visitor. What merged people did is stored apart, so a merge moves nothing and can
 * be undone in any order; here it is united. Leaves out what `except` did.
 */
export const ringOf = (
  states: AllStates,
  holder: Holder,
  { key: leaf, needed }: Pick<LeafGroup, "key" | "needed">,
  except?: SubjectKey,
): Ring => {
  const own = holder.key === except ? noRing : (states.get(holder.key)?.get(leaf)?.ring ?? noRing)
  if (holder._tag === "Visitor") return own
  let ring = own
  for (const attachment of holder.attached) {
    if (attachment.key === except || !countsApart(attachment)) continue
    const theirs = states.get(attachment.key)?.get(leaf)?.ring
    if (theirs !== undefined) ring = unite(ring, receivedSince(theirs, attachment), needed)
  }
  return ring
}

/** Returns what is stored about the leaves of rules and a person, with what is counted apart of whoever belongs to them. */
export const statesOf = (states: AllStates, person: Person, { leaves }: RuleIndex): LeafStates => {
  const found = new Map<SubjectKey, LeafState>()
  for (const one of countingKeys([person])) {
    for (const leaf of states.get(one)?.keys() ?? []) {
      const group = leaves.groups.get(leaf)
      if (group === undefined || found.has(leaf)) continue
      const due = states.get(person.key)?.get(leaf)?.due ?? null
      found.set(leaf, { ring: ringOf(states, person, group), due })
    }
  }
  return found
}

/** Returns what an attachment did since it belongs to its owner. */
const receivedSince = (ring: Ring, { since }: Pick<Attachment, "since">): Ring =>
  since === 0 ? ring : ring.filter(({ receivedAt }) => receivedAt >= since)

/** Yields the keys under which the doings of people and visitors are counted. */
export function* countingKeys(subjects: Iterable<Subject>): Generator<SubjectKey, void, void> {
  for (const subject of subjects) {
    if (subject._tag !== "Person" && subject._tag !== "Visitor") continue
    yield subject.key
    if (subject._tag === "Visitor") continue
    for (const attachment of subject.attached) if (countsApart(attachment)) yield attachment.key
  }
}
