import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { visitorRetentionMs } from "@inlethq/core/state/Subject"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { historySince, isReleased, keptSince, retentionSince } from "./keptSince.ts"

/** The largest number of workspaces that one search for work examines. */
const workspacesMax = 1000

/**
 * Finds the next workspace with work, by seven index lookups for each workspace, and some more where entries are past their
 * days, because the lake may not have read them. Receipt times never decrease along the log, so two entries show whether
 * there are entries to remove. The first entry that pruning has not checked is compared with the history that the
 * workspace keeps. The first entry of the log is compared with the retention that the workspace has set.
 */
const workSql = `
  SELECT workspace FROM (
    SELECT workspace, pruned_to FROM heads WHERE deleted_at IS NULL ORDER BY workspace <= $1, workspace LIMIT ${workspacesMax}
  ) AS heads
  WHERE EXISTS (
    SELECT FROM subjects WHERE subjects.workspace = heads.workspace AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  ) OR EXISTS (
    SELECT FROM subjects WHERE subjects.workspace = heads.workspace AND seen < $2
  ) OR EXISTS (
    SELECT FROM (
      SELECT received FROM activity WHERE activity.workspace = heads.workspace AND sequence > heads.pruned_to ORDER BY sequence LIMIT 1
    ) AS oldest WHERE ${isReleased("oldest.received", historySince("heads.workspace", "$3"), "heads.workspace")}
  ) OR EXISTS (
    SELECT FROM (
      SELECT received FROM activity WHERE activity.workspace = heads.workspace ORDER BY sequence LIMIT 1
    ) AS oldest WHERE ${isReleased("oldest.received", retentionSince("heads.workspace", "$3"), "heads.workspace")}
  ) OR (
    SELECT received FROM rejected_calls WHERE rejected_calls.workspace = heads.workspace ORDER BY received LIMIT 1
  ) < ${keptSince("heads.workspace", "$3")}
  ORDER BY workspace <= $1, workspace LIMIT 1`

/**
 * Returns the next workspace after `last` in which housekeeping has work to do, or undefined if no workspace has work.
 */
export const nextWorkspace = (
  database: Database["Service"],
  last: number,
  now: EpochMillis,
): Effect.Effect<WorkspaceId | undefined, StoreUnavailable> =>
  Effect.map(database.query("run housekeeping", workSql, [last, now - visitorRetentionMs, now]), ([row]) =>
    row === undefined ? undefined : workspaceId(integer(row["workspace"])),
  )
