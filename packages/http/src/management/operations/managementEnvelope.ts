import type { Envelope } from "@inlethq/core/fold/Envelope"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect } from "effect"
import { sentNow } from "../../access/sentNow.ts"

/** Returns the envelope for a command that an operator gives now. */
export const managementEnvelope = Effect.fnUntraced(function* (
  opened: Workspace,
): Effect.fn.Return<Envelope> {
  const workspace = yield* sentNow(opened)
  const receivedAt = yield* Clock.currentTimeMillis
  return {
    workspace,
    source: "management",
    receivedAt,
    at: receivedAt,
    followsReceipt: true,
    originalTimestamp: null,
    batchIndex: null,
    deduplicationKey: null,
    sender: workspace.sender ?? null,
    faults: [],
  }
})
