import { hourNumber, type DestinationHour } from "@inlethq/core/ports/DestinationHours"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { FeedKey } from "./Destination.ts"

/** Returns the name under which the hours of a feed are kept. */
export const destinationName = (destination: string, id: string | null): string =>
  id === null ? destination : `${destination}:${id}`

/** A feed, and what of it was counted already. */
interface Counted {
  readonly key: FeedKey
  readonly lagEntries: number
  countedTo: number | null
  measuredIn: number
}

/** Sums what is measured of the feeds of a destination by hour, until it is stored. */
export class HourSums {
  private readonly destination: string
  private readonly sums = new Map<WorkspaceId, Map<string, DestinationHour>>()

  constructor(destination: string) {
    this.destination = destination
  }

  /** Adds what a feed is like now: where it is, and how old the oldest entry is that waits. */
  add(feed: Counted, position: number, lagMs: number, now: EpochMillis): void {
    const { key, lagEntries } = feed
    const hour = hourNumber(now)
    const entries = Math.max(0, position - (feed.countedTo ?? position))
    feed.countedTo = position
    // Of a feed that rests, an hour has one measurement, which says that it was measured at all.
    if (entries === 0 && lagEntries === 0 && lagMs === 0 && feed.measuredIn === hour) return
    feed.measuredIn = hour
    const destination = destinationName(this.destination, key.id)
    const ofWorkspace = this.sums.get(key.workspace) ?? new Map<string, DestinationHour>()
    const known = ofWorkspace.get(`${destination} ${hour}`)
    ofWorkspace.set(`${destination} ${hour}`, {
      destination,
      hour,
      entries: entries + (known?.entries ?? 0),
      lagEntries: Math.max(lagEntries, known?.lagEntries ?? 0),
      lagMs: Math.max(lagMs, known?.lagMs ?? 0),
    })
    this.sums.set(key.workspace, ofWorkspace)
  }

  /** Returns the sums by workspace, and begins anew. */
  take(): ReadonlyArray<readonly [WorkspaceId, ReadonlyArray<DestinationHour>]> {
    const taken = Array.from(this.sums, ([workspace, hours]) => [workspace, [...hours.values()]] as const)
    this.sums.clear()
    return taken
  }
}
