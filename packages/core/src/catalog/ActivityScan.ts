import type { ActivityRecord } from "./ActivityView.ts"
import { followedMax, followedSlicesMax, type Followed, type Page } from "./Catalog.ts"
import type { Sequence } from "../values/Identifier.ts"
import type { Slices } from "./ReadTurns.ts"

/** A look through the log in one direction, from a position on, that collects what matches a filter. */
export interface ActivityScan {
  readonly items: ReadonlyArray<ActivityRecord>
  /** The last position that was looked at; null before the first. */
  readonly position: Sequence | null
  /** Whether nothing is left to look at. */
  readonly ended: boolean
  /** Whether the items hold as many bytes as they may. */
  readonly isFull: boolean
  /** Looks at a bounded number of rows; stops once there are `itemsMax` items, or when it is full. */
  slice(itemsMax: number): void
}

/** Fills a page: it is short only where the log ends or its items are large. */
export function* activityPage(scan: ActivityScan, limit: number): Slices<Page<ActivityRecord, Sequence>> {
  for (;;) {
    scan.slice(limit + 1)
    const { items, position } = scan
    if (items.length > limit) {
      const shown = items.slice(0, limit)
      return { items: shown, next: shown.at(-1)?.entry.sequence ?? null }
    }
    if (scan.ended) return { items, next: null }
    if (scan.isFull) return { items, next: position }
    yield
  }
}

/** Looks until something is found, the log ends, or it has taken long enough for now. */
export function* followLog(scan: ActivityScan): Slices<Followed> {
  for (let slices = 1; ; slices++) {
    scan.slice(followedMax)
    const { ended, items, position } = scan
    if (items.length > 0 || ended || slices === followedSlicesMax) {
      return { items, readTo: position, caughtUp: ended }
    }
    yield
  }
}
