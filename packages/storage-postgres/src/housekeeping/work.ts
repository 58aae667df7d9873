import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { visitorRetentionMs } from "@inlethq/core/state/Subject"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { historySince, isReleased, keptSince, retentionSince } from "./keptSince.ts"

/** The largest number of workspaces that one search for work examines. */
const workspacesMax = 1000

/** The largest number of workspaces that share a round trip where each is asked in a statement of its own. */
const workspacesPerTrip = 50

/**
 * The condition for a workspace with work, by seven index lookups, and some more where entries are past their days,
 * because the lake may not have read them. Receipt times never decrease along the log, so two entries show whether
 * there are entries to remove. The first entry that pruning has not checked is compared with the history that the
 * workspace keeps. The first entry of the log is compared with the retention that the workspace has set.
 */
const hasWork = (workspace: string, visitorsBefore: string, now: string): string => `
  EXISTS (
    SELECT FROM subjects WHERE subjects.workspace = ${workspace} AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  ) OR EXISTS (
    SELECT FROM subjects WHERE subjects.workspace = ${workspace} AND seen < ${visitorsBefore}
  ) OR EXISTS (
    SELECT FROM (
      SELECT received FROM activity WHERE activity.workspace = ${workspace} AND sequence > heads.pruned_to ORDER BY sequence LIMIT 1
    ) AS oldest WHERE ${isReleased("oldest.received", historySince(workspace, now), workspace)}
  ) OR EXISTS (
    SELECT FROM (
      SELECT received FROM activity WHERE activity.workspace = ${workspace} ORDER BY sequence LIMIT 1
    ) AS oldest WHERE ${isReleased("oldest.received", retentionSince(workspace, now), workspace)}
  ) OR (
    SELECT received FROM rejected_calls WHERE rejected_calls.workspace = ${workspace} ORDER BY received LIMIT 1
  ) < ${keptSince(workspace, now)}`

const candidates = (columns: string): string =>
  `SELECT ${columns} FROM heads WHERE deleted_at IS NULL ORDER BY workspace <= $1, workspace LIMIT ${workspacesMax}`

const workSql = `
  SELECT workspace FROM (${candidates("workspace, pruned_to")}) AS heads
  WHERE ${hasWork("heads.workspace", "$2", "$3")}
  ORDER BY workspace <= $1, workspace LIMIT 1`

const candidatesSql = candidates("workspace")

const workOfOneSql = `
  SELECT workspace FROM heads WHERE heads.workspace = $1 AND deleted_at IS NULL AND (${hasWork("$1", "$2", "$3")})`

/**
 * Returns the next workspace after `last` in which housekeeping has work to do, or undefined if no workspace has work.
 */
export const nextWorkspace = (
  database: Database["Service"],
  last: number,
  now: EpochMillis,
): Effect.Effect<WorkspaceId | undefined, StoreUnavailable> =>
  database.read("run housekeeping", (connection) => {
    const parameters = [now - visitorRetentionMs, now]
    return connection.rowForm === "keyed"
      ? nextOneByOne(connection, last, parameters)
      : Effect.map(connection.query(workSql, [last, ...parameters]), ([row]) =>
          row === undefined ? undefined : workspaceId(integer(row["workspace"])),
        )
  })

/** Asks a workspace at a time, because no statement of distributed tables may look into several. */
const nextOneByOne = Effect.fnUntraced(function* (
  connection: Connection,
  last: number,
  parameters: ReadonlyArray<number>,
): Effect.fn.Return<WorkspaceId | undefined, DatabaseError> {
  const owners = yield* connection.query(candidatesSql, [last])
  for (let from = 0; from < owners.length; from += workspacesPerTrip) {
    const found = yield* Effect.forEach(
      owners.slice(from, from + workspacesPerTrip),
      (row) => connection.query(workOfOneSql, [integer(row["workspace"]), ...parameters]),
      { concurrency: "unbounded" },
    )
    const [row] = found.flat()
    if (row !== undefined) return workspaceId(integer(row["workspace"]))
  }
  return undefined
})
