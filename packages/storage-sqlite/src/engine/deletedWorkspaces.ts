import type { ErasingWorkspace } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { lastWorkspace } from "./counters.ts"
import type { Database, ReadDatabase } from "./Database.ts"

/*
 * A deleted workspace has no row in `workspaces`. Its row in `heads` has the time of the deletion, until everything else
 * of it is erased. Workspaces get ascending ids, so an id without a row that is not above the counter `last_workspace`
 * belonged to a deleted workspace.
 */

/** Returns SQL that tells whether a workspace was deleted, from the SQL of its id. */
export const isDeletedSql = (workspace: string): string => `(
  EXISTS (SELECT 1 FROM counters WHERE name = '${lastWorkspace}' AND value >= ${workspace})
  AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = ${workspace})
)`

/** Returns a function that tells whether a workspace was deleted. Data cannot be added to such a workspace. */
export const readIsDeleted = (database: ReadDatabase): ((workspace: WorkspaceId) => boolean) => {
  const statement = database.prepareByPlace(`SELECT ${isDeletedSql("?1")}`)
  return (workspace) => statement.get(workspace)?.[0] === 1
}

/** Returns a function that reads the deleted workspaces that are not erased completely yet. */
export const readErasing = (database: Database): (() => ReadonlyArray<ErasingWorkspace>) => {
  const statement = database.prepare(
    "SELECT workspace, deleted_at FROM heads WHERE deleted_at IS NOT NULL ORDER BY workspace",
  )
  return () => statement.all().map(erasingFromRow)
}

const erasingFromRow = (row: Row): ErasingWorkspace => ({
  workspace: workspaceId(integer(row["workspace"])),
  deletedAt: integer(row["deleted_at"]),
})
