import { Effect } from "effect"
import { env } from "node:process"
import { describe, expect, it } from "vitest"
import { compareCalls, compareResent, compareStayed } from "../../src/replay/compareCalls.ts"
import type { Api } from "../../src/replay/wireCalls.ts"

type Apis = readonly [Api, ...ReadonlyArray<Api>]

const mixes: ReadonlyArray<readonly [string, Apis]> = [
  ["the Track API v1", ["track-v1"]],
  ["the Track API v2", ["track-v2"]],
  ["the Pipelines API", ["pipelines"]],
  ["all APIs", ["track-v1", "track-v2", "pipelines"]],
]

const runs = 32 * Number(env["INLET_TEST_RUNS"] ?? 1)

/** The reasons why a call that had an effect may not be said. */
const sayable = ["call_no_effect", "call_erased", "call_unnamed"]

describe.each(mixes)("the call of an operation of %s", (_, apis) => {
  it("contract §16 calls: decoding what an entry is written as records the same entry", async () => {
    for (let seed = 0; seed < runs; seed++) {
      const { difference, told } = await Effect.runPromise(compareCalls(seed, apis))
      expect(difference, `seed ${seed}`).toBeNull()
      expect([...told.none.keys()].filter((code) => !sayable.includes(code))).toEqual([])
      expect(told.calls).toBeGreaterThan(20)
    }
  })

  it("is the same for a reader who knows whose identifiers have stayed the same", async () => {
    let known = 0
    for (let seed = 0; seed < runs; seed++) {
      const found = await Effect.runPromise(compareStayed(seed, apis))
      expect(found.difference, `seed ${seed}`).toBeNull()
      known += found.known
    }
    expect(known).toBeGreaterThan(runs)
  })

  it("gives the same people and objects when all are sent to an empty workspace", async () => {
    for (let seed = 0; seed < runs; seed++) {
      expect(await Effect.runPromise(compareResent(seed, apis)), `seed ${seed}`).toBeNull()
    }
  })
})
