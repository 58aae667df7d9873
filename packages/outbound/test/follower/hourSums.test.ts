import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { HourSums } from "../../src/follower/HourSums.ts"

const feedOf = (id: string | null, countedTo: number) => ({
  key: { workspace: WorkspaceId.make(1), id },
  countedTo,
  measuredIn: 0,
  lagEntries: 0,
})
const at = (hour: number) => hour * hourMs + 1

const taken = (sums: HourSums) => sums.take().flatMap(([, hours]) => hours)

describe("the sums of a destination by hour", () => {
  it("add up the entries that a feed passed, and keep its greatest lags", () => {
    const sums = new HourSums("webhook")
    const feed = feedOf("one", 5)
    feed.lagEntries = 9
    sums.add(feed, 7, 10, at(5))
    feed.lagEntries = 6
    sums.add(feed, 10, 30, at(5))
    feed.lagEntries = 0
    sums.add(feed, 16, 0, at(5))
    sums.add(feed, 17, 0, at(6))
    assert.deepStrictEqual(taken(sums), [
      { destination: "webhook:one", hour: 5, entries: 11, lagEntries: 9, lagMs: 30 },
      { destination: "webhook:one", hour: 6, entries: 1, lagEntries: 0, lagMs: 0 },
    ])
    assert.deepStrictEqual(taken(sums), [])
  })

  it("have one measurement an hour of a feed that rests", () => {
    const sums = new HourSums("kafka")
    const feed = feedOf(null, 0)
    const rests = { destination: "kafka", entries: 0, lagEntries: 0, lagMs: 0 }
    sums.add(feed, 0, 0, at(5))
    assert.deepStrictEqual(taken(sums), [{ ...rests, hour: 5 }])
    sums.add(feed, 0, 0, at(5))
    assert.deepStrictEqual(taken(sums), [])
    sums.add(feed, 0, 0, at(6))
    assert.deepStrictEqual(taken(sums), [{ ...rests, hour: 6 }])
  })

  it("count nothing if a feed went back, and then from where it is", () => {
    const sums = new HourSums("webhook")
    const feed = feedOf("one", 10)
    sums.add(feed, 4, 0, at(5))
    sums.add(feed, 6, 0, at(5))
    assert.deepStrictEqual(
      taken(sums).map(({ entries }) => entries),
      [2],
    )
  })
})
