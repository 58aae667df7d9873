/** The interval, in milliseconds, at which deadlines are checked. A deadline expires at most one interval too late. */
export const checkIntervalMs = 500

interface Deadline {
  readonly at: number
  /** Called when the deadline expires. Null after the deadline expired or was cancelled. */
  expire: (() => void) | null
}

/**
 * Deadlines of one fixed duration that share one timer. The deadlines expire in the order in which they began, so each
 * check stops at the first deadline that is not due. A separate timer for each request would cost as much as parsing
 * the request.
 */
export class Deadlines {
  private readonly durationMs: number
  private readonly open = new Set<Deadline>()
  private timer: NodeJS.Timeout | undefined

  constructor(durationMs: number) {
    this.durationMs = durationMs
  }

  /** Starts a deadline that calls `expire` when it is over. Returns a function that cancels the deadline. */
  begin(expire: () => void): () => void {
    const deadline: Deadline = { at: performance.now() + this.durationMs, expire }
    this.open.add(deadline)
    this.timer ??= setInterval(() => this.check(), checkIntervalMs).unref()
    return () => this.end(deadline)
  }

  /**
   * Removes a deadline and its reference to `expire`. Without the reference, a removed deadline needs little memory. V8
   * can keep removed deadlines in memory for long. When a set grows, V8 makes a new table, and the old table still
   * refers to its entries and to the new table. An old table in the old generation of the heap therefore keeps the
   * entries of all later tables alive.
   */
  private end(deadline: Deadline): void {
    this.open.delete(deadline)
    deadline.expire = null
  }

  private check(): void {
    const now = performance.now()
    for (const deadline of this.open) {
      if (deadline.at > now) return
      const { expire } = deadline
      this.end(deadline)
      expire?.()
    }
    clearInterval(this.timer)
    this.timer = undefined
  }
}
