import { Context, Schema } from "effect"
import { storeTexts } from "../log/faults.ts"

/** More is waiting than the queue holds, or the service is stopping. Nothing was applied; the client should come again. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {
  override get message() {
    return storeTexts.overloaded()
  }
}

/** The bounds of the queue before the store. */
export interface IngestBounds {
  /** Commands that may wait. */
  readonly waitingCommandsMax: number
  /** Bytes of request bodies that may wait. */
  readonly waitingBytesMax: number
  /** Commands that one commit takes, unless a single request holds more. */
  readonly commitCommandsMax: number
}

export const IngestBounds = Context.Reference<IngestBounds>("@inlet/core/IngestBounds", {
  defaultValue: () => ({
    waitingCommandsMax: 100_000,
    waitingBytesMax: 64 * 1024 * 1024,
    commitCommandsMax: 5_000,
  }),
})
