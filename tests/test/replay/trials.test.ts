import { Effect } from "effect"
import { env } from "node:process"
import { describe, expect, it } from "vitest"
import { compareTrial } from "../../src/replay/compareTrials.ts"
import { packDecisions } from "../../src/replay/packDecisions.ts"

const apis = ["track-v1", "track-v2", "pipelines"] as const

const runs = 15 * Number(env["INLET_TEST_RUNS"] ?? 1)

describe("a trial of a log", () => {
  it("types §3 what if: differs nowhere if nothing is changed, wherever it begins", async () => {
    let decided = 0
    let entries = 0
    for (let seed = 0; seed < runs; seed++) {
      const { part, whole } = await Effect.runPromise(compareTrial(seed, apis, {}))
      expect([whole.tally.operations, part.tally.operations], `seed ${seed}`).toEqual([0, 0])
      decided += whole.tally.decided
      entries += whole.tally.entries
    }
    expect(decided / entries).toBeGreaterThan(0.75)
  })

  it("types §3 what if: lists the operations that differ when the same calls arrive with the change", async () => {
    let differing = 0
    for (let seed = 0; seed < runs; seed++) {
      const { differ, to, whole } = await Effect.runPromise(compareTrial(seed, apis, omitting))
      const upTo = (positions: ReadonlySet<number>) => [...positions].filter((one) => one <= to)
      expect(upTo(whole.differ), `seed ${seed}`).toEqual(upTo(differ))
      for (const position of whole.differ) expect(differ, `seed ${seed}`).toContain(position)
      differing += whole.differ.size
    }
    expect(differing).toBeGreaterThan(runs)
  })
})

describe("a capsule", () => {
  it("types §3 capsules: holds no personal value, is decided as its operation was, and most decisions can be packed", async () => {
    let packed = 0
    let entries = 0
    const kinds = new Set<string>()
    for (let seed = 0; seed < runs; seed++) {
      const made = await Effect.runPromise(packDecisions(seed))
      expect(made.wrong, `seed ${seed}`).toEqual([])
      packed += made.packed
      entries += made.entries
      for (const kind of made.kinds) kinds.add(kind)
    }
    expect(packed / entries).toBeGreaterThan(0.7)
    expect(kinds.size).toBeGreaterThan(10)
  })
})

const omitting = { omit: ["attributes.plan", "traits.plan"] }
