import { assert, describe, it } from "@effect/vitest"
import { Clock } from "effect"
import { DatabaseClock } from "../src/nodes/DatabaseClock.ts"

/** A node's clock whose wall time and monotonic time a test sets apart from each other. */
const settable = () => {
  const times = { wallMs: 1_000_000, monotonicMs: 50 }
  const clock: Clock.Clock = {
    ...Clock.Clock.defaultValue(),
    currentTimeMillisUnsafe: () => times.wallMs,
    monotonicTimeNanosUnsafe: () => BigInt(Math.round(times.monotonicMs * 1e6)),
  }
  return { times, clock: new DatabaseClock(clock) }
}

describe("the clock of the database", () => {
  it("shows the time of the database, whatever the node's own clock says", () => {
    const { clock, times } = settable()
    assert.strictEqual(clock.currentTimeMillisUnsafe(), 1_000_000)
    clock.read({ askedAt: 50, answeredAt: 50, databaseMs: 5000 })
    assert.strictEqual(clock.currentTimeMillisUnsafe(), 5000)
    times.wallMs += 31 * 24 * 60 * 60_000
    times.monotonicMs += 700
    assert.strictEqual(clock.currentTimeMillisUnsafe(), 5700)
    assert.strictEqual(clock.currentTimeNanosUnsafe() / 1_000_000n, 5700n)
  })

  it("is not moved by a reading that took long, and follows a step of the database", () => {
    const { clock } = settable()
    clock.read({ askedAt: 50, answeredAt: 50, databaseMs: 5000 })
    clock.read({ askedAt: 50, answeredAt: 2050, databaseMs: 6000 })
    assert.strictEqual(clock.currentTimeMillisUnsafe(), 5000)
    clock.read({ askedAt: 50, answeredAt: 50, databaseMs: 9000 })
    assert.strictEqual(clock.currentTimeMillisUnsafe(), 9000)
  })
})
