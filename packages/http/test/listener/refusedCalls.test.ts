import { assert, describe, it } from "@effect/vitest"
import { makeRefusedCounts } from "../../src/listener/RefusedCalls.ts"

describe("the counts of refused calls", () => {
  it("are by reason and address, the latest first", () => {
    const { count, counts } = makeRefusedCounts()
    count("unknown_key", "192.0.2.1", 1)
    count("rate_limit", "192.0.2.1", 2)
    count("unknown_key", "192.0.2.2", 3)
    count("unknown_key", "192.0.2.1", 4)
    assert.deepStrictEqual(counts(), [
      { reason: "unknown_key", address: "192.0.2.1", calls: 2, lastAt: 4 },
      { reason: "unknown_key", address: "192.0.2.2", calls: 1, lastAt: 3 },
      { reason: "rate_limit", address: "192.0.2.1", calls: 1, lastAt: 2 },
    ])
  })

  it("keep every call when there are too many addresses, but not the address", () => {
    const { count, counts } = makeRefusedCounts(2)
    for (let at = 1; at <= 5; at++) count("unknown_key", `192.0.2.${at}`, at)
    count("unknown_key", null, 6)
    assert.deepStrictEqual(counts(), [
      { reason: "unknown_key", address: null, calls: 4, lastAt: 6 },
      { reason: "unknown_key", address: "192.0.2.5", calls: 1, lastAt: 5 },
      { reason: "unknown_key", address: "192.0.2.4", calls: 1, lastAt: 4 },
    ])
  })
})
