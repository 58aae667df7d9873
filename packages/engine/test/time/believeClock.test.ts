import { assert, describe, it } from "@effect/vitest"
import { dayMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { believeClock, clockDoubtedMsMax, clockJumpMsMax } from "../../src/time/believeClock.ts"

const start = Date.UTC(2026, 10, 28)
const believed = (at: number, doubtedMs = 0) => ({ at, doubtedMs })

describe("the time that is believed", () => {
  it("is the clock's while it goes on, after a stop of up to a day, and after a step back", () => {
    for (const now of [start + 1, start + clockJumpMsMax, start - 40 * dayMs])
      assert.deepStrictEqual(believeClock(believed(start), now, 0), { time: believed(now), event: null })
    assert.deepStrictEqual(believeClock(null, start, 0), { time: believed(start), event: null })
  })

  it("goes on from before a jump ahead until the jump has lasted", () => {
    let known = believed(start)
    let now = start + 31 * dayMs
    const first = believeClock(known, now, 0)
    assert.strictEqual(first.event, "jumped")
    known = first.time
    for (let elapsedMs = minuteMs; elapsedMs < clockDoubtedMsMax; elapsedMs += minuteMs) {
      now += minuteMs
      const { event, time } = believeClock(known, now, minuteMs)
      assert.deepStrictEqual({ event, at: time.at }, { event: null, at: start + elapsedMs })
      known = time
    }
    now += minuteMs
    assert.deepStrictEqual(believeClock(known, now, minuteMs), { time: believed(now), event: "believed" })
  })

  it("is the clock's again as soon as the clock is right", () => {
    const { time } = believeClock(believed(start), start + 31 * dayMs, 0)
    assert.deepStrictEqual(believeClock(time, start + minuteMs, minuteMs), {
      time: believed(start + minuteMs),
      event: "right again",
    })
  })

  it("counts the time of a doubted clock across restarts", () => {
    const known = believed(start, clockDoubtedMsMax - minuteMs)
    assert.strictEqual(believeClock(known, start + 90 * dayMs, 0).event, null)
    assert.strictEqual(believeClock(known, start + 90 * dayMs, minuteMs).event, "believed")
  })
})
