import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { noFilter, type Page } from "@inlet/core/catalog/Catalog"
import type { Snapshot } from "@inlet/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Sequence, type WorkspaceId } from "@inlet/core/values/Identifier"
import { fromIso, type EpochMillis } from "@inlet/core/values/Timestamp"
import { Effect } from "effect"

/** A range of receipt times: at `since` or later, and before `until`. */
export interface Period {
  readonly since: EpochMillis
  readonly until: EpochMillis
}

/** Returns the period that a query asks for. The times in the query have already been validated. */
export const periodOf = (query: { readonly since?: string; readonly until?: string }): Period => ({
  since: fromIso(query.since) ?? Number.NEGATIVE_INFINITY,
  until: fromIso(query.until) ?? Number.POSITIVE_INFINITY,
})

/**
 * Returns a log position such that all later entries were received at `since` or later, and no earlier entries were.
 * Receipt times ascend in the log of a workspace, so a binary search needs only few reads.
 */
export const firstReceivedSince = Effect.fnUntraced(function* (
  catalog: Pick<Snapshot, "activity">,
  workspace: WorkspaceId,
  since: EpochMillis,
): Effect.fn.Return<Sequence | null, StoreUnavailable> {
  if (since === Number.NEGATIVE_INFINITY) return null
  const entryAt = (after: number | null, order: "asc" | "desc") =>
    Effect.map(
      catalog.activity(workspace, noFilter, {
        limit: 1,
        after: after === null || after === 0 ? null : Sequence.make(after),
        order,
      }),
      ({ items }) => items[0]?.entry,
    )
  const newest = yield* entryAt(null, "desc")
  if (newest === undefined) return null
  let [low, high]: [number, number] = [0, newest.sequence]
  // The entry after `low` may have been received before `since`, but the entry after `high` was not.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = yield* entryAt(middle, "asc")
    if (next === undefined || next.receivedAt >= since) high = middle
    else low = next.sequence
  }
  return low === 0 ? null : Sequence.make(low)
})

/**
 * Returns the cursor after which a read of a period begins. A null cursor means that the read begins at the first entry
 * in the order of the list. Returns undefined if the period is empty.
 */
export const beginOf = Effect.fnUntraced(function* (
  catalog: Pick<Snapshot, "activity">,
  workspace: WorkspaceId,
  { since, until }: Period,
  order: "asc" | "desc",
): Effect.fn.Return<Sequence | null | undefined, StoreUnavailable> {
  if (order === "asc") return yield* firstReceivedSince(catalog, workspace, since)
  if (until === Number.POSITIVE_INFINITY) return null
  const last = yield* firstReceivedSince(catalog, workspace, until)
  return last === null ? undefined : Sequence.make(last + 1)
})

/** Ends a page before its first entry that was received before or after a period. */
export const withinPeriod = (
  { items, next }: Page<ActivityRecord, Sequence>,
  { since, until }: Period,
): Page<ActivityRecord, Sequence> => {
  const end = items.findIndex(({ entry: { receivedAt } }) => receivedAt < since || receivedAt >= until)
  return end < 0 ? { items, next } : { items: items.slice(0, end), next: null }
}
