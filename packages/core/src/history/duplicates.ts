import { Effect } from "effect"
import type { Catalog, EvidenceRecord } from "../catalog/Catalog.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { EvidenceReason } from "../log/evidence.ts"
import { pairOf, type Dismissals } from "../ports/Dismissals.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import { mergedPeople } from "../person/movedNames.ts"
import type { Person } from "../state/Person.ts"
import type { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { Page } from "../values/Page.ts"

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

/** The most operations that a pair names. */
export const pairOperationsMax = 20

/** The most operations that one page looks at. */
export const pageOperationsMax = 1000

const operationsPerRead = 100

interface Stores {
  readonly catalog: Catalog["Service"]
  readonly dismissals: Dismissals["Service"]
}

/**
 * Lists the pairs of people who may be one, each at its newest operation, newest first. The pairs of one operation are on one
 * page, so it may have a few more than `limit`.
 */
export const duplicatePairs = Effect.fnUntraced(function* (
  stores: Stores,
  workspace: WorkspaceId,
  { after, limit, reason }: DuplicatesRequest,
): Effect.fn.Return<DuplicatePage, StoreUnavailable> {
  const seen = new Set<string>()
  const items: Array<DuplicatePair> = []
  let searchedTo = after
  for (let looked = 0; looked < pageOperationsMax; looked += operationsPerRead) {
    const read = { after: searchedTo, limit: operationsPerRead }
    const page: Page<EvidenceRecord, Sequence> = yield* stores.catalog.evidence(workspace, null, read)
    for (const record of page.items) {
      const { sequence } = record.entry
      if (items.length >= limit && sequence !== searchedTo) return { items, next: searchedTo }
      searchedTo = sequence
      if (reason !== null && record.reason !== reason) continue
      const name = nameOf(record)
      if (seen.has(name)) continue
      seen.add(name)
      const pair = yield* pairIn(stores, workspace, record, reason)
      if (pair !== null) items.push(pair)
    }
    searchedTo = page.next ?? searchedTo
    if (page.next === null) return { items, next: null }
  }
  return { items, next: searchedTo }
})

const nameOf = ({ people: [a, b] }: EvidenceRecord): string => {
  const { one, other } = pairOf(a.key, b.key)
  return `${one}:${other}`
}

/**
 * Returns the pair that an operation is evidence of. Returns null if the pair was dismissed, or if a newer operation says the
 * same, at which the pair is listed.
 */
const pairIn = Effect.fnUntraced(function* (
  { catalog, dismissals }: Stores,
  workspace: WorkspaceId,
  record: EvidenceRecord,
  reason: EvidenceReason | null,
): Effect.fn.Return<DuplicatePair | null, StoreUnavailable> {
  const [a, b] = record.people
  const people = a.key < b.key ? ([a, b] as const) : ([b, a] as const)
  const keys = people.flatMap(keysUnder)
  const { items } = yield* catalog.evidence(workspace, keys, { after: null, limit: pairOperationsMax })
  const name = nameOf(record)
  const all = items.filter((one) => nameOf(one) === name)
  const newest = all.find((one) => reason === null || one.reason === reason)
  if (newest !== undefined && newest.entry.sequence > record.entry.sequence) return null
  if (yield* isDismissed(dismissals, workspace, people)) return null
  const found = all.length === 0 ? [record] : all
  const operations = new Map(found.map(({ entry }) => [entry.sequence, entry]))
  return {
    people,
    reasons: [...new Set([record.reason, ...found.map((one) => one.reason)])].toSorted(),
    operations: [...operations.values()],
  }
})

/** Returns the keys of a person, and of the visitors and merged people who belong to them. */
const keysUnder = ({ attached, key }: Person): ReadonlyArray<SubjectKey> => [
  key,
  ...attached.map((one) => one.key),
]

/** Returns whether two people, or people who were merged into them, were dismissed as a pair. */
const isDismissed = Effect.fnUntraced(function* (
  dismissals: Dismissals["Service"],
  workspace: WorkspaceId,
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
