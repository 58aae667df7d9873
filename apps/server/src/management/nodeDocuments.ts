import { hostname } from "node:os"
import type { NodeDocument } from "@inlet/api/management/Server"
import type { RecordedNode } from "@inlet/core/ports/RecordedNodes"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { secondMs, toIso } from "@inlet/core/values/Timestamp"
import { Clock, Effect } from "effect"
import manifest from "../../package.json" with { type: "json" }

/** Returns the nodes that share the database, or only this node if no other process can use the store. */
export const nodeDocuments = (
  recorded: Effect.Effect<ReadonlyArray<RecordedNode>, StoreUnavailable> | null,
): Effect.Effect<ReadonlyArray<NodeDocument>> =>
  recorded === null
    ? thisNode
    : Effect.map(recorded, (nodes) => nodes.map(documentOf)).pipe(
        Effect.catchTag("StoreUnavailable", () => thisNode),
      )

const documentOf = (node: RecordedNode): NodeDocument => ({
  id: node.id,
  host: node.host,
  version: node.version,
  started_at: toIso(node.startedAt),
  silent_ms: node.silentMs,
  clock_ahead_ms: node.clockAheadMs,
  answering: node.isSelf,
})

const thisNode: Effect.Effect<ReadonlyArray<NodeDocument>> = Effect.map(Clock.currentTimeMillis, (now) => [
  {
    id: String(process.pid),
    host: hostname(),
    version: manifest.version,
    started_at: toIso(Math.floor(now - process.uptime() * secondMs)),
    silent_ms: 0,
    clock_ahead_ms: 0,
    answering: true,
  },
])
