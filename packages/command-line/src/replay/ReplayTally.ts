import type { LeftOut, ReplayedEntry } from "@inlethq/contract/transfer/ReplayedEntry"

/** The largest number of errors that the summary of a replay lists. */
const errorsMax = 100

/** Counts the entries of a replay by what became of them. */
export class ReplayTally {
  entries = 0
  /** The position of the last entry that is settled. */
  position: number | null = null
  private replayed = 0
  private skipped = 0
  private failed = 0
  private readonly leftOut: Partial<Record<LeftOut, number>> = {}
  private readonly errors: Array<{ readonly position: number; readonly message: string }> = []

  leaveOut({ position }: ReplayedEntry, reason: LeftOut): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1
    this.count(position)
  }

  /** Counts an entry by the results of its operations. */
  settle(
    entry: ReplayedEntry,
    results: ReadonlyArray<{ readonly outcome: string; readonly message: string | null }>,
  ): void {
    const { position } = entry
    if (results.length > 0 && results.every(({ outcome }) => outcome === "erased")) {
      return this.leaveOut(entry, "erased")
    }
    const failure = results.find(({ outcome }) => outcome === "failed")
    if (failure !== undefined) {
      this.failed++
      if (this.errors.length < errorsMax) {
        this.errors.push({ position, message: failure.message ?? failure.outcome })
      }
    } else if (results.some(({ outcome }) => outcome === "imported")) this.replayed++
    else this.skipped++
    this.count(position)
  }

  /** Counts an entry that is not sent, because the replay only tries. */
  foresee({ position }: ReplayedEntry): void {
    this.replayed++
    this.count(position)
  }

  get summary() {
    const { entries, errors, failed, leftOut, position, replayed, skipped } = this
    return { entries, replayed, skipped, failed, left_out: leftOut, position, errors }
  }

  private count(position: number): void {
    this.entries++
    this.position = position
  }
}
