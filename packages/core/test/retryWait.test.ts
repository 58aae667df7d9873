import { assert, describe, it } from "@effect/vitest"
import { hourMs, minuteMs, secondMs, dayMs } from "@inlethq/core/values/Timestamp"
import { retryWaitMs, type AttemptFailure, type FailedAttempt } from "@inlethq/core/webhook/retryWait"

const unavailable: AttemptFailure = { kind: "status", status: 503 }

const failed = (over: Partial<FailedAttempt>): FailedAttempt => ({
  failure: unavailable,
  attempts: 1,
  retryAfterMs: null,
  jitter: 0.5,
  ...over,
})

const waits = (schedule: "hosted" | "standard", count: number, over: Partial<FailedAttempt> = {}) =>
  Array.from({ length: count }, (_, n) => retryWaitMs(schedule, failed({ ...over, attempts: n + 1 })))

const wait = (retryAfterMs: number) => retryWaitMs("hosted", failed({ retryAfterMs }))

describe("the wait before a retry", () => {
  it("contract §17 retries: with the hosted schedule, the wait before a retry starts at ten seconds and doubles up to an hour", () => {
    const seconds = [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    assert.deepStrictEqual(
      waits("hosted", seconds.length),
      seconds.map((n) => n * secondMs),
    )
    assert.strictEqual(retryWaitMs("hosted", failed({ failure: { kind: "timeout" } })), 10 * secondMs)
    assert.strictEqual(retryWaitMs("hosted", failed({ attempts: 5000 })), hourMs)
  })

  it("contract §17 retries: with the hosted schedule, the wait before a retry is an hour after broken connections and after some status codes", () => {
    for (const status of [400, 401, 402, 403, 404, 405, 410, 429, 500, 502, 521]) {
      assert.strictEqual(retryWaitMs("hosted", failed({ failure: { kind: "status", status } })), hourMs)
    }
    assert.strictEqual(retryWaitMs("hosted", failed({ failure: { kind: "connection" } })), hourMs)
  })

  it("contract §17 retries: with the standard schedule, the wait before a retry grows from 5 seconds to 12 hours", () => {
    assert.deepStrictEqual(waits("standard", 8), [
      5 * secondMs,
      5 * minuteMs,
      30 * minuteMs,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      12 * hourMs,
      12 * hourMs,
    ])
  })

  it("contract §17 retries: Retry-After lengthens the wait up to a day, and never shortens it", () => {
    assert.strictEqual(wait(0), 10 * secondMs)
    assert.strictEqual(wait(9 * secondMs), 10 * secondMs)
    assert.strictEqual(wait(11 * secondMs), 11 * secondMs)
    assert.strictEqual(wait(3 * dayMs), dayMs)
  })

  it("the wait before a webhook retry is random, up to a tenth longer or shorter than the schedule says", () => {
    assert.strictEqual(retryWaitMs("hosted", failed({ jitter: 0 })), 9 * secondMs)
    assert.strictEqual(retryWaitMs("hosted", failed({ jitter: 1 })), 11 * secondMs)
  })
})
