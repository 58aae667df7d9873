import { retentionStart } from "@inlet/core/log/ActivityEntry"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { eraseEntries } from "./entries.ts"

const retentionSql = "SELECT (doc::jsonb ->> 'retentionDays')::bigint AS days FROM workspaces WHERE id = $1"

const oldestSql = `
  SELECT sequence, CASE WHEN parts IS NULL THEN 0 ELSE (
      SELECT count(*) FROM (SELECT FROM entry_parts WHERE workspace = $1 AND sequence = entries.sequence LIMIT $3) AS counted
    ) END AS parts_count
  FROM (
    SELECT sequence, parts, received FROM activity WHERE workspace = $1 ORDER BY sequence LIMIT $3
  ) AS entries WHERE received < $2 ORDER BY sequence`

/**
 * Deletes the log entries, including events, that are older than the retention of the workspace. These entries are
 * always at the beginning of the log, so a step begins there and stores no progress.
 */
export const keepRetention = (
  connection: Connection,
  workspace: WorkspaceId,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (budget.isSpent) return
    const [setting] = yield* connection.query(retentionSql, [workspace])
    const before = retentionStart(integerOrNull(setting?.["days"] ?? null), now)
    if (before === null) return
    const removed: Array<Sequence> = []
    for (const row of yield* connection.query(oldestSql, [workspace, before, budget.room])) {
      if (budget.isSpent) break
      budget.rowsLeft -= 1 + integer(row["parts_count"])
      budget.entries++
      removed.push(sequenceIn(row))
    }
    yield* eraseEntries(connection, workspace, { removed })
  })
