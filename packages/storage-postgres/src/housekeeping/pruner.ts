import { heldSince } from "@inlet/core/ports/LakeFiles"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { outcomeCodes } from "@inlet/storage/codes"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import { isPastHistory, isPruned } from "@inlet/storage/erasurePlan"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import type { Head } from "../tables/heads.ts"
import { eraseEntries } from "./entries.ts"
import { historySince, unreadByLake } from "./keptSince.ts"

const nextSql = `
  SELECT sequence, kind, outcome, received, CASE WHEN parts IS NULL THEN 0 ELSE (
      SELECT count(*) FROM (SELECT FROM entry_parts WHERE workspace = $1 AND sequence = entries.sequence LIMIT $3) AS counted
    ) END AS parts_count, CASE WHEN outcome = ${outcomeCodes.rejected} AND EXISTS (
      SELECT FROM rejected_calls AS calls WHERE calls.workspace = $1 AND calls.sequence = entries.sequence
    ) THEN 1 ELSE 0 END AS has_call
  FROM activity AS entries WHERE workspace = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`

const sinceSql = `SELECT ${historySince("$1", "$2")} AS since, ${unreadByLake("$1")} AS unread`

/**
 * Checks each log entry of a workspace once, when it is older than the history and does not wait for the lake, and
 * removes the entry if `isPruned` returns true. Receipt times never decrease along the log, so the progress is a single
 * log position. Other tasks of housekeeping may later remove an entry that pruning kept.
 */
export const pruneLog = (
  connection: Connection,
  workspace: WorkspaceId,
  { prunedTo }: Head,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (budget.isSpent) return
    const [found] = yield* connection.query(sinceSql, [workspace, now])
    const since = heldSince(integer(found?.["since"]), integerOrNull(found?.["unread"] ?? null))
    const removed: Array<Sequence> = []
    let seenTo = prunedTo
    for (const row of yield* connection.query(nextSql, [workspace, prunedTo, budget.room])) {
      if (budget.isSpent || !isPastHistory(row, since)) break
      seenTo = sequenceIn(row)
      budget.rowsLeft--
      if (!isPruned(row)) continue
      budget.rowsLeft -= integer(row["parts_count"])
      budget.entries++
      removed.push(seenTo)
    }
    if (seenTo === prunedTo) return
    yield* eraseEntries(connection, workspace, { removed })
    yield* connection.execute("UPDATE heads SET pruned_to = $2 WHERE workspace = $1", [workspace, seenTo])
  })
