import { sqlHistorySince } from "@inlet/storage/erasurePlan"
import { sqlCallsKeptSince } from "@inlet/storage/rejectedCallRows"

/** Returns SQL for the receipt time before which rejected calls of a workspace are no longer kept. */
export const keptSince = (workspace: string, now: string): string =>
  sqlCallsKeptSince(`${now}::bigint`, setting(workspace, "rejectedDays"), setting(workspace, "retentionDays"))

/** Returns SQL for the receipt time before which entries of a workspace that are not events are no longer kept. */
export const historySince = (workspace: string, now: string): string =>
  sqlHistorySince(`${now}::bigint`, setting(workspace, "historyDays"), setting(workspace, "retentionDays"))

const setting = (workspace: string, name: string): string =>
  `(SELECT (doc::jsonb ->> '${name}')::bigint FROM workspaces WHERE workspaces.id = ${workspace})`
