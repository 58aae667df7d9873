import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { followedMax, followedSlicesMax, type Followed } from "@inlethq/core/catalog/Catalog"
import type { Page } from "@inlethq/core/values/Page"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Slices } from "@inlethq/core/Slices"

/** Reads the activity log in one direction and collects the entries that match a filter. */
export interface ActivityScan {
  readonly items: ReadonlyArray<ActivityRecord>
  /** The last log position that was scanned; null if nothing was scanned yet. */
  readonly position: Sequence | null
  /** Whether the end of the log was reached. */
  readonly ended: boolean
  /** Whether the collected entries have reached their limit in bytes. */
  readonly isFull: boolean
  /**
   * Scans a bounded number of rows. Stops earlier if `itemsMax` entries are collected, or if the collected entries
   * reach their limit in bytes.
   */
  slice(itemsMax: number): void
}

/**
 * Reads a page of activity. Returns fewer entries than `limit` only at the end of the log or if the entries are large.
 */
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

/** Scans until an entry matches the filter, the log ends, or `followedSlicesMax` slices have run. */
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
