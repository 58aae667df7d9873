import { describe, expect, it } from "vitest"
import { dayText, hourBars, waitText } from "../src/pages/destinations/hourBars.ts"

const now = Date.parse("2026-11-30T12:30:00Z")
const hour = (at: string, entries: number, lag_seconds = 0) => ({ at, entries, lag_entries: 0, lag_seconds })

describe("the picture of a destination's last day", () => {
  it("has a bar for each hour that was measured, and nothing for the others", () => {
    const bars = hourBars(
      [
        hour("2026-11-29T12:00:00Z", 9),
        hour("2026-11-29T13:00:00Z", 1),
        hour("2026-11-30T11:00:00Z", 0, 61),
        hour("2026-11-30T12:00:00Z", 5, 60),
      ],
      now,
    )
    expect(bars).toHaveLength(24)
    expect(bars[0]).toEqual({ entries: 1, isLate: false })
    expect(bars.slice(1, 22)).toEqual(Array.from({ length: 21 }, () => null))
    expect(bars.slice(22)).toEqual([
      { entries: 0, isLate: true },
      { entries: 5, isLate: false },
    ])
  })

  it("says in words how much was passed, and how far behind it was", () => {
    expect(dayText([])).toBe("not measured in the last day")
    expect(dayText([hour("2026-11-30T11:00:00Z", 1)])).toBe("1 entry, never behind")
    expect(dayText([hour("2026-11-30T11:00:00Z", 1200, 0.4), hour("2026-11-30T12:00:00Z", 5)])).toBe(
      "1,205 entries, at most 1 s behind",
    )
  })

  it.each([
    [0, "0 s"],
    [59.2, "60 s"],
    [60, "1 min"],
    [7_199, "1 h"],
    [200_000, "2 d"],
  ])("writes %d seconds as %s", (seconds, text) => {
    expect(waitText(seconds)).toBe(text)
  })
})
