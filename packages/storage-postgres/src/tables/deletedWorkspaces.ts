import type { ErasingWorkspace } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/*
 * A deleted workspace has no row in `workspaces`. Its row in `heads` has the time of the deletion, until everything else
 * of it is erased. The table `installation` has the largest id of a deleted workspace. Workspaces get ascending ids, so
 * an id without a row that is not above this one belonged to a deleted workspace.
 */

const lastName = "last_workspace"

/** SQL for the largest id that a deleted workspace had; 0 if no workspace was deleted. */
export const lastDeletedSql = `(SELECT coalesce(max(value::bigint), 0) FROM installation WHERE name = '${lastName}')`

/** Returns SQL that tells whether a workspace was deleted, from the SQL of its id. */
export const isDeletedSql = (workspace: string): string =>
  `(${workspace} <= ${lastDeletedSql} AND NOT EXISTS (SELECT FROM workspaces WHERE id = ${workspace}))`

export const isDeleted = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(
    connection.query(`SELECT ${isDeletedSql("$1::bigint")} AS deleted`, [workspace]),
    ([row]) => row?.["deleted"] === true,
  )

/** Records the id of a deleted workspace, so that no other workspace gets it. */
export const saveLastDeleted = (
  connection: Connection,
  workspace: number,
): Effect.Effect<number, DatabaseError> =>
  connection.execute(
    `INSERT INTO installation (name, value) VALUES ('${lastName}', $1) ON CONFLICT (name) DO UPDATE
      SET value = greatest(installation.value::bigint, excluded.value::bigint)::text`,
    [String(workspace)],
  )

/** Reads the deleted workspaces that are not erased completely yet. */
export const erasingSql =
  "SELECT workspace, deleted_at FROM heads WHERE deleted_at IS NOT NULL ORDER BY workspace"

export const erasingFromRow = (row: Row): ErasingWorkspace => ({
  workspace: workspaceId(integer(row["workspace"])),
  deletedAt: integer(row["deleted_at"]),
})
