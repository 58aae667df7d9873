import { noFilter, type LogPageRequest, type PageRequest } from "@inlet/core/catalog/Catalog"
import type { Snapshot } from "@inlet/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { nextAfter, Sequence, type WorkspaceId } from "@inlet/core/values/Identifier"
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
 * Returns a log position that divides the log at a receipt time: all entries after the position were received at
 * `since` or later, and all other entries earlier. Receipt times ascend in the log of a workspace, so a binary search
 * needs only few reads.
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
 * Restricts a page request to the log entries of a period. If the cursor has not reached the period, the read begins
 * with the first entry of the period, in the order of the page. The returned `end` stops the read after the last entry
 * of the period. Returns undefined if the log has no entry before `until`.
 */
export const pageInPeriod = Effect.fnUntraced(function* (
  catalog: Pick<Snapshot, "activity">,
  workspace: WorkspaceId,
  { since, until }: Period,
  page: PageRequest<Sequence>,
): Effect.fn.Return<LogPageRequest | undefined, StoreUnavailable> {
  const before = yield* firstReceivedSince(catalog, workspace, since)
  const last =
    until === Number.POSITIVE_INFINITY ? undefined : yield* firstReceivedSince(catalog, workspace, until)
  if (last === null) return undefined
  const behind = last === undefined ? null : nextAfter(last)
  const [start, end] = page.order === "asc" ? [before, behind] : [behind, before]
  return { ...page, after: furthest(page.order, page.after, start), end }
})

/** Returns the cursor that is later in the reading order. A null cursor is before all entries. */
const furthest = (order: "asc" | "desc", one: Sequence | null, other: Sequence | null): Sequence | null => {
  if (one === null || other === null) return one ?? other
  return one > other === (order === "asc") ? one : other
}
