/**
 * The time, in milliseconds, between two adjustments of the limit on webhook attempts. The attempts that the limit
 * allows in an interval begin together, so that their records share a database write.
 */
export const paceIntervalMs = 100

/**
 * The target for the share of time that the thread is busy. At this share, the limit stays the same. The rest of the
 * time is left for peaks of ingestion.
 */
const utilizationAimed = 0.7

/**
 * When the thread is busy for more than this share of the time, the limit on attempts falls fast, because ingestion
 * then probably waits for the thread.
 */
const utilizationMax = 0.9

/** The limit is multiplied by this factor after an interval in which the thread was busier than `utilizationMax`. */
const fall = 1 / 4

/**
 * The gain of the control loop. After each interval, `(utilizationAimed - utilization) * attemptsPerSecondOfThread` is
 * added to the limit, which is in attempts a second. The loop is stable if a thread can make at least this many
 * attempts a second.
 */
const attemptsPerSecondOfThread = 2000

/**
 * The lowest limit on the attempts that all webhooks together begin in a second, however busy the thread is. Attempts
 * at this rate take about 2 % of a thread's time.
 */
const attemptsPerSecondMin = 100

/** If the limit would exceed this number of attempts a second, attempts are no longer limited. */
const attemptsPerSecondMax = 10_000

/**
 * Limits how many attempts begin in a second, so that webhooks do not slow ingestion down. If no commit is running,
 * attempts are not limited. While commits are running, the limit rises and falls until the thread is busy for
 * `utilizationAimed` of the time. If the thread is busy for more than `utilizationMax` of the time, the limit falls
 * faster, down to `attemptsPerSecondMin`.
 */
export class AttemptPace {
  private readonly utilization: () => number
  /** The largest number of attempts that may begin in a second, or null if attempts are not limited. */
  private limit: number | null = null
  private adjustedAt = Number.NEGATIVE_INFINITY
  /** The number of attempts that began since the last adjustment of the limit. */
  private begun = 0

  /**
   * `utilization` returns the share of time that the thread was busy since the last call of `utilization`, from 0 to 1.
   */
  constructor(utilization: () => number) {
    this.utilization = utilization
  }

  /**
   * Returns whether an attempt may begin now, and counts it if so. `isCommitting` is true while a commit is running.
   */
  mayBegin(now: number, isCommitting: boolean): boolean {
    this.adjust(now, isCommitting)
    if (this.limit !== null && this.begun >= (this.limit * paceIntervalMs) / 1000) return false
    this.begun++
    return true
  }

  private adjust(now: number, isCommitting: boolean): void {
    const passed = now - this.adjustedAt
    if (passed < paceIntervalMs) return
    const utilization = this.utilization()
    if (!isCommitting) this.limit = null
    else if (this.limit !== null || utilization > utilizationAimed) {
      this.limit = limitAfter(this.limit ?? (this.begun / passed) * 1000, utilization)
    }
    this.adjustedAt = now
    this.begun = 0
  }
}

/** Returns the next limit in attempts a second, or null if attempts should not be limited. */
const limitAfter = (current: number, utilization: number): number | null => {
  const next =
    utilization > utilizationMax
      ? current * fall
      : current + (utilizationAimed - utilization) * attemptsPerSecondOfThread
  return next > attemptsPerSecondMax ? null : Math.max(attemptsPerSecondMin, next)
}
