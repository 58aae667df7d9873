import { Context, Schema } from "effect"
import { storeTexts } from "@inlethq/core/log/operationTexts"
import type { StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"

/**
 * The error for a request that is refused because the queue is full or the service is stopping. Nothing was applied, so
 * the client can retry.
 */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {
  override get message() {
    return storeTexts.overloaded()
  }
}

/** The errors with which a request that was not applied fails. */
export type SubmitError = Overloaded | StoreUnavailable | WorkspaceDeleted

/** The limits of the queue of requests that wait for a commit. */
export interface IngestBounds {
  /** The largest number of commands that may wait for a commit. */
  readonly waitingCommandsMax: number
  /** The largest number of bytes of request bodies that may wait for a commit. */
  readonly waitingBytesMax: number
  /** The largest number of commands in one commit. A single request with more commands gets a commit of its own. */
  readonly commitCommandsMax: number
  /**
   * The largest number of commands in all commits that are being written at the same time. Each commit has at least one
   * request, so large requests can exceed this limit.
   */
  readonly writingCommandsMax: number
}

export const IngestBounds = Context.Reference<IngestBounds>("@inlethq/engine/commits/IngestBounds", {
  defaultValue: () => ({
    waitingCommandsMax: 100_000,
    waitingBytesMax: 64 * 1024 * 1024,
    commitCommandsMax: 5_000,
    writingCommandsMax: 10_000,
  }),
})
