import { noFilter, type Catalog, type LogPageRequest } from "@inlethq/core/catalog/Catalog"
import type { PageRequest } from "@inlethq/core/values/Page"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { nextAfter, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { readTime, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Effect } from "effect"

/** A range of receipt times: at `since` or later, and before `until`. */
export interface Period {
  readonly since: EpochMillis
  readonly until: EpochMillis
}

/** Returns the period that a query asks for. The times in the query have already been validated. */
export const periodOf = (query: { readonly since?: string; readonly until?: string }): Period => ({
  since: readTime(query.since) ?? Number.NEGATIVE_INFINITY,
  until: readTime(query.until) ?? Number.POSITIVE_INFINITY,
})

/** Returns the log position of the last entry that was received before `since`, or null if there is no such entry. */
export const firstReceivedSince = Effect.fnUntraced(function* (
  catalog: Pick<Snapshot, "activity">,
  workspace: WorkspaceId,
  since: EpochMillis,
): Effect.fn.Return<Sequence | null, StoreUnavailable> {
  if (since === Number.NEGATIVE_INFINITY) return null
  const nextEntry = entryReader(catalog, workspace)
  const newest = yield* nextEntry(null, "desc")
  return newest === undefined ? null : cursorAt(yield* lastReceivedBefore(since, 0, newest, nextEntry))
})

/**
 * Restricts a page request to the log entries of a period. If the cursor is missing or has not reached the period yet
 * (in the order of the page), the returned cursor is at the start of the period. The returned `end` stops the read after
 * the last entry of the period. Returns undefined if no entry of the period follows the cursor.
 */
export const pageInPeriod = Effect.fnUntraced(function* (
  catalog: Pick<Catalog["Service"], "activity">,
  workspace: WorkspaceId,
  { since, until }: Period,
  page: PageRequest<Sequence>,
): Effect.fn.Return<LogPageRequest | undefined, StoreUnavailable> {
  if (since === Number.NEGATIVE_INFINITY && until === Number.POSITIVE_INFINITY) return page
  const nextEntry = entryReader(catalog, workspace)
  const isAscending = page.order === "asc"
  // Entries of earlier pages need no search. In ascending order, these are the entries up to the cursor. In descending
  // order, these are the entries from the cursor on.
  const low = isAscending ? (page.after ?? 0) : 0
  const newest = yield* nextEntry(isAscending ? null : page.after, "desc")
  if (newest === undefined || newest.sequence <= low) return undefined
  const [before, last] = yield* Effect.all(
    [lastReceivedBefore(since, low, newest, nextEntry), lastReceivedBefore(until, low, newest, nextEntry)],
    { concurrency: 2 },
  )
  if (last <= before) return undefined
  const behind = nextAfter(Sequence.make(last))
  const start = cursorAt(before)
  if (isAscending) return { ...page, after: start, end: behind }
  return start === null ? { ...page, after: behind } : { ...page, after: behind, end: start }
})

type NextEntry = (
  after: Sequence | null,
  order: "asc" | "desc",
) => Effect.Effect<ActivityEntry | undefined, StoreUnavailable>

const entryReader =
  (catalog: Pick<Snapshot, "activity">, workspace: WorkspaceId): NextEntry =>
  (after, order) =>
    Effect.map(
      catalog.activity(workspace, noFilter, { limit: 1, after, order }),
      ({ items }) => items[0]?.entry,
    )

/**
 * Returns the position of the last entry after `from`, up to `newest`, that was received before `time`. Returns `from`
 * if no such entry exists. Receipt times ascend in the log of a workspace, so a binary search needs only few reads.
 */
const lastReceivedBefore = Effect.fnUntraced(function* (
  time: EpochMillis,
  from: number,
  newest: ActivityEntry,
  nextEntry: NextEntry,
): Effect.fn.Return<number, StoreUnavailable> {
  if (newest.receivedAt < time) return newest.sequence
  if (time === Number.NEGATIVE_INFINITY) return from
  let [low, high]: [number, number] = [from, newest.sequence - 1]
  // The search first reads the entry after `from`. This entry is often received at `time` or later already, because a
  // period often begins before the cursor or before the oldest entry. The search then ends at once.
  let middle = low
  // The entry after `low` may have been received before `time`, but the entry after `high` was not.
  while (low < high) {
    const next = yield* nextEntry(cursorAt(middle), "asc")
    if (next === undefined || next.receivedAt >= time) high = middle
    else low = next.sequence
    middle = Math.floor((low + high) / 2)
  }
  return low
})

const cursorAt = (position: number): Sequence | null => (position === 0 ? null : Sequence.make(position))
