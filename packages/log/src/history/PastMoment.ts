import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/**
 * A moment of a workspace: after the entry at a log position, or after the last entry that was received at a time or
 * before.
 */
export type PastMoment =
  | { readonly _tag: "AtPosition"; readonly position: Sequence }
  | { readonly _tag: "AtTime"; readonly at: EpochMillis }

/** Returns whether an entry was recorded after a moment. */
export const isAfter = (
  { receivedAt, sequence }: Pick<ActivityEntry, "receivedAt" | "sequence">,
  moment: PastMoment,
): boolean => (moment._tag === "AtPosition" ? sequence > moment.position : receivedAt > moment.at)
