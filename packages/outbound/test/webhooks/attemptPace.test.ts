import { assert, describe, it } from "@effect/vitest"
import { AttemptPace } from "../../src/sending/AttemptPace.ts"

/**
 * Calls `mayBegin` once for each millisecond from `from` until `until`. Returns the number of attempts that were
 * allowed.
 */
const attemptsUntil = (pace: AttemptPace, from: number, until: number, isCommitting: boolean): number => {
  let attempts = 0
  for (let now = from; now < until; now++) if (pace.mayBegin(now, isCommitting)) attempts++
  return attempts
}

/** A simulated thread that runs only attempts, and its clock `now`. */
class Thread {
  now = 0
  private busyMs = 0
  private measuredAt = 0

  /** Returns the share of time that the thread was busy since the last call. */
  readonly utilization = (): number => {
    const share = this.busyMs / (this.now - this.measuredAt)
    this.busyMs = 0
    this.measuredAt = this.now
    return share
  }

  /**
   * Runs attempts that take `attemptMs` each, one after another, until the clock reaches `until`. Returns their number.
   */
  run(pace: AttemptPace, until: number, attemptMs: number): number {
    let attempts = 0
    while (this.now < until) {
      const isBegun = pace.mayBegin(this.now, true)
      this.now += attemptMs
      if (!isBegun) continue
      this.busyMs += attemptMs
      attempts++
    }
    return attempts
  }
}

describe("the pace of attempts", () => {
  it("webhook attempts are not limited while the main thread has time left", () => {
    const pace = new AttemptPace(() => 0.5)
    assert.strictEqual(attemptsUntil(pace, 0, 1000, true), 1000)
  })

  it("webhook attempts are not limited while no commits are running", () => {
    const pace = new AttemptPace(() => 1)
    assert.strictEqual(attemptsUntil(pace, 0, 1000, false), 1000)
  })

  it("the limit of webhook attempts falls to a minimum while commits keep the main thread busy", () => {
    const pace = new AttemptPace(() => 1)
    attemptsUntil(pace, 0, 2000, true)
    assert.strictEqual(attemptsUntil(pace, 2000, 3000, true), 100)
  })

  it("the limit of webhook attempts is removed as soon as commits have ended", () => {
    const pace = new AttemptPace(() => 1)
    attemptsUntil(pace, 0, 2000, true)
    attemptsUntil(pace, 2000, 2100, false)
    assert.strictEqual(attemptsUntil(pace, 2100, 3100, false), 1000)
  })

  it("the limit of webhook attempts grows once the main thread has time left, until attempts are no longer limited", () => {
    let utilization = 1
    const pace = new AttemptPace(() => utilization)
    attemptsUntil(pace, 0, 2000, true)
    utilization = 0.5
    attemptsUntil(pace, 2000, 9000, true)
    assert.strictEqual(attemptsUntil(pace, 9000, 10_000, true), 1000)
  })

  it.each([0.125, 0.25, 0.5])(
    "the pace lets attempts use about 70 %% of the thread's time if the thread has no other work and each attempt takes %s ms",
    (attemptMs) => {
      const thread = new Thread()
      const pace = new AttemptPace(thread.utilization)
      thread.run(pace, 5000, attemptMs)
      const share = (thread.run(pace, 10_000, attemptMs) * attemptMs) / 5000
      assert.isAtLeast(share, 0.65)
      assert.isAtMost(share, 0.75)
    },
  )
})
