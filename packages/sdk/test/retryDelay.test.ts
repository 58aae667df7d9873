import { describe, expect, it } from "vitest"
import { readRetryAfter, retryDelayMs } from "../src/delivery/retryDelay.ts"

describe("the wait before a retry", () => {
  it("the wait of the SDK before a retry doubles with each attempt, up to 30 seconds", () => {
    const waits = [1, 2, 3, 7, 8, 9, 1000].map((attempt) => retryDelayMs(attempt, 0, 1))
    expect(waits).toEqual([250, 500, 1000, 16_000, 30_000, 30_000, 30_000])
  })

  it("the wait of the SDK before a retry is random, between half of its maximum and its maximum", () => {
    expect(retryDelayMs(3, 0, 0)).toBe(500)
    expect(retryDelayMs(3, 0, 0.5)).toBe(750)
  })

  it("the wait of the SDK before a retry is never shorter than the time in Retry-After", () => {
    expect(retryDelayMs(1, 60_000, 0)).toBe(60_000)
    expect(retryDelayMs(1, 60_000, 1)).toBe(66_000)
    expect(retryDelayMs(5, 1000, 1)).toBe(4000)
  })
})

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")

  it.each<readonly [string | null, number]>([
    ["2", 2000],
    [" 120 ", 120_000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
    ["soon", 0],
    ["", 0],
    [null, 0],
  ])("the header %j asks for a wait of %i ms", (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms)
  })
})
