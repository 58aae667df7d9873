import { Schema } from "effect"
import { ActivitySource } from "./log/ActivityEntry.ts"
import { Fault } from "./log/Outcome.ts"
import { Workspace } from "./workspace/Workspace.ts"

/** The fields that all commands share. Times are milliseconds since 1970. */
const Envelope = Schema.Struct({
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /** The time of the operation. Updates are ordered and events are dated by this time. */
  at: Schema.Int,
  /**
   * True if `at` was computed from `receivedAt`. When the server corrects `receivedAt`, it then moves `at` by the same
   * amount. False if the client sent a time.
   */
  followsReceipt: Schema.Boolean,
  /** The time that the client sent. Null unless the server corrected it. */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The index of the operation within a batch request; null outside a batch. */
  batchIndex: Schema.NullOr(Schema.Int),
  /**
   * The key by which repeated operations are detected. A later operation with the same key in the workspace has no
   * effect (contract §8).
   */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** The faults of the parts of the request that the decoder left out. */
  faults: Schema.Array(Fault),
})
export type Envelope = typeof Envelope.Type

/** The fields of `Envelope`, to spread into the schemas of commands. */
export const envelope = Envelope.fields
