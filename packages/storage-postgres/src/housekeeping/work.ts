import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { visitorRetentionMs } from "@inlethq/core/state/Subject"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection, NamedRow } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { askInTurn, inTurn, nextTurn } from "../read/workspacesInTurn.ts"
import { historySince, isReleased, keptSince, retentionSince } from "./keptSince.ts"

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
  `SELECT ${columns} FROM heads WHERE deleted_at IS NULL ${inTurn}`

const candidatesSql = candidates("workspace")

const workSql = `
  SELECT workspace FROM (${candidates("workspace, pruned_to")}) AS heads
  WHERE ${hasWork("heads.workspace", "$2", "$3")}
  ORDER BY workspace <= $1, workspace LIMIT 1`

const workOfOneSql = `
  SELECT workspace FROM heads WHERE heads.workspace = $1 AND deleted_at IS NULL AND (${hasWork("$1", "$2", "$3")})`

/** What a search for work has found. */
export interface FoundWork {
  /** The next workspace with work; undefined if none of those examined has any. */
  readonly workspace: WorkspaceId | undefined
  /** The workspace after which the next search begins. */
  readonly last: number
  /** Whether every workspace was examined since the round began, as far as none with work was found. */
  readonly endsRound: boolean
}

/**
 * Returns the next workspace after `last` in which housekeeping has work to do. Examines `workspacesMax` of them, so that of
 * many without work the next search examines others.
 */
export const nextWorkspace = (
  database: Database["Service"],
  last: number,
  now: EpochMillis,
): Effect.Effect<FoundWork, StoreUnavailable> =>
  database.read("run housekeeping", (connection) =>
    Effect.gen(function* () {
      const parameters = [now - visitorRetentionMs, now]
      const isKeyed = connection.rowForm === "keyed"
      const [placed] = isKeyed ? [] : yield* connection.query(workSql, [last, ...parameters])
      if (placed !== undefined) return foundIn(placed)
      const turn = yield* nextTurn(connection, candidatesSql, last)
      const keyed = isKeyed ? yield* firstWith(connection, turn.workspaces, parameters) : undefined
      if (keyed !== undefined) return foundIn(keyed)
      return { workspace: undefined, last: turn.last, endsRound: turn.endsRound }
    }),
  )

const foundIn = (row: NamedRow): FoundWork => {
  const workspace = workspaceId(integer(row["workspace"]))
  return { workspace, last: workspace, endsRound: false }
}

const firstWith = (
  connection: Connection,
  workspaces: ReadonlyArray<number>,
  parameters: ReadonlyArray<number>,
): Effect.Effect<NamedRow | undefined, DatabaseError> =>
  askInTurn<NamedRow, NamedRow | undefined>(
    workspaces,
    undefined,
    (workspace) => connection.query(workOfOneSql, [workspace, ...parameters]),
    (found, rows) => found ?? rows[0],
    (found) => found !== undefined,
  )
