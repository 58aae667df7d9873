import { assert, describe, it } from "@effect/vitest"
import { AttemptPace } from "../src/webhooks/AttemptPace.ts"

/** Begins attempts one after another until a time, at most one in each millisecond. Returns their number. */
const attemptsUntil = (pace: AttemptPace, from: number, until: number, isCommitting: boolean): number => {
  let attempts = 0
  for (let now = from; now < until; now = Math.max(now + 1, now + pace.wait(now, isCommitting))) attempts++
  return attempts
}

describe("the pace of attempts", () => {
  it("is not limited while the thread has time left", () => {
    const pace = new AttemptPace(() => 0.5)
    assert.strictEqual(attemptsUntil(pace, 0, 1000, true), 1000)
  })

  it("is not limited while no commits are running", () => {
    const pace = new AttemptPace(() => 1)
    assert.strictEqual(attemptsUntil(pace, 0, 1000, false), 1000)
  })

  it("falls to a minimum while commits keep the thread busy", () => {
    const pace = new AttemptPace(() => 1)
    attemptsUntil(pace, 0, 2000, true)
    const waits = Array.from({ length: 100 }, () => pace.wait(2000, true))
    // The limit has fallen to 100 attempts a second, so the last of 100 attempts begins about a second later.
    assert.isAtLeast(Math.max(...waits), 900)
    assert.isAtMost(Math.max(...waits), 1200)
  })

  it("is not limited as soon as commits have ended", () => {
    const pace = new AttemptPace(() => 1)
    attemptsUntil(pace, 0, 2000, true)
    attemptsUntil(pace, 2000, 2200, false)
    assert.strictEqual(attemptsUntil(pace, 2200, 3200, false), 1000)
  })

  it("grows again until the limit is dropped, once the thread has time left", () => {
    let utilization = 1
    const pace = new AttemptPace(() => utilization)
    attemptsUntil(pace, 0, 2000, true)
    utilization = 0.5
    attemptsUntil(pace, 2000, 9000, true)
    assert.strictEqual(attemptsUntil(pace, 9000, 10_000, true), 1000)
  })
})
