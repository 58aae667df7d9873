import { WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { HeadRow } from "@inlethq/storage/rows/batchRows"
import { integer, integerOrNull, type Row } from "@inlethq/storage/columns/columns"
import { sequenceOf, subjectKey } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { inOneRoundTrip } from "../engine/inOneRoundTrip.ts"
import { isDeletedSql } from "./deletedWorkspaces.ts"

/** The state of a workspace that has no log entries yet. */
export const emptyHead: HeadRow = {
  nextKey: subjectKey(1),
  nextSequence: sequenceOf(1),
  latestReceipt: null,
  records: 0,
  rulesVersion: 0,
}

const headSql =
  "SELECT next_key, next_sequence, latest_receipt, records, rules_version, deleted_at FROM heads WHERE workspace = $1"

/** Reads the next free key and the next log position of a workspace, and its latest receipt time. */
export const readHead = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<HeadRow, DatabaseError> => Effect.map(connection.query(headSql, [workspace]), headIn)

const prunedToSql = "SELECT pruned_to FROM heads WHERE workspace = $1"

/** Reads the log position up to which pruning has checked entries. It never decreases. */
export const readPrunedTo = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<number, DatabaseError> =>
  Effect.map(connection.query(prunedToSql, [workspace]), ([row]) => integer(row?.["pruned_to"] ?? 0))

/**
 * Locks the workspace's row in `heads` until the transaction ends, so that transactions that write to a workspace run
 * one after the other. A transaction must lock this row before it reads data of the workspace. Under READ COMMITTED,
 * only statements that begin after the lock was acquired see everything that the previous holder committed. Fails if the
 * workspace was deleted.
 */
export const lockHead = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<void, DatabaseError | WorkspaceDeleted> =>
  Effect.asVoid(lockHeadAnd(connection, workspace, Effect.void))

/**
 * Locks the workspace's row in `heads` as `lockHead` does, and runs the first read of the workspace's data in the same
 * round trip.
 */
export const lockHeadAnd = <A>(
  connection: Connection,
  workspace: WorkspaceId,
  read: Effect.Effect<A, DatabaseError>,
): Effect.Effect<readonly [HeadRow, A], DatabaseError | WorkspaceDeleted> =>
  Effect.gen(function* () {
    const lock = connection.query(`${headSql} FOR UPDATE`, [workspace])
    for (const isFirst of [true, false]) {
      const [[locked = []], found] = yield* inOneRoundTrip([lock], read)
      const [row] = locked
      if (row !== undefined && row["deleted_at"] === null) return [headIn(locked), found] as const
      if (row !== undefined) break
      // The workspace has no row in `heads` yet, so no row was locked, and `found` was read without a lock. Insert the
      // row and try again. Another transaction may insert the row at the same time. Nobody inserts the row of a
      // workspace that was deleted and erased.
      if (isFirst) yield* connection.executeWithNext(insertSql, [workspace])
    }
    return yield* new WorkspaceDeleted({ workspace })
  })

const insertSql = `
  INSERT INTO heads (workspace) SELECT $1::integer WHERE NOT ${isDeletedSql("$1::integer")}
  ON CONFLICT (workspace) DO NOTHING`

const headIn = ([row]: ReadonlyArray<Row>): HeadRow =>
  row === undefined
    ? emptyHead
    : {
        nextKey: subjectKey(integer(row["next_key"])),
        nextSequence: sequenceOf(integer(row["next_sequence"])),
        latestReceipt: integerOrNull(row["latest_receipt"]),
        records: integer(row["records"]),
        rulesVersion: integer(row["rules_version"]),
      }
