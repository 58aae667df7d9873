/**
 * The time, in milliseconds, between two adjustments of the limit on webhook attempts. Attempts that wait begin
 * together at the end of an interval, so that they share writes.
 */
const intervalMs = 100

/** If the thread was busy for a larger share of the time, it has no time left for more attempts. */
const utilizationMax = 0.9

/** However busy the thread is, all webhooks together begin this many attempts a second. */
const attemptsPerSecondMin = 100

/** Above this many attempts a second, the limit is dropped. */
const attemptsPerSecondMax = 10_000

/** The factor by which the limit grows in an interval in which the thread had time left. */
const growth = 1.1

/**
 * Limits how many attempts begin in a second, so that webhooks do not slow ingestion down. Without
 * commits there is no limit. While commits keep the thread busy, the limit halves in each interval, down to a minimum. While the
 * thread has time left, the limit grows until it is dropped.
 */
export class AttemptPace {
  private readonly utilization: () => number
  /** Attempts a second; null if there is no limit. */
  private limit: number | null = null
  private adjustedAt = Number.NEGATIVE_INFINITY
  /** The number of attempts that began since the last adjustment of the limit. */
  private begun = 0
  /** The time from which the limit allows the next attempt. */
  private freeAt = 0

  /**
   * `utilization` returns the share of time that the thread was busy since the last call of `utilization`, from 0 to 1.
   */
  constructor(utilization: () => number) {
    this.utilization = utilization
  }

  /** Counts an attempt. Returns how long it must wait before it begins. Times are in milliseconds. */
  wait(now: number, isCommitting: boolean): number {
    this.adjust(now, isCommitting)
    this.begun++
    if (this.limit === null) return 0
    const at = Math.max(this.freeAt, now)
    this.freeAt = at + 1000 / this.limit
    return Math.ceil(at / intervalMs) * intervalMs - now
  }

  private adjust(now: number, isCommitting: boolean): void {
    const passed = now - this.adjustedAt
    if (passed < intervalMs) return
    const isBusy = this.utilization() > utilizationMax
    if (!isCommitting) this.limit = null
    else if (isBusy) {
      const current = this.limit ?? (this.begun / passed) * 1000
      this.limit = Math.max(attemptsPerSecondMin, current / 2)
    } else if (this.limit !== null) {
      const grown = this.limit * growth
      this.limit = grown > attemptsPerSecondMax ? null : grown
    }
    this.adjustedAt = now
    this.begun = 0
  }
}
