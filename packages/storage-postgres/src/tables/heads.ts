import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { HeadRow } from "@inlet/storage/batchRows"
import { integer, integerOrNull, type Row } from "@inlet/storage/columns"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/** The head of a workspace, and the log position up to which pruning has checked entries. No number decreases. */
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

/** Reads the head of a workspace. */
export const readHead = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<Head, DatabaseError> => Effect.map(connection.query(headSql, [workspace]), headIn)

/**
 * Locks the head of a workspace until the transaction ends, so that the writers of a workspace run one after the other. Must be the
 * first statement that reads data of the workspace. Under READ COMMITTED, only statements that begin later see everything that the
 * previous holder of the lock committed.
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
