import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityFilter } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Data, type Effect, type Option, type Schema } from "effect"
import { followerTexts } from "./followerTexts.ts"

/** The error of a destination that did not take a batch. The batch is read and sent again after a pause. */
export class DestinationFailed extends Data.TaggedError("DestinationFailed")<{ readonly message: string }> {}

/** Another reader has claimed the cursor of a feed. The feed is prepared again, if this node may still send. */
export class CursorLost extends Data.TaggedError("CursorLost") {
  override readonly message = followerTexts.cursorLost()
}

/**
 * The store did not say whether it saved the progress of a feed. The feed is prepared again, and so reads what is stored and
 * gets a new token.
 */
export class ProgressUnknown extends Data.TaggedError("ProgressUnknown")<{ readonly message: string }> {}

export type SendError = DestinationFailed | CursorLost | ProgressUnknown | StoreUnavailable

/** Identifies a feed, which is what one webhook or one topic receives of a workspace's log. */
export interface FeedKey {
  readonly workspace: WorkspaceId
  /** Tells the feeds of a workspace apart. Null if the destination has one feed for each workspace. */
  readonly id: string | null
}

/** Returns the labels of a feed in metrics and log messages. `destination` is the name of its destination. */
export const labelsOf = (destination: string, { id, workspace }: FeedKey): Record<string, string> => ({
  workspace: String(workspace),
  ...(id === null ? {} : { [destination]: id }),
})

/** Consecutive entries of a log. Entries that the filter does not match, or that were deleted, are left out. */
export interface Batch {
  readonly records: ReadonlyArray<ActivityRecord>
  /** The position up to which the log was read. The batch begins after the position that `readFrom` returned. */
  readonly to: Sequence | null
  /** The time at which the read began. A person in the batch may be deleted from then on. */
  readonly readAt: EpochMillis
  readonly caughtUp: boolean
}

/** How far a feed has come. */
export interface Progress {
  /** The destination is done with every entry up to this position. */
  readonly position: Sequence | null
  /** The receipt time of the oldest entry that was read and not sent yet, or null if none waits. */
  readonly oldestReceivedAt: EpochMillis | null
  /** Why the work beside the reads waits, or null if nothing is wrong. */
  readonly failure: string | null
}

/** A feed that is ready to send. It stores its own progress, in one transaction with whatever else it stores. */
interface ReadySink<Settings, R> {
  readonly settings: Settings
  /** Waits until the feed wants more of the log. */
  readonly ready: Effect.Effect<void>
  progress(): Progress
  /** Works beside the reads. Ends soon after `stop`, or earlier to have the feed prepared again. */
  run(): Effect.Effect<void, never, R>
  stop(): void
}

/** A feed for which the follower reads the log. */
export interface BatchSink<Settings, R> extends ReadySink<Settings, R> {
  /** Selects the entries that the feed reads. */
  readonly filter: ActivityFilter
  /** The most pages of `Catalog.follow` in one batch. */
  readonly pagesMax: number
  /** The position after which the next batch begins. */
  readFrom(): Sequence | null
  /** Takes a batch. After a failure, the log is read again from `readFrom`. */
  send(batch: Batch): Effect.Effect<void, SendError, R>
}

/** A feed that reads the log itself, in another thread. */
export interface ReadingSink<Settings, R> extends ReadySink<Settings, R> {
  /** Reads and sends the next entries. Returns whether the log has no more. After a failure, it is run again. */
  readonly sendNext: Effect.Effect<boolean, SendError, R>
}

export type Sink<Settings, R> = BatchSink<Settings, R> | ReadingSink<Settings, R>

/** A kind of place to which logs are sent. */
export interface Destination<Settings, R> {
  /** The name in metrics and cursors, such as `kafka`. */
  readonly name: string
  /** What one feed is called in log messages, such as "a webhook". */
  readonly title: string
  /** A feed is prepared again when its settings are no longer equal to those that `feeds` returns. */
  readonly settings: Schema.Schema<Settings>
  /** Returns all feeds that should run, with their current settings. */
  readonly feeds: Effect.Effect<ReadonlyArray<FeedKey & { readonly settings: Settings }>, StoreUnavailable, R>
  /** Reads the current settings and the progress of a feed. Returns an empty option if it should not run. */
  prepare(key: FeedKey): Effect.Effect<Option.Option<Sink<Settings, R>>, StoreUnavailable, R>
}
