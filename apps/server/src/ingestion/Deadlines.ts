/** How often deadlines are looked at: none is missed by more. */
export const checkIntervalMs = 500

interface Deadline {
  readonly at: number
  readonly expire: () => void
}

/**
 * Deadlines that all lie equally far ahead, so that the oldest is always first: one timer for all of them, since a timer
 * for each request would cost as much as parsing it.
 */
export class Deadlines {
  private readonly durationMs: number
  private readonly open = new Set<Deadline>()
  private timer: NodeJS.Timeout | undefined

  constructor(durationMs: number) {
    this.durationMs = durationMs
  }

  /** Calls `expire` once the time is over, unless what it gives back is called before. */
  begin(expire: () => void): () => void {
    const deadline = { at: performance.now() + this.durationMs, expire }
    this.open.add(deadline)
    this.timer ??= setInterval(() => this.check(), checkIntervalMs).unref()
    return () => this.open.delete(deadline)
  }

  private check(): void {
    const now = performance.now()
    for (const deadline of this.open) {
      if (deadline.at > now) return
      this.open.delete(deadline)
      deadline.expire()
    }
    clearInterval(this.timer)
    this.timer = undefined
  }
}
