import { describe, expect, it } from "vitest"
import { chartSteps } from "../src/pages/live/chartSteps.ts"

const now = Date.parse("2026-11-23T12:34:56.789Z")

describe("the bars of the chart", () => {
  it("cover the last 24 hours in bars of 15 minutes without a period", () => {
    expect(chartSteps(undefined, now)).toEqual({
      from: "2026-11-22T12:45:00.000Z",
      to: "2026-11-23T12:45:00.000Z",
      step: 900,
    })
  })

  it("stay in their places while a rolling period moves within a bar", () => {
    expect(chartSteps({ last: "1h" }, now)).toEqual(chartSteps({ last: "1h" }, now + 2_000))
    expect(chartSteps({ last: "1h" }, now).step).toBe(60)
  })

  it("cover a chosen period exactly, and end at the time of asking", () => {
    const period = { from: "2026-11-23T12:00:00.000Z", to: "2026-11-23T13:00:00.000Z" }
    expect(chartSteps(period, now + 86_400_000)).toEqual({ ...period, step: 60 })
    expect(chartSteps(period, now).to).toBe("2026-11-23T12:34:56.789Z")
  })

  it("show the end of a period that is longer than the server counts", () => {
    const { from, step, to } = chartSteps(
      { from: "1970-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" },
      now,
    )
    expect(to).toBe(new Date(now).toISOString())
    expect(step).toBe(31 * 86_400)
    expect((Date.parse(to) - Date.parse(from)) / 1000 / step).toBe(100)
  })
})
