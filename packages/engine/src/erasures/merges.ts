import { Effect } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { undoDaysMax } from "@inlethq/core/person/freed"
import { mergedPeople } from "@inlethq/core/person/movedNames"
import { mergeIn, type RecordedMerge } from "@inlethq/core/person/mergeReceipt"

/** A merge that can be undone, and the entry that records it. */
export interface UndoableMerge extends RecordedMerge {
  readonly entry: ActivityEntry
}

/** Lists the merges into a person that can be undone now: of each merged person the last one. */
export const mergesInto = Effect.fnUntraced(function* (
  catalog: Snapshot,
  person: Person,
  now: EpochMillis,
  { after, limit, order }: PageRequest<Sequence>,
): Effect.fn.Return<Page<UndoableMerge, Sequence>, StoreUnavailable> {
  const all = yield* lastMerges(catalog, person, now)
  const ordered = order === "asc" ? all.toReversed() : all
  const rest = ordered.filter(({ entry: { sequence } }) => {
    return after === null || (order === "asc" ? sequence > after : sequence < after)
  })
  const items = rest.slice(0, limit)
  return { items, next: items.length < rest.length ? (items.at(-1)?.entry.sequence ?? null) : null }
})

/** Finds the last merge of a person into another that can be undone now, or returns null. */
export const mergeOf = Effect.fnUntraced(function* (
  catalog: Snapshot,
  person: Person,
  secondary: SubjectKey,
  now: EpochMillis,
): Effect.fn.Return<UndoableMerge | null, StoreUnavailable> {
  return (yield* lastMerges(catalog, person, now)).find((merge) => merge.secondary === secondary) ?? null
})

/** Returns the last merge of everybody who still belongs to a person, newest first. There are at most `identifiersPerPersonMax`. */
const lastMerges = Effect.fnUntraced(function* (
  catalog: Snapshot,
  person: Person,
  now: EpochMillis,
): Effect.fn.Return<ReadonlyArray<UndoableMerge>, StoreUnavailable> {
  const found = new Map<SubjectKey, UndoableMerge>()
  const missing = new Set(mergedPeople(person))
  const filter = { ...noFilter, person, kind: "merge" as const }
  let after: Sequence | null = null
  while (missing.size > 0) {
    const page: Page<ActivityRecord, Sequence> = yield* catalog.activity(person.workspace, filter, {
      after,
      limit: mergesPerRead,
      order: "desc",
    })
    for (const { entry, isErased } of page.items) {
      if (entry.receivedAt < now - undoDaysMax * dayMs) return [...found.values()]
      const merge = isErased ? null : mergeIn(entry)
      // Somebody who came back and was merged again has two entries, and only the newer one can be undone.
      if (merge === null || !missing.delete(merge.secondary)) continue
      if (merge.primary === person.key) found.set(merge.secondary, { ...merge, entry })
    }
    if (page.next === null) break
    after = page.next
  }
  return [...found.values()]
})

/** The entries that are read at once. Each may hold everything that a person had. */
const mergesPerRead = 50
