import { Effect } from "effect"
import { noFilter } from "../catalog/Catalog.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { Person } from "../state/Person.ts"
import type { Sequence, SubjectKey } from "../values/Identifier.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import { mergeIn, type RecordedMerge } from "./mergeReceipt.ts"

/** The days after a merge in which it can be undone. */
export const undoDaysMax = 30

/** A merge that can be undone, and the entry that records it. */
export interface UndoableMerge extends RecordedMerge {
  readonly entry: ActivityEntry
}

/** Lists the merges into a person that can be undone now. */
export const mergesInto = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  person: Person,
  now: EpochMillis,
  page: PageRequest<Sequence>,
): Effect.fn.Return<Page<UndoableMerge, Sequence>, StoreUnavailable> {
  const filter = { ...noFilter, person, kind: "merge" as const }
  const { items, next } = yield* catalog.activity(person.workspace, filter, page)
  const merges = items.flatMap(({ entry, isErased }) => {
    const merge = isErased || entry.receivedAt < now - undoDaysMax * dayMs ? null : mergeIn(entry)
    return merge?.primary === person.key && isStillMerged(person, merge) ? [{ ...merge, entry }] : []
  })
  return { items: merges, next }
})

/** Finds the last merge of a person into another that can be undone now, or returns null. */
export const mergeOf = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  person: Person,
  secondary: SubjectKey,
  now: EpochMillis,
): Effect.fn.Return<UndoableMerge | null, StoreUnavailable> {
  let after: Sequence | null = null
  do {
    const page: Page<UndoableMerge, Sequence> = yield* mergesInto(catalog, person, now, {
      after,
      limit: mergesPerRead,
      order: "desc",
    })
    const found = page.items.find((merge) => merge.secondary === secondary)
    if (found !== undefined) return found
    after = page.next
  } while (after !== null)
  return null
})

const mergesPerRead = 50

const isStillMerged = ({ attached }: Person, { secondary }: RecordedMerge): boolean =>
  attached.some(({ key, merged }) => merged && key === secondary)
