import type { Envelope } from "@inlet/core/Envelope"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect } from "effect"

/** Returns the envelope for a command that an operator gives now. */
export const managementEnvelope = (workspace: Workspace): Effect.Effect<Envelope> =>
  Effect.map(Clock.currentTimeMillis, (receivedAt) => ({
    workspace,
    source: "management",
    receivedAt,
    at: receivedAt,
    followsReceipt: true,
    originalTimestamp: null,
    batchIndex: null,
    deduplicationKey: null,
    sender: null,
    faults: [],
  }))
