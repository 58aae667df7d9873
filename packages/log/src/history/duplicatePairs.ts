import { Effect } from "effect"
import type { Catalog, EvidenceRecord } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { EvidenceReason } from "@inlethq/core/log/evidence"
import { pairOf, type Dismissals } from "@inlethq/core/ports/Dismissals"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { mergedPeople } from "@inlethq/core/person/movedNames"
import type { Person } from "@inlethq/core/state/Person"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { pageOperationsMax, pairOperationsMax } from "@inlethq/core/log/evidenceBounds"

/** Two people who may be one, the one created first before the other. */
export interface DuplicatePair {
  readonly people: readonly [Person, Person]
  readonly reasons: ReadonlyArray<EvidenceReason>
  /** The operations that say so, newest first, at most `pairOperationsMax`. */
  readonly operations: ReadonlyArray<ActivityEntry>
}

/** A page of pairs. More pairs may follow unless `next` is null, also after an empty page. */
export type DuplicatePage = Page<DuplicatePair, Sequence>

export interface DuplicatesRequest {
  readonly reason: EvidenceReason | null
  readonly after: Sequence | null
  readonly limit: number
}

/** What a list of pairs reads. */
export interface Sources {
  readonly catalog: Catalog["Service"]
  readonly dismissals: Dismissals["Service"]
  readonly workspace: WorkspaceId
}

/** Reads the newest operations that name two people, or those who were merged into them. */
export const evidenceOf = Effect.fnUntraced(function* (
  { catalog, workspace }: Sources,
  people: readonly [Person, Person],
): Effect.fn.Return<ReadonlyArray<EvidenceRecord>, StoreUnavailable> {
  const name = nameOf(people)
  const keys = people.flatMap(keysUnder)
  let after: Sequence | null = null
  // Other pairs among these keys may fill a page.
  for (let looked = 0; looked < pageOperationsMax; looked += pairOperationsMax) {
    const page: Page<EvidenceRecord, Sequence> = yield* catalog.evidence(workspace, keys, {
      after,
      limit: pairOperationsMax,
    })
    const found = page.items.filter((one) => nameOf(one.people) === name)
    if (found.length > 0 || page.next === null) return found
    after = page.next
  }
  return []
})

/** Returns a text that two people have in either order, and no other two. */
export const nameOf = ([a, b]: readonly [Person, Person]): string => {
  const { one, other } = pairOf(a.key, b.key)
  return `${one}:${other}`
}

/** Returns the keys of a person, and of the visitors and merged people who belong to them. */
const keysUnder = ({ attached, key }: Person): ReadonlyArray<SubjectKey> => [
  key,
  ...attached.map((one) => one.key),
]

/** Returns whether two people, or people who were merged into them, were dismissed as a pair. */
export const isDismissed = Effect.fnUntraced(function* (
  { dismissals, workspace }: Sources,
  [one, other]: readonly [Person, Person],
): Effect.fn.Return<boolean, StoreUnavailable> {
  const others = peopleUnder(other)
  for (const key of peopleUnder(one)) {
    const dismissed = yield* dismissals.of(workspace, key)
    if (others.some((candidate) => dismissed.has(candidate))) return true
  }
  return false
})

const peopleUnder = (person: Person): ReadonlyArray<SubjectKey> => [person.key, ...mergedPeople(person)]
