import { assert, describe, it } from "@effect/vitest"
import { makeRefusedCounts } from "../../src/listener/RefusedCalls.ts"

const nobody = { key: null, route: null, userAgent: null }

describe("the counts of refused calls", () => {
  it("are by reason and address, the latest first", () => {
    const { count, counts } = makeRefusedCounts()
    count("unknown_key", "192.0.2.1", 1)
    count("rate_limit", "192.0.2.1", 2)
    count("unknown_key", "192.0.2.2", 3)
    count("unknown_key", "192.0.2.1", 4)
    assert.deepStrictEqual(counts(), [
      { reason: "unknown_key", address: "192.0.2.1", ...nobody, calls: 2, lastAt: 4 },
      { reason: "unknown_key", address: "192.0.2.2", ...nobody, calls: 1, lastAt: 3 },
      { reason: "rate_limit", address: "192.0.2.1", ...nobody, calls: 1, lastAt: 2 },
    ])
  })

  it("keep every call when there are too many addresses, but not the address", () => {
    const { count, counts } = makeRefusedCounts(2)
    for (let at = 1; at <= 5; at++) count("unknown_key", `192.0.2.${at}`, at)
    count("unknown_key", null, 6)
    assert.deepStrictEqual(counts(), [
      { reason: "unknown_key", address: null, ...nobody, calls: 4, lastAt: 6 },
      { reason: "unknown_key", address: "192.0.2.5", ...nobody, calls: 1, lastAt: 5 },
      { reason: "unknown_key", address: "192.0.2.4", ...nobody, calls: 1, lastAt: 4 },
    ])
  })

  it("tell unknown keys of one address apart, with the latest client of each", () => {
    const { count, counts } = makeRefusedCounts()
    const shop = { key: "site-1", route: "PUT /api/v1/customers/:identifier", userAgent: "shop/1" }
    count("unknown_key", "192.0.2.1", 1, shop)
    count("unknown_key", "192.0.2.1", 2, { ...shop, key: "site-2" })
    count("unknown_key", "192.0.2.1", 3, { ...shop, userAgent: "shop/2" })
    const of = { reason: "unknown_key", address: "192.0.2.1" } as const
    assert.deepStrictEqual(counts(), [
      { ...of, ...shop, userAgent: "shop/2", calls: 2, lastAt: 3 },
      { ...of, ...shop, key: "site-2", calls: 1, lastAt: 2 },
    ])
  })
})
