import { retentionStart } from "@inlet/core/log/ActivityEntry"
import { heldSince } from "@inlet/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowIdRange, sqlNumber } from "../engine/rowIds.ts"
import { removeEntry } from "../log/removeEntry.ts"
import { runOf } from "../log/runs.ts"
import { sqlUnreadByLake } from "./unreadByLake.ts"

/**
 * The largest number of runs that one step of housekeeping deletes completely. Each run may have a thousand facets
 * (index rows by kind, outcome and name).
 */
const runsPerStep = 2

/**
 * Deletes all entries of a workspace, events included, that are older than the retention of the workspace and do not wait
 * for the lake. These entries are always at the beginning of the log, so a step begins there and stores no progress.
 */
export const retentionKeeper = (
  database: Database,
): ((budget: SweepBudget, workspace: WorkspaceId, now: EpochMillis) => void) => {
  const headOf = readHead(database)
  const retention = database.prepareByPlace(
    `SELECT json_extract(doc, '$.retentionDays'), ${sqlUnreadByLake} FROM workspaces WHERE id = ?1`,
  )
  const oldest = database.prepare(
    `SELECT ${sqlNumber("id")} AS sequence, subject, received FROM activity WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`,
  )
  const remove = removeEntry(database)
  const removeFacets = database.prepare("DELETE FROM facets WHERE workspace = ? AND run >= ? AND run < ?")

  return (budget, workspace, now) => {
    if (budget.isSpent) return
    const found = retention.get(workspace)
    const since = retentionStart(integerOrNull(found?.[0] ?? null), now)
    if (since === null) return
    const before = heldSince(since, integerOrNull(found?.[1] ?? null))
    const { nextSequence } = headOf(workspace)
    let firstRun: number | undefined
    let lastRun = 0
    for (const row of oldest.all(...rowIdRange(workspace, 1, nextSequence), budget.rowsLeft)) {
      if (budget.isSpent || integer(row["received"]) >= before) break
      const sequence = sequenceOf(integer(row["sequence"]))
      const run = runOf(sequence)
      firstRun ??= run
      if (run > firstRun + runsPerStep) {
        // The step has reached the largest number of runs that it may delete. The next step begins with this entry.
        budget.rowsLeft = 0
        break
      }
      lastRun = run
      const subject = integerOrNull(row["subject"] ?? null)
      budget.rowsLeft -= 1 + remove(workspace, sequence, subject === null ? null : subjectKey(subject))
      budget.entries++
    }
    if (firstRun !== undefined) removeFacets.run(workspace, firstRun, lastRun)
  }
}
