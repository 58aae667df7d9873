import { readActivity, type ActivityReader, type RequestedActivity } from "@inlet/api/log/filteredActivity"
import { CountTable, type ActivityCounts, type CountedSteps } from "@inlet/core/catalog/ActivityCounts"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { PageRequest } from "@inlet/core/values/Page"
import { fromIso } from "@inlet/core/values/Timestamp"
import { Effect } from "effect"

/** The largest number of pages of matching entries that one answer counts. A page reads a bounded part of the log. */
const pagesMax = 5

/** The largest number of matching entries of a page. */
const pageEntries = 1_000

/**
 * Counts the entries that match a filter by period of time, kind and outcome, beginning with the newest. Steps before
 * those that the reads have reached are left out.
 */
export const countMatching = Effect.fnUntraced(function* (
  reader: ActivityReader,
  workspace: WorkspaceId,
  requested: RequestedActivity,
  { from, stepMs, steps }: CountedSteps,
): Effect.fn.Return<ActivityCounts, StoreUnavailable> {
  const period = { since: from, until: from + steps * stepMs }
  const stepAt = (time: number): number => Math.floor((time - from) / stepMs)
  const table = new CountTable()
  let after: Sequence | null = null
  let searchedTo = from
  for (let read = 0; read < pagesMax; read++) {
    const request: PageRequest<Sequence> = { limit: pageEntries, after, order: "desc" }
    const page = yield* readActivity(reader, workspace, requested, period, request)
    for (const { entry } of page.items) {
      table.add({ step: stepAt(entry.receivedAt), kind: entry.kind, outcome: entry.outcome }, 1)
    }
    if (page.next === null) return { counts: table.counts(), firstStep: 0 }
    after = page.next
    searchedTo = fromIso(page.searchedTo?.at) ?? from
  }
  // The step in which the reads ended is counted in part only.
  const firstStep = Math.min(steps, stepAt(searchedTo) + 1)
  return { counts: table.counts().filter(({ step }) => step >= firstStep), firstStep }
})
