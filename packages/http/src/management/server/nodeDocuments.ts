import { hostname } from "node:os"
import type { NodeDocument } from "@inlethq/contract/server/Server"
import type { RecordedNode } from "@inlethq/core/ports/RecordedNodes"
import { secondMs, toIso } from "@inlethq/core/values/Timestamp"
import { Clock, Effect } from "effect"
import manifest from "../../../package.json" with { type: "json" }

/** Returns a node that is recorded in the database, in the format of the management API. */
export const nodeDocument = (node: RecordedNode): NodeDocument => ({
  id: node.id,
  host: node.host,
  version: node.version,
  started_at: toIso(node.startedAt),
  silent_ms: node.silentMs,
  clock_ahead_ms: node.clockAheadMs,
  answering: node.isSelf,
})

/** Returns the document of this node without reading the database. */
export const thisNode: Effect.Effect<NodeDocument> = Effect.map(Clock.currentTimeMillis, (now) => ({
  id: String(process.pid),
  host: hostname(),
  version: manifest.version,
  started_at: toIso(Math.floor(now - process.uptime() * secondMs)),
  silent_ms: 0,
  clock_ahead_ms: 0,
  answering: true,
}))
