import { describe, expect, it } from "vitest"
import { daysOfSteps, needsOlder } from "../src/pages/people/historySteps.ts"

describe("the days of a history", () => {
  it("have the last step and the number of steps of each day, oldest first", () => {
    const times = ["2026-11-28T08:00:00Z", "2026-11-28T23:59:59Z", "2026-11-30T00:00:00Z"]
    const days = daysOfSteps(
      times.map((received_at) => ({ received_at })),
      "utc",
    )
    expect(days).toEqual([
      { day: "Sat, Nov 28, 2026", lastStep: 1, steps: 2 },
      { day: "Mon, Nov 30, 2026", lastStep: 2, steps: 1 },
    ])
  })
})

describe("the steps of a history", () => {
  const steps = Array.from({ length: 30 }, (_, i) => ({ sequence: 100 + i }))

  it("are not enough for a moment near the oldest, whichever of the two it is", () => {
    expect(needsOlder(steps, ["120", undefined])).toBe(false)
    expect(needsOlder(steps, ["105", undefined])).toBe(true)
    expect(needsOlder(steps, ["120", "105"])).toBe(true)
    expect(needsOlder(steps, [undefined, "3"])).toBe(true)
    expect(needsOlder(steps, [undefined, undefined])).toBe(false)
  })
})
