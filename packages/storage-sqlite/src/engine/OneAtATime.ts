import { Effect } from "effect"

/**
 * Runs one effect at a time, in the order in which they were started. The next effect starts within the end of the one
 * before. A `Semaphore` wakes it in a later task of the scheduler, so the disk would idle between two commits.
 */
export class OneAtATime {
  private readonly waiting: Array<() => void> = []
  private isTaken = false

  run<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.acquireUseRelease(
      this.enter,
      () => effect,
      () => this.leave,
    )
  }

  private readonly enter: Effect.Effect<void> = Effect.callback((resume) => {
    if (!this.isTaken) {
      this.isTaken = true
      return resume(Effect.void)
    }
    const enter = () => resume(Effect.void)
    this.waiting.push(enter)
    return Effect.sync(() => {
      const index = this.waiting.indexOf(enter)
      if (index !== -1) this.waiting.splice(index, 1)
    })
  })

  /** Called when the current effect ends. Starts the effect that has waited longest, if an effect waits. */
  private readonly leave: Effect.Effect<void> = Effect.sync(() => {
    const next = this.waiting.shift()
    if (next === undefined) this.isTaken = false
    else next()
  })
}
