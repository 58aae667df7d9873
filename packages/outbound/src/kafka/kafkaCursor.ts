import type { CursorKey } from "@inlet/core/ports/LogCursors"
import type { WorkspaceId } from "@inlet/core/values/Identifier"

/** Returns the key of the cursor that says how far the log of a workspace was copied to Kafka. */
export const kafkaCursor = (workspace: WorkspaceId): CursorKey => ({ workspace, destination: "kafka" })
