import { assert, describe, it } from "@effect/vitest"
import { first, second } from "@inlethq/store-conformance/script/commands"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { RateMeter } from "../../src/ingestion/RateMeter.ts"

const limited = (workspace: Workspace): Workspace => ({
  ...workspace,
  limits: { ...workspace.limits, rateRequestsMax: 2, rateWindowSeconds: 3 },
})
const one = limited(first)
const other = limited(second)

const countedAt = (meter: RateMeter, workspace: Workspace, times: ReadonlyArray<number>) =>
  times.map((at) => meter.count(workspace, at))

const excessBy = (meter: RateMeter, by: number) =>
  meter.takeExceeded(by).map(({ requests, workspace }) => [workspace.id, requests])

describe("RateMeter", () => {
  it("contract §15: the rate meter returns each exceeded window once, after its end, with the number of its requests", () => {
    const meter = new RateMeter()
    countedAt(meter, one, [1000, 1001, 1002, 2000, 3999])
    countedAt(meter, other, [2000, 2001])
    assert.deepStrictEqual(excessBy(meter, 3999), [])
    assert.deepStrictEqual(excessBy(meter, 4000), [[1, 5]])
    assert.deepStrictEqual(excessBy(meter, Infinity), [])
  })

  it("the rate meter counts the requests of consecutive windows separately", () => {
    const meter = new RateMeter()
    countedAt(meter, one, [0, 1, 2, 3])
    countedAt(meter, one, [3000, 3001, 3002])
    countedAt(meter, one, [6000])
    assert.deepStrictEqual(excessBy(meter, Infinity), [
      [1, 4],
      [1, 3],
    ])
  })

  it("the rate meter adds up the excess of consecutive exceeded windows, and starts at zero after a window within the limit", () => {
    const meter = new RateMeter()
    const sustained = (times: ReadonlyArray<number>) =>
      countedAt(meter, one, times).map((rate) => rate.sustained)
    assert.deepStrictEqual(sustained([0, 1, 2, 3]), [false, false, false, false])
    assert.deepStrictEqual(sustained([3000, 3001, 3002]), [false, false, true])
    assert.deepStrictEqual(sustained([6000]), [false])
    assert.deepStrictEqual(sustained([9000, 9001, 9002, 9003]), [false, false, false, false])
  })
})
