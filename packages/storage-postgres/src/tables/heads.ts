import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { HeadRow } from "@inlet/storage/batchRows"
import { integer, integerOrNull, type Row } from "@inlet/storage/columns"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/**
 * The next subject key and position of a workspace, its latest receipt time, and the log position up to which pruning
 * has checked entries. These numbers never decrease.
 */
export interface Head extends HeadRow {
  readonly prunedTo: Sequence
}

const emptyHead: Head = {
  nextKey: subjectKey(1),
  nextSequence: sequenceOf(1),
  latestReceipt: null,
  prunedTo: sequenceOf(0),
}

const headSql = "SELECT next_key, next_sequence, latest_receipt, pruned_to FROM heads WHERE workspace = $1"

/** Reads the head of a workspace: its next free subject key, its next log position, and its latest receipt time. */
export const readHead = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<Head, DatabaseError> => Effect.map(connection.query(headSql, [workspace]), headIn)

/**
 * Locks the workspace's row in `heads` until the transaction ends, so that transactions that write to a workspace run
 * one after the other. A transaction must lock this row before it reads data of the workspace. Under READ COMMITTED,
 * only statements that begin after the lock was acquired see everything that the previous holder committed.
 */
export const lockHead = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<Head, DatabaseError> =>
  Effect.gen(function* () {
    const lock = connection.query(`${headSql} FOR UPDATE`, [workspace])
    const locked = yield* lock
    if (locked.length > 0) return headIn(locked)
    yield* connection.execute(
      "INSERT INTO heads (workspace) VALUES ($1) ON CONFLICT (workspace) DO NOTHING",
      [workspace],
    )
    return headIn(yield* lock)
  })

const headIn = ([row]: ReadonlyArray<Row>): Head =>
  row === undefined
    ? emptyHead
    : {
        nextKey: subjectKey(integer(row["next_key"])),
        nextSequence: sequenceOf(integer(row["next_sequence"])),
        latestReceipt: integerOrNull(row["latest_receipt"]),
        prunedTo: sequenceOf(integer(row["pruned_to"])),
      }
