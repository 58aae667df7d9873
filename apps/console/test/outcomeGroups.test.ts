import { describe, expect, it } from "vitest"
import { withVisibleProblems } from "../src/pages/live/outcomeGroups.ts"

describe("the bars of outcomes", () => {
  it("one rejected operation among a million has a bar that can be seen, and no other bar changes", () => {
    const counts = [
      [1_000_000, 10],
      [0, 0],
      [0, 3],
      [0, 0],
      [1, 0],
    ]
    expect(withVisibleProblems(counts, 0.05)).toEqual([
      [1_000_000, 10],
      [0, 0],
      [0, 3],
      [0, 0],
      [50_000.05, 0],
    ])
  })

  it("a chart without operations has no bars", () => {
    expect(withVisibleProblems([[], [], [], [], []], 0.05)).toEqual([[], [], [], [], []])
  })
})
