import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { sequenceOf, workspaceId } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { int8s } from "../engine/parameters.ts"

const newestSql = `
  SELECT workspace, next_sequence - 1 AS newest FROM heads WHERE workspace = ANY ($1::bigint[]) AND next_sequence > 1`

/**
 * Reads the newest log position of each workspace, including commits of other nodes. Leaves out workspaces with an
 * empty log.
 */
export const readNewest =
  (database: Database["Service"]) =>
  (
    workspaces: ReadonlyArray<WorkspaceId>,
  ): Effect.Effect<ReadonlyMap<WorkspaceId, Sequence>, StoreUnavailable> =>
    Effect.map(
      database.query("read the newest entries", newestSql, [int8s(workspaces)]),
      (rows) =>
        new Map(
          rows.map((row) => [workspaceId(integer(row["workspace"])), sequenceOf(integer(row["newest"]))]),
        ),
    )
