import { describe, expect, it } from "vitest"
import { stepText, trendOf, trendOfDays } from "../src/shared/values/trendOf.ts"

const hourMs = 3_600_000
const now = Date.parse("2026-11-24T10:20:00.000Z")
const hours = [
  { at: "2026-11-20T10:00:00.000Z", count: 7 },
  { at: "2026-11-23T11:00:00.000Z", count: 1 },
  { at: "2026-11-24T09:00:00.000Z", count: 2 },
  { at: "2026-11-24T10:00:00.000Z", count: 3 },
]
const days = [
  { day: "2026-11-20", count: 7 },
  { day: "2026-11-23", count: 1 },
  { day: "2026-11-24", count: 5 },
]

describe("the trend of a cause", () => {
  it("has a bar for each hour of a day, the last for the hour that is not over", () => {
    const { counts, stepMs } = trendOf({ hours, days }, now - 24 * hourMs, now)
    expect(stepMs).toBe(hourMs)
    expect(counts).toHaveLength(24)
    expect(counts.slice(-2)).toEqual([2, 3])
    expect(counts[0]).toBe(1)
  })

  it("shows a day also of a shorter period", () => {
    expect(trendOf({ hours, days }, now - hourMs, now).counts).toHaveLength(24)
  })

  it("has bars of six hours up to a week, and of days beyond", () => {
    const week = trendOf({ hours, days }, now - 7 * 24 * hourMs, now)
    expect(week.counts).toHaveLength(28)
    expect(week.counts.at(-1)).toBe(5)
    expect(week.counts.reduce((sum, count) => sum + count, 0)).toBe(13)
    expect(stepText(week.stepMs)).toBe("6 hours")
    const month = trendOf({ hours, days }, now - 30 * 24 * hourMs, now)
    expect(month.counts).toHaveLength(30)
    expect(month.counts.slice(-5)).toEqual([7, 0, 0, 1, 5])
  })

  it("leaves out days before its first bar", () => {
    expect(trendOfDays(days, 2, now).counts).toEqual([1, 5])
  })
})
