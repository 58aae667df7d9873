import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { reportsPerStep, type Progress } from "@inlet/storage/sweepBudget"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"

/**
 * Redacts some of a delivery's reports, at log positions after `from` and before `before`. In the result, `to` is the last
 * position that was processed.
 */
export const reportRedactor = (database: Database) => {
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  return (
    redact: (sequence: number) => unknown,
    delivery: SubjectKey,
    before: Sequence,
    from: number,
  ): Progress & { readonly to: number } => {
    const found = timeline(delivery, from, "asc", reportsPerStep)
    const earlier = found.filter((sequence) => sequence < before)
    for (const sequence of earlier) redact(sequence)
    return {
      rows: rowsPerLook(counters()) + found.length,
      isDone: earlier.length < reportsPerStep,
      to: earlier.at(-1) ?? from,
    }
  }
}
