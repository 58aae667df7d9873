import { CountTable, type ActivityCounts, type CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import type { Slices } from "@inlethq/core/Slices"
import type { Island } from "./MemoryImage.ts"

/** The largest number of entries that one slice visits. */
const sliceEntriesMax = 1000

/** Counts the entries of a workspace in memory, one by one. */
export function* countActivity(
  { log }: Island,
  { from, stepMs, steps }: CountedSteps,
): Slices<ActivityCounts> {
  const table = new CountTable()
  let looked = 0
  for (const { kind, outcome, receivedAt } of log.values()) {
    const step = Math.floor((receivedAt - from) / stepMs)
    if (step >= 0 && step < steps) table.add({ step, kind, outcome }, 1)
    if (++looked % sliceEntriesMax === 0) yield
  }
  return { counts: table.counts(), firstStep: 0 }
}
