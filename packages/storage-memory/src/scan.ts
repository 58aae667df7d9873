import {
  hasPartOf,
  isShownWith,
  isHidden,
  toActivityView,
  type ActivityRecord,
} from "@inlethq/core/catalog/ActivityView"
import type { ActivityScan } from "./ActivityScan.ts"
import { isAbout } from "@inlethq/core/catalog/NamedSubjects"
import { hasReasonOf, type ActivityFilter, type LogPageRequest } from "@inlethq/core/catalog/Catalog"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { Island } from "./MemoryImage.ts"
import { recordOf } from "./queries.ts"

/** The largest number of log positions that one slice visits. */
const slicePositionsMax = 1000

/** Scans the log of a workspace in memory, position by position. */
export class MemoryScan implements ActivityScan {
  readonly items: Array<ActivityRecord> = []
  readonly isFull = false
  ended = false
  position: Sequence | null
  private readonly island: Island
  private readonly filter: ActivityFilter
  private readonly order: "asc" | "desc"
  private readonly end: Sequence | null

  constructor(island: Island, filter: ActivityFilter, { after, end, order }: Omit<LogPageRequest, "limit">) {
    this.island = island
    this.filter = filter
    this.order = order
    this.end = end ?? null
    this.position = after
  }

  slice(itemsMax: number): void {
    const { everything, log } = this.island
    const newest = everything.nextSequence - 1
    for (let looked = 0; looked < slicePositionsMax && this.items.length < itemsMax; looked++) {
      const next =
        this.order === "asc" ? (this.position ?? 0) + 1 : Math.min((this.position ?? newest + 1) - 1, newest)
      const isPastEnd = this.end !== null && (this.order === "asc" ? next >= this.end : next <= this.end)
      this.ended = next < 1 || next > newest || isPastEnd
      if (this.ended) return
      this.position = Sequence.make(next)
      const entry = log.get(this.position)
      if (entry === undefined) continue
      const record = recordOf(this.island, entry)
      if (!isHidden(record) && matches(record, this.filter)) this.items.push(record)
    }
  }
}

const matches = (record: ActivityRecord, filter: ActivityFilter): boolean => {
  const view = toActivityView(record)
  return (
    (filter.kind === null || view.kind === filter.kind) &&
    (filter.outcome === null || view.outcome === filter.outcome) &&
    (filter.name === null || view.name === filter.name) &&
    (filter.search === null || (view.name !== null && filter.search(view.name))) &&
    (filter.person === null ||
      view.person?.key === filter.person.key ||
      view.subject === filter.person.key ||
      (filter.withErased === true ? hasPartOf(view, filter.person) : isShownWith(view, filter.person))) &&
    (filter.rules === null || (view.rule !== null && filter.rules.includes(view.rule))) &&
    (filter.reasons === null || hasReasonOf(view, filter.reasons)) &&
    (filter.about === null || isAbout(view, filter.about))
  )
}
