import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { dayMs, type EpochMillis } from "@inlet/core/values/Timestamp"
import { rejectedDaysDefault } from "@inlet/core/workspace/Workspace"
import type { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/** Returns SQL for the receipt time before which rejected calls of a workspace are no longer kept. */
export const keptSince = (workspace: string, now: string): string =>
  `${now}::bigint - ${dayMs} * coalesce(
    (SELECT (doc::jsonb ->> 'rejectedDays')::bigint FROM workspaces WHERE workspaces.id = ${workspace}), ${rejectedDaysDefault}
  )`

/**
 * Deletes what is kept of rejected calls after `rejectedDays` of their workspace. All rows of a workspace together are
 * small, so one statement deletes all that are due.
 */
export const pruneRejectedCalls = (
  connection: Connection,
  workspace: WorkspaceId,
  now: EpochMillis,
): Effect.Effect<void, DatabaseError> =>
  connection.execute(
    `DELETE FROM rejected_calls WHERE workspace = $1 AND received < ${keptSince("$1", "$2")}`,
    [workspace, now],
  )
