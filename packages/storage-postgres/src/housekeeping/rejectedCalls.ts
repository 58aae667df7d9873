import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { sequenceIn } from "@inlet/storage/entryRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s } from "../engine/parameters.ts"
import type { Head } from "../tables/heads.ts"
import { eraseExcerpts } from "../webhooks/eraseExcerpts.ts"
import { eraseEntries } from "./entries.ts"
import { keptSince } from "./keptSince.ts"

const dueSql = `
  DELETE FROM rejected_calls WHERE workspace = $1 AND sequence = ANY (ARRAY(
    SELECT sequence FROM rejected_calls WHERE workspace = $1 AND received < ${keptSince("$1", "$2")} ORDER BY received LIMIT $3
  )) RETURNING sequence`

/**
 * Deletes what is kept of rejected calls after the days that their workspace keeps them, and what erased ones have left.
 * Deletes their entries too, if pruning has passed them.
 */
export const pruneRejectedCalls = (
  connection: Connection,
  workspace: WorkspaceId,
  { prunedTo }: Head,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (budget.isSpent) return
    const rows = yield* connection.query(dueSql, [workspace, now, budget.room])
    if (rows.length === 0) return
    const sequences = rows.map(sequenceIn)
    budget.rowsLeft -= 2 * sequences.length
    const removed = sequences.filter((sequence) => sequence <= prunedTo)
    budget.entries += removed.length
    yield* eraseEntries(connection, workspace, { removed })
    const kept = sequences.filter((sequence) => sequence > prunedTo)
    yield* clearNames(connection, workspace, kept)
    yield* eraseExcerpts(connection, workspace, kept)
  })

/** Removes the names that rejected calls gave from their entries. */
const clearNames = (connection: Connection, workspace: WorkspaceId, sequences: ReadonlyArray<Sequence>) =>
  connection.execute(
    "UPDATE activity SET name = NULL WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND name IS NOT NULL",
    [workspace, int8s(sequences)],
  )
