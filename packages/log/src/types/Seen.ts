import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"

/** Where something was seen. */
export interface Seen {
  /** The position of the entry, and its place in a batch, or -1 if it came alone. */
  readonly position: number
  readonly batchIndex: number
  readonly receivedAt: EpochMillis
  /** The number of the sender, or 0. */
  readonly sender: number
}

/** How `Seen` is stored. */
export const StoredSeen = Schema.Tuple([Schema.Int, Schema.Int, Schema.Int, Schema.Int])
export type StoredSeen = typeof StoredSeen.Type

export const storedSeen = ({ batchIndex, position, receivedAt, sender }: Seen): StoredSeen => [
  position,
  batchIndex,
  receivedAt,
  sender,
]

export const seenFrom = ([position, batchIndex, receivedAt, sender]: StoredSeen): Seen => ({
  position,
  batchIndex,
  receivedAt,
  sender,
})

/** Where an entry of the log is seen. */
export const seenIn = ({ batchIndex, receivedAt, sender, sequence }: ActivityEntry): Seen => ({
  position: sequence,
  batchIndex: batchIndex ?? -1,
  receivedAt,
  sender: sender ?? 0,
})
