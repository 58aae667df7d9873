import {
  readActivity,
  type ActivityReader,
  type RequestedActivity,
} from "@inlethq/log/reading/filteredActivity"
import { CountTable, type ActivityCounts, type CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { PageRequest } from "@inlethq/core/values/Page"
import { readTime, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Effect } from "effect"

/** The largest number of pages of matching entries that one answer counts. A page reads a bounded part of the log. */
const pagesMax = 5

/** The largest number of matching entries of a page. */
const pageEntries = 1_000

/** What matches a filter, counted from a time on. */
interface MatchingCounts {
  readonly counts: ActivityCounts["counts"]
  /** Every match that was received at this time or later is counted, and none that was received before. */
  readonly countedFrom: EpochMillis
}

/**
 * Counts the entries that match a filter by period of time, kind and outcome, beginning with the newest. The step in which
 * the reads end is counted from there on.
 */
export const countMatching = Effect.fnUntraced(function* (
  reader: ActivityReader,
  workspace: WorkspaceId,
  requested: RequestedActivity,
  { from, stepMs, steps }: CountedSteps,
): Effect.fn.Return<MatchingCounts, StoreUnavailable> {
  const until = from + steps * stepMs
  const table = new CountTable()
  const add = ({ kind, outcome, receivedAt }: ActivityEntry): void =>
    table.add({ step: Math.floor((receivedAt - from) / stepMs), kind, outcome }, 1)
  let after: Sequence | null = null
  let countedFrom = until
  // Entries at the end of a page, until the next page has shown whether more were received in their millisecond.
  let last: ReadonlyArray<ActivityEntry> = []
  for (let read = 0; read < pagesMax; read++) {
    const request: PageRequest<Sequence> = { limit: pageEntries, after, order: "desc" }
    const page = yield* readActivity(reader, workspace, requested, { since: from, until }, request)
    const found = [...last, ...page.items.map(({ entry }) => entry)]
    const reached = page.next === null ? from - 1 : (readTime(page.searchedTo?.at) ?? from - 1)
    for (const entry of found) if (entry.receivedAt > reached) add(entry)
    last = found.filter(({ receivedAt }) => receivedAt <= reached)
    countedFrom = Math.max(from, Math.min(until, reached + 1))
    if (page.next === null) break
    after = page.next
  }
  return { counts: table.counts(), countedFrom }
})
