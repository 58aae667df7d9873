import type { LeafGroup } from "../rule/LeafIndex.ts"
import { holdsWithRing, insert, insertForVisitor, truthOfRing, unite } from "../rule/Ring.ts"
import { isCounting } from "../rule/Rule.ts"
import type { Counted, LeafState, Ring } from "../state/LeafState.ts"
import type { Holder } from "../state/Subject.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** What is stored about a leaf before it counts an occurrence. */
interface BeforeOccurrence {
  /** What whoever it happened to has done. */
  readonly ring: Ring
  /** What others did who belong to the same person and are counted apart. */
  readonly others: Ring
  /** When the leaf is due for the person. */
  readonly due: EpochMillis | null
}

/** What is stored about a leaf once it has counted an occurrence. */
interface AfterOccurrence extends LeafState {
  /** Whether rules have to be evaluated, because a leaf became true or false. */
  readonly decides: boolean
}

/**
 * Counts an occurrence. Returns null if it is too old to matter.
 *
 * Membership follows from the truths of leaves, so an occurrence that changes none of them changes no membership either. Most do
 * not, and then nothing has to be read from the document of the person.
 */
export const countOccurrence = (
  group: LeafGroup,
  { _tag }: Holder,
  { due, others, ring: known }: BeforeOccurrence,
  counted: Counted,
  now: EpochMillis,
): AfterOccurrence | null => {
  const { needed } = group
  const ring = _tag === "Person" ? insert(known, counted, needed) : insertForVisitor(known, counted, needed)
  if (ring === known) return null
  if (_tag === "Visitor") return { ring, due, decides: false }
  if (due !== null && due <= now) return { ring, due, decides: true }
  const all = (one: Ring) => (others.length === 0 ? one : unite(one, others, needed))
  const { decides, flipsAt } = compared(group, all(known), all(ring), now)
  return { ring, due: nextDue(due, flipsAt, now), decides }
}

/** Returns whether a leaf holds with only one of two rings, and when time next changes one with the second ring. */
const compared = (
  { leaves }: LeafGroup,
  one: Ring,
  other: Ring,
  now: EpochMillis,
): { readonly decides: boolean; readonly flipsAt: EpochMillis | null } => {
  let decides = false
  let next: EpochMillis | null = null
  for (const { leaf } of leaves) {
    if (!isCounting(leaf)) continue
    const { flipsAt, holds } = truthOfRing(other, leaf.count, leaf.window, now)
    if (flipsAt !== null && (next === null || flipsAt < next)) next = flipsAt
    decides ||= holdsWithRing(one, leaf.count, leaf.window, now) !== holds
  }
  return { decides, flipsAt: next }
}

/**
 * Returns the time at which a leaf is to be evaluated without any request. A time that is already set and comes before the right
 * one stays, so that a person who is always busy costs one change of it for each window instead of one for each event.
 */
export const nextDue = (
  due: EpochMillis | null,
  flipsAt: EpochMillis | null,
  now: EpochMillis,
): EpochMillis | null => {
  if (due === null || due <= now) return flipsAt
  return flipsAt === null ? due : Math.min(due, flipsAt)
}
