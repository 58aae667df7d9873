import { Effect } from "effect"
import type { LikenessPlace, LikenessRecord } from "../catalog/Catalog.ts"
import { pairOf, type Pair } from "../ports/Dismissals.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import { alikeIn } from "../state/likeness.ts"
import type { Person } from "../state/Person.ts"
import type { Page } from "../values/Page.ts"
import type { LikenessKind } from "../workspace/Likeness.ts"
import {
  evidenceOf,
  isDismissed,
  pagePairsMax,
  type DuplicatePage,
  type DuplicatePair,
  type DuplicatePlace,
  type Sources,
} from "./duplicatePairs.ts"

type AlikePlace = DuplicatePlace & { readonly _tag: "Likeness" }

const recordsPerRead = 10

/** Returns the place before the first pair of people who are alike, or null if nothing is compared. */
export const firstAlike = ([kind]: ReadonlyArray<LikenessKind>): AlikePlace | null =>
  kind === undefined ? null : { _tag: "Likeness", at: { kind, digest: "" }, pair: null }

/**
 * Lists the pairs of people who have something of the given kinds alike, each at the first of these kinds. Without a `reason`,
 * those that an operation names are left out, because they are listed there.
 */
export const alikePairs = Effect.fnUntraced(function* (
  sources: Sources,
  kinds: ReadonlyArray<LikenessKind>,
  reason: LikenessKind | null,
  from: AlikePlace,
  limit: number,
): Effect.fn.Return<DuplicatePage, StoreUnavailable> {
  const items: Array<DuplicatePair> = []
  let place = from
  let looked = 0
  while (looked < pagePairsMax) {
    const read = { from: place.at, limit: recordsPerRead }
    const page: Page<LikenessRecord, LikenessPlace> = yield* sources.catalog.likeness(
      sources.workspace,
      kinds,
      read,
    )
    for (const record of page.items) {
      const after = isAt(place, record) ? place.pair : null
      for (const people of pairsIn(record.people, after)) {
        if (looked++ >= pagePairsMax || items.length >= limit) return { items, next: place }
        place = placeOf(record, pairOf(people[0].key, people[1].key))
        const pair = yield* alikePair(sources, kinds, reason, record, people)
        if (pair !== null) items.push(pair)
      }
      looked++
    }
    if (page.next === null) return { items, next: null }
    place = placeOf(page.next, null)
  }
  return { items, next: place }
})

const placeOf = ({ digest, kind }: LikenessPlace, pair: Pair | null): AlikePlace => ({
  _tag: "Likeness",
  at: { kind, digest },
  pair,
})

const isAt = ({ at }: AlikePlace, { digest, kind }: LikenessPlace): boolean =>
  at.kind === kind && at.digest === digest

/** Returns the pairs of people after a pair, in the order of their keys. */
function* pairsIn(
  people: ReadonlyArray<Person>,
  after: Pair | null,
): Generator<readonly [Person, Person], void, void> {
  for (const [place, one] of people.entries()) {
    if (after !== null && one.key < after.one) continue
    for (const other of people.slice(place + 1)) {
      if (after === null || one.key > after.one || other.key > after.other) yield [one, other]
    }
  }
}

const alikePair = Effect.fnUntraced(function* (
  sources: Sources,
  kinds: ReadonlyArray<LikenessKind>,
  reason: LikenessKind | null,
  { kind }: LikenessPlace,
  people: readonly [Person, Person],
): Effect.fn.Return<DuplicatePair | null, StoreUnavailable> {
  if (alikeIn(...people, kinds)[0] !== kind) return null
  if (yield* isDismissed(sources, people)) return null
  const found = yield* evidenceOf(sources, people)
  if (reason === null && found.length > 0) return null
  const said = new Set(found.map((one) => one.reason))
  return {
    people,
    reasons: [...[...said].toSorted(), ...alikeIn(...people, sources.kinds)],
    operations: [...new Map(found.map(({ entry }) => [entry.sequence, entry])).values()],
  }
})
