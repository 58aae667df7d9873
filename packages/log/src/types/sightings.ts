import type { CountedSenderDocument, SightingDocument } from "@inlethq/contract/types/EventTypes"
import { SenderId, type Sender } from "@inlethq/core/log/Sender"
import { operationIdText, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, hourMs, toIso } from "@inlethq/core/values/Timestamp"
import type { SenderDocument } from "@inlethq/contract/activity/ActivityLog"
import { senderDocument } from "../documents/activityDocument.ts"
import type { Counted } from "./Counted.ts"
import type { Seen } from "./Seen.ts"

/** What is needed to show what was seen. */
export interface Shown {
  readonly workspace: WorkspaceId
  /** All senders of the workspace, by their numbers. */
  readonly senders: ReadonlyMap<SenderId, Sender>
}

export const operationOf = ({ workspace }: Shown, { batchIndex, position }: Seen): string =>
  operationIdText(workspace, Sequence.make(position), batchIndex < 0 ? null : batchIndex)

export const sighting = (shown: Shown, seen: Seen): SightingDocument => ({
  at: toIso(seen.receivedAt),
  operation_id: operationOf(shown, seen),
})

export const senderOf = ({ senders }: Shown, number: number): SenderDocument | null => {
  const sender = number === 0 ? undefined : senders.get(SenderId.make(number))
  return sender === undefined ? null : senderDocument(sender)
}

/** Returns counts by day, in UTC. */
export const daysOf = ({ days }: Counted): ReadonlyArray<{ readonly day: string; readonly count: number }> =>
  days.map(({ count, day }) => ({ day: toIso(day * dayMs).slice(0, 10), count }))

/** Returns counts by hour. */
export const hoursOf = ({ hours }: Counted): ReadonlyArray<{ readonly at: string; readonly count: number }> =>
  hours.map(({ count, hour }) => ({ at: toIso(hour * hourMs), count }))

/** Returns counts by sender, the most frequent first. */
export const sendersOf = (shown: Shown, { senders }: Counted): ReadonlyArray<CountedSenderDocument> =>
  [...senders.values()]
    .toSorted((a, b) => b.count - a.count || a.sender - b.sender)
    .map(({ count, first, last, sender }) => ({
      sender: senderOf(shown, sender),
      count,
      first: sighting(shown, first),
      last: sighting(shown, last),
    }))
