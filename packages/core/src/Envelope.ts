import { Schema } from "effect"
import { ActivitySource } from "./log/ActivityEntry.ts"
import { Fault } from "./log/Outcome.ts"
import { Workspace } from "./workspace/Workspace.ts"

/** What every command carries besides what it asks for. Times are milliseconds since 1970. */
const Envelope = Schema.Struct({
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /** The operation's own time: orders updates and dates events. */
  at: Schema.Int,
  /** Whether `at` was reckoned from the time of receipt, and moves with it; otherwise the client stated it. */
  followsReceipt: Schema.Boolean,
  /** The time that the client's clock showed, where it was corrected. */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The place in its batch; null outside one. */
  batchIndex: Schema.NullOr(Schema.Int),
  /** Makes a second arrival have no effect (contract §8). */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** Parts of the request that were left out already. */
  faults: Schema.Array(Fault),
})
export type Envelope = typeof Envelope.Type

/** The fields of `Envelope`, for the schemas of commands. */
export const envelope = Envelope.fields
