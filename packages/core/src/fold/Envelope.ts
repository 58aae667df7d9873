import { Schema } from "effect"
import { Provenance } from "../log/Provenance.ts"
import { ActivitySource } from "../log/ActivityEntry.ts"
import { KeptValue } from "../log/KeptValue.ts"
import { Fault } from "../log/Outcome.ts"
import { PlanFinding } from "../log/PlanFinding.ts"
import { SentCall } from "../log/RejectedCall.ts"
import { SenderId } from "../log/Sender.ts"
import { Workspace } from "../workspace/Workspace.ts"

/** The fields that all commands share. Times are milliseconds since 1970. */
const Envelope = Schema.Struct({
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /**
   * The time of the operation, such as the time at which an event happened. If two updates set the same attribute, the
   * update with the later time wins.
   */
  at: Schema.Int,
  /**
   * True if `at` was computed from `receivedAt`, and false if the client gave `at`. If the server corrects
   * `receivedAt`, a computed `at` moves by the same amount.
   */
  followsReceipt: Schema.Boolean,
  /**
   * The time in a Pipelines call, before the server corrects it. Null if the call contains no time, and null in
   * commands of other APIs.
   */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The index of the operation within a batch request; null outside a batch. */
  batchIndex: Schema.NullOr(Schema.Int),
  /**
   * Identifies repeated operations: a later operation with the same key in the workspace has no effect (contract §8).
   */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** Who sent the operation. Null if it did not arrive with the key of a client. */
  sender: Schema.NullOr(SenderId),
  /** The call as sent, which is kept if deciding refuses it. Missing if deciding cannot refuse it. */
  sent: Schema.optionalKey(SentCall),
  /** One fault for each invalid part of the request. The decoder has left the invalid parts out of the command. */
  faults: Schema.Array(Fault),
  /** The values that the decoder read differently than they were sent. Missing if there are none, as nearly always. */
  keptAs: Schema.optionalKey(Schema.Array(KeptValue)),
  /** The plan that the call did not fit. Missing if it fits, or if there is none. */
  plan: Schema.optionalKey(PlanFinding),
  /** Where the call came from. Missing if the call does not say so. */
  provenance: Schema.optionalKey(Provenance),
})
export type Envelope = typeof Envelope.Type

/** The fields of `Envelope`, to spread into the schemas of commands. */
export const envelope = Envelope.fields
