import { Context, type Effect } from "effect"
import type { SizeOfDay } from "../segment/sizesByDay.ts"
import type { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of days for which the sizes of a segment are kept. */
export const sizeDaysMax = 366

/**
 * The sizes of segments by day. Each commit that changes a segment stores its size for the day of the commit. A day
 * without a row has the size of the day before, and nothing is known of the days before the first row.
 */
export class SegmentSizes extends Context.Service<
  SegmentSizes,
  {
    /** Returns the sizes from a day on, oldest first. The first may be that of the last change before that day. */
    since(
      workspace: WorkspaceId,
      segment: SubjectKey,
      day: number,
    ): Effect.Effect<ReadonlyArray<SizeOfDay>, StoreUnavailable>
  }
>()("@inlethq/core/ports/SegmentSizes") {}
