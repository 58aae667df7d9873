import type { PlanViolationsDocument } from "@inlethq/contract/types/EventTypes"
import { describe, expect, it } from "vitest"
import { planProblem } from "../src/pages/events/plans.ts"
import { violationsSince } from "../src/pages/events/violations.ts"

const seen = (at: string) => ({ at: `2026-11-${at}.000Z`, operation_id: at })

const found: PlanViolationsDocument = {
  count: 12,
  first: seen("20T10:20:00"),
  last: seen("24T09:10:00"),
  hours: [
    { at: "2026-11-24T08:00:00.000Z", count: 4 },
    { at: "2026-11-24T09:00:00.000Z", count: 3 },
  ],
  days: [
    { day: "2026-11-20", count: 5 },
    { day: "2026-11-24", count: 7 },
  ],
  senders: [],
}

const since = (time: string) => violationsSince(found, Date.parse(`2026-11-${time}.000Z`))

describe("what did not fit a plan", () => {
  it("is counted from a time on, by the hours and days that are kept", () => {
    expect(since("20T10:20:00")).toEqual({ count: 12, isExact: true })
    expect(since("20T10:20:01")).toEqual({ count: 12, isExact: false })
    expect(since("21T00:00:00")).toEqual({ count: 7, isExact: true })
    expect(since("24T09:00:00")).toEqual({ count: 3, isExact: true })
    expect(since("24T08:30:00")).toEqual({ count: 7, isExact: false })
    expect(since("24T09:10:01")).toEqual({ count: 0, isExact: true })
    expect(violationsSince(undefined, 0)).toEqual({ count: 0, isExact: true })
  })
})

describe("what is wrong with a plan", () => {
  it("is said by the path in its schema, without its place among all plans", () => {
    const said = ["plans.3.schema.properties.total: no", "plans.3.mode: no", "plans.3: large", "plans: many"]
    expect(said.map(planProblem)).toEqual(["properties.total: no", "mode: no", "large", "plans: many"])
  })
})
