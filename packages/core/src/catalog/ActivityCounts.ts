import type { ActivityKind } from "../log/ActivityEntry.ts"
import type { Outcome } from "../log/Outcome.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/**
 * Consecutive periods of time of equal length ("steps"), for which log entries are counted. Step 0 begins at `from`.
 */
export interface CountedSteps {
  readonly from: EpochMillis
  readonly stepMs: number
  readonly steps: number
}

/** The number of entries of one kind with one outcome that were received during one step. */
export interface OutcomeCount {
  readonly step: number
  readonly kind: ActivityKind | null
  readonly outcome: Outcome
  readonly count: number
}

/**
 * Counts of log entries by period of time (step), kind and outcome, in the order of the steps. The outcome is the one
 * that was recorded when the entry was received. Entries that were erased later may be included.
 */
export interface ActivityCounts {
  readonly counts: ReadonlyArray<OutcomeCount>
  /**
   * The first step (period of time) for which all entries were counted. A store counts only a limited number of
   * entries, beginning with the newest, and leaves out the counts of earlier steps.
   */
  readonly firstStep: number
}

/** Adds up counts of log entries by step, kind and outcome. */
export class CountTable {
  private readonly rows = new Map<string, { readonly at: Omit<OutcomeCount, "count">; count: number }>()

  add(at: Omit<OutcomeCount, "count">, count: number): void {
    if (count === 0) return
    const key = `${at.step} ${at.kind} ${at.outcome}`
    const row = this.rows.get(key)
    if (row === undefined) this.rows.set(key, { at, count })
    else row.count += count
  }

  counts(): ReadonlyArray<OutcomeCount> {
    return [...this.rows.values()]
      .map(({ at, count }): OutcomeCount => ({ ...at, count }))
      .toSorted((a, b) => a.step - b.step || compare(keyOf(a), keyOf(b)))
  }
}

const keyOf = ({ kind, outcome }: OutcomeCount): string => `${kind} ${outcome}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
