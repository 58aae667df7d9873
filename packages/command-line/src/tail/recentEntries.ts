import type { ActivityDocument, SearchedTo } from "@inlethq/contract/activity/ActivityLog"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { Connection } from "../server/Connection.ts"

/** The largest number of pages that are read for one search. A page examines up to 10,000 entries. */
const pagesMax = 40

interface Wanted {
  readonly filter: string
  /** The largest number of entries to return. */
  readonly lines: number
  /** Entries after this log position are left out. */
  readonly newest: Sequence
  /** Only entries received before this time, or undefined for all entries. */
  readonly until: string | undefined
}

interface RecentEntries {
  /** The newest matching entries, oldest first. */
  readonly entries: ReadonlyArray<ActivityDocument>
  /** How far back the log was searched, or null if enough entries were found or the whole log was searched. */
  readonly searchedTo: SearchedTo | null
}

/** Returns the newest entries that match a filter. Searches a limited part of the log. */
export const recentEntries = Effect.fnUntraced(function* ({ filter, lines, newest, until }: Wanted) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const found: Array<ActivityDocument> = []
  let after: Sequence | null = null
  let searchedTo: SearchedTo | null = null
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: Effect.Success<ReturnType<typeof client.activity.list>> = yield* client.activity.list({
      params: { w: workspace },
      query: {
        limit: lines - found.length,
        ...(filter === "" ? {} : { filter }),
        ...(until === undefined ? {} : { until }),
        ...(after === null ? {} : { after }),
      },
    })
    found.push(...page.items.filter(({ sequence }) => sequence <= newest))
    const isEnough = found.length >= lines || page.next === null
    searchedTo = isEnough ? null : page.searched_to
    if (isEnough) break
    after = page.next
  }
  const result: RecentEntries = { entries: found.toReversed(), searchedTo }
  return result
})
