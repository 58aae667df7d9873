import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { reportsPerStep, type Progress } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"

/**
 * Returns a function that redacts reports on a delivery at log positions greater than `from` and less than `before`. In
 * the result, `to` is the last position that was processed.
 */
export const reportRedactor = (database: Database) => {
  const headOf = readHead(database)
  const timeline = readTimeline(database)
  return (
    redact: (sequence: Sequence) => unknown,
    workspace: WorkspaceId,
    delivery: SubjectKey,
    before: Sequence,
    from: number,
  ): Progress & { readonly to: number } => {
    const found = timeline(workspace, delivery, from, "asc", reportsPerStep)
    const earlier = found.filter((sequence) => sequence < before)
    for (const sequence of earlier) redact(sequence)
    return {
      rows: rowsPerLook(headOf(workspace)) + found.length,
      isDone: earlier.length < reportsPerStep,
      to: earlier.at(-1) ?? from,
    }
  }
}
