import { Context, type Effect } from "effect"
import type { WorkspaceId } from "../values/Identifier.ts"
import { hourMs, type EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The number of hours for which a workspace keeps what became of its destinations. */
export const destinationHoursKept = 48

/** Returns the number of the hour, in UTC since 1970, that contains a time. */
export const hourNumber = (at: EpochMillis): number => Math.floor(at / hourMs)

/** How one destination of a log did in one hour. */
export interface DestinationHour {
  /** The name of the destination, such as `kafka`, or `webhook:` with an id. */
  readonly destination: string
  readonly hour: number
  /** The entries of the log that the destination got done with. */
  readonly entries: number
  /** The most entries that it was behind. */
  readonly lagEntries: number
  /** The greatest age, in milliseconds, of the oldest entry that was read and not delivered. */
  readonly lagMs: number
}

/** How far behind the destinations of each log were, hour by hour. The node that sends measures it. */
export class DestinationHours extends Context.Service<
  DestinationHours,
  {
    /**
     * Adds what a node measured since it last did so: entries are added up, and of lags the greatest is kept. Removes the
     * hours of the workspace that are `destinationHoursKept` older than these. A crash may lose the newest measurements.
     */
    add(workspace: WorkspaceId, hours: ReadonlyArray<DestinationHour>): Effect.Effect<void, StoreUnavailable>
    /** Returns the hours of a destination from an hour on, oldest first. An hour that was not measured is left out. */
    since(
      workspace: WorkspaceId,
      destination: string,
      hour: number,
    ): Effect.Effect<ReadonlyArray<DestinationHour>, StoreUnavailable>
  }
>()("@inlethq/core/ports/DestinationHours") {}
