import { Schema } from "effect"
import { ActivitySource } from "./log/ActivityEntry.ts"
import { Fault } from "./log/Outcome.ts"
import { Workspace } from "./workspace/Workspace.ts"

/** The fields that all commands share. Times are milliseconds since 1970. */
const Envelope = Schema.Struct({
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /** The operation's own time. It orders updates and dates events. */
  at: Schema.Int,
  /** Whether `at` was computed from `receivedAt`, so that it moves with it. False if the client sent a time. */
  followsReceipt: Schema.Boolean,
  /** The time on the client's clock before it was corrected; null if it was not corrected. */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The index within a batch request; null outside a batch. */
  batchIndex: Schema.NullOr(Schema.Int),
  /** A later operation with the same key in the workspace has no effect (contract §8). */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** The parts of the request that the decoder left out. */
  faults: Schema.Array(Fault),
})
export type Envelope = typeof Envelope.Type

/** The fields of `Envelope`, to spread into the schemas of commands. */
export const envelope = Envelope.fields
