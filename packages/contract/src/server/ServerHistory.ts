import { Schema } from "effect"
import { IsoTime } from "../values/IsoTime.ts"
import { QueueDocument, RecentDocument } from "./Status.ts"

/** The state and the throughput of a node over one step of its history. */
export const HistorySample = Schema.Struct({
  /** The end of the step. */
  at: IsoTime,
  ...RecentDocument.fields,
  committing: Schema.Boolean,
  queue: QueueDocument,
  store_bytes: Schema.NullOr(Schema.Int),
  memory_bytes: Schema.Int,
}).annotate({
  identifier: "HistorySample",
  description: "the state of a node at one time, and its throughput in the `seconds` before",
})
export type HistorySample = typeof HistorySample.Type

export const ServerHistoryDocument = Schema.Struct({
  step_seconds: Schema.Int,
  samples: Schema.Array(HistorySample),
}).annotate({
  identifier: "ServerHistory",
  description:
    "the last six hours of the node that answers, one sample a minute and the oldest first. The node keeps them in memory, so they begin with its process",
})
