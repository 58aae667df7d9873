import { heldSince } from "@inlet/core/ports/LakeFiles"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { eraseEntries } from "./entries.ts"
import { retentionSince, unreadByLake } from "./keptSince.ts"

const sinceSql = `SELECT ${retentionSince("$1", "$2")} AS since, ${unreadByLake("$1")} AS unread`

const oldestSql = `
  SELECT sequence, CASE WHEN parts IS NULL THEN 0 ELSE (
      SELECT count(*) FROM (SELECT FROM entry_parts WHERE workspace = $1 AND sequence = entries.sequence LIMIT $3) AS counted
    ) END AS parts_count
  FROM (
    SELECT sequence, parts, received FROM activity WHERE workspace = $1 ORDER BY sequence LIMIT $3
  ) AS entries WHERE received < $2 ORDER BY sequence`

/**
 * Deletes the log entries, including events, that are older than the retention of the workspace and do not wait for the
 * lake. These entries are always at the beginning of the log, so a step begins there and stores no progress.
 */
export const keepRetention = (
  connection: Connection,
  workspace: WorkspaceId,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (budget.isSpent) return
    const [found] = yield* connection.query(sinceSql, [workspace, now])
    const since = integerOrNull(found?.["since"] ?? null)
    if (since === null) return
    const before = heldSince(since, integerOrNull(found?.["unread"] ?? null))
    const removed: Array<Sequence> = []
    for (const row of yield* connection.query(oldestSql, [workspace, before, budget.room])) {
      if (budget.isSpent) break
      budget.rowsLeft -= 1 + integer(row["parts_count"])
      budget.entries++
      removed.push(sequenceIn(row))
    }
    yield* eraseEntries(connection, workspace, { removed })
  })
