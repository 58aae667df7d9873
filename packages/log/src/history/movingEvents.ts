import { Effect } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import { isEventKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { namedSince } from "@inlethq/core/person/movedNames"
import type { RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"

/** The largest number of the primary's newest entries in which events are counted that the end of a merge concerns. */
const movingEntriesMax = 2000

/** The largest number of events of a group that are listed. */
const listedEventsMax = 10

/** The entries that are read at once. */
const entriesPerPage = 200

/** Events that share where they go when a merge is undone, and the newest of them. */
export interface EventGroup {
  readonly count: number
  readonly newest: ReadonlyArray<ActivityEntry>
}

/** The events of a merge that can be undone. */
export interface MovingEvents {
  /** Events of the secondary from before the merge. */
  readonly before: EventGroup
  /** Events since the merge that named the primary by an identifier which the merge moved. */
  readonly named: EventGroup
  /** All other events since the merge. */
  readonly others: EventGroup
  /** Whether all entries of the primary were read. */
  readonly isComplete: boolean
}

/** Finds out which events go back when a merge is undone, which do if they are divided, and which stay. */
export const movingEvents = Effect.fnUntraced(function* (
  catalog: Pick<Catalog["Service"], "activity">,
  primary: Person,
  { receipt, secondary }: RecordedMerge,
): Effect.fn.Return<MovingEvents, StoreUnavailable> {
  const theirs = new Set([secondary, ...(receipt.secondary.attached?.removed ?? []).map(({ key }) => key)])
  const via = new Set(namedSince(primary, theirs, receipt.position).map(({ key }) => key))
  const [before, named, others] = [new Group(), new Group(), new Group()]
  let after: Sequence | null = null
  let read = 0
  do {
    const page: Page<ActivityRecord, Sequence> = yield* catalog.activity(
      primary.workspace,
      { ...noFilter, person: primary },
      { after, limit: entriesPerPage, order: "desc" },
    )
    for (const { entry, isErased, owner, subject } of page.items) {
      if (isErased || !isEventKind(entry.kind) || !tookEffect(entry.outcome) || entry.subject === null)
        continue
      if (theirs.has(entry.subject)) before.add(entry)
      else if (via.has(entry.subject)) named.add(entry)
      else if (entry.sequence > receipt.position && (owner ?? subject)?.key === primary.key) others.add(entry)
    }
    read += page.items.length
    after = page.next
  } while (after !== null && read < movingEntriesMax)
  return { before, named, others, isComplete: after === null }
})

class Group implements EventGroup {
  count = 0
  readonly newest: Array<ActivityEntry> = []

  add(entry: ActivityEntry): void {
    this.count++
    if (this.newest.length < listedEventsMax) this.newest.push(entry)
  }
}
