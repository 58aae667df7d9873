import { describe, expect, it } from "vitest"
import { cases, failuresOf, type Case, type Expectation } from "../../src/publicCases.ts"

/** The cases that do not hold yet. A case that does hold must not stand here. */
const notYet: ReadonlySet<string> = new Set<string>()

/**
 * What the contract decided otherwise than the case expects, by the case and the number of the request, which counts
 * from 0.
 */
const decidedOtherwise: Readonly<Record<string, Readonly<Record<number, Expectation>>>> = {
  // What Ruby's `Time#to_s` writes is a time (contract section 19).
  "event-time-ruby": {
    1: { status: 200, entry: { outcome: "applied", at: "2026-05-22T10:00:00.000Z", refused: [] } },
  },
  // A time ahead of receipt counts as the receipt (contract section 19), so nothing is stale afterwards.
  "stale-names-time": {
    0: { status: 200, explanation: { match: ["2028"] }, entry: { refused_paths: ["timestamp"] } },
    1: { status: 200, entry: { outcome: "applied" } },
  },
}

const decided = (tested: Case): Case => ({
  ...tested,
  requests: tested.requests.map((request, n) => {
    const otherwise = decidedOtherwise[tested.id]?.[n]
    return otherwise === undefined ? request : { ...request, expect: otherwise }
  }),
})

describe("what users of such services reported in public", () => {
  it("the file has 44 cases, and every exception names one of them", () => {
    expect(cases).toHaveLength(44)
    const ids = new Set(cases.map(({ id }) => id))
    const named = [...notYet, ...Object.keys(decidedOtherwise)]
    expect(named.filter((id) => !ids.has(id))).toEqual([])
  })

  for (const tested of cases) {
    const { essence, id, kind } = tested
    it.concurrent(`${kind}: ${essence} (${id})`, async () => {
      const failures = await failuresOf(decided(tested))
      if (notYet.has(id)) expect(failures, "the case holds, so take it out of notYet").not.toEqual([])
      else expect(failures).toEqual([])
    })
  }
})
