import { heldDaysMax } from "@inlethq/core/ports/LakeFiles"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { sqlHistorySince } from "@inlethq/storage/erasing/erasurePlan"
import { sqlCallsKeptSince } from "@inlethq/storage/rows/rejectedCallRows"

/** Returns SQL for the receipt time before which rejected calls of a workspace are no longer kept. */
export const keptSince = (workspace: string, now: string): string =>
  sqlCallsKeptSince(`${now}::bigint`, setting(workspace, "rejectedDays"), setting(workspace, "retentionDays"))

/** Returns SQL for the receipt time before which entries of a workspace that are not events are no longer kept. */
export const historySince = (workspace: string, now: string): string =>
  sqlHistorySince(`${now}::bigint`, setting(workspace, "historyDays"), setting(workspace, "retentionDays"))

/** Returns SQL for the receipt time before which no entries of a workspace are kept, or null if events stay for ever. */
export const retentionSince = (workspace: string, now: string): string =>
  `(${now}::bigint - ${dayMs} * ${setting(workspace, "retentionDays")})`

/**
 * Returns SQL for the receipt time of the first entry that the lake of a workspace has not read. Null if it has read all
 * entries, or if there is no lake.
 */
export const unreadByLake = (workspace: string): string =>
  `CASE WHEN (SELECT doc::jsonb ->> 'lake' FROM workspaces WHERE workspaces.id = ${workspace}) IS NOT NULL THEN (
    SELECT unread.received FROM activity AS unread
    WHERE unread.workspace = ${workspace} AND unread.sequence > coalesce((
      SELECT cursors.sequence FROM log_cursors AS cursors WHERE cursors.workspace = ${workspace} AND destination = 'lake'
    ), 0)
    ORDER BY unread.sequence LIMIT 1
  ) END`

/** Returns SQL for whether a receipt time is before `heldSince` of what the lake of the workspace has not read. */
export const isReleased = (received: string, since: string, workspace: string): string =>
  `${received} < ${since} AND (
    ${received} < ${since} - ${heldDaysMax * dayMs} OR (${received} < ${unreadByLake(workspace)}) IS NOT FALSE
  )`

const setting = (workspace: string, name: string): string =>
  `(SELECT (doc::jsonb ->> '${name}')::bigint FROM workspaces WHERE workspaces.id = ${workspace})`
