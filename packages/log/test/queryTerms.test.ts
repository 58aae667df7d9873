import { describe, expect, it } from "vitest"
import { termsIn, termTest } from "../src/filter/queryTerms.ts"

const holds = (query: string, ...texts: ReadonlyArray<string>): boolean =>
  termsIn(query).every((term) => termTest(term)(texts))

describe("terms of a query", () => {
  it("reads keys, signs, alternatives, quotes and wildcards, with their places", () => {
    expect(termsIn('ada -plan:"pro, big",free* seats=12')).toEqual([
      { key: null, isExcluded: false, values: [["ada"]], from: 0, to: 3 },
      { key: "plan", isExcluded: true, values: [["pro, big"], ["free", ""]], from: 4, to: 26 },
      { key: "seats", isExcluded: false, values: [["12"]], from: 27, to: 35 },
    ])
  })

  it("reads what is not finished yet as far as it goes, and nothing from signs alone", () => {
    expect(termsIn('name:"Order Pl').map(({ values }) => values)).toEqual([[["Order Pl"]]])
    expect(termsIn("name: - , \\")).toEqual([])
    expect(termsIn("")).toEqual([])
  })

  it("finds words inside texts in any order, without case and accents", () => {
    expect(holds("LOVELACE ada", "Ada King Lovelace")).toBe(true)
    expect(holds("muller", "Zoë MÜLLER")).toBe(true)
    expect(holds("Łukasz", "lukasz")).toBe(true)
    expect(holds("ace@exam", "lovelace@example.com")).toBe(true)
    expect(holds("ada -king", "Ada King Lovelace")).toBe(false)
  })

  it("compares the value of a key as a whole", () => {
    expect(holds("plan:pro", "pro")).toBe(true)
    expect(holds("plan:pr", "pro")).toBe(false)
    expect(holds("plan:p*,x", "pro")).toBe(true)
    expect(holds("-plan:pro", "free")).toBe(true)
    expect(holds("-plan:pro")).toBe(true)
    expect(holds(String.raw`plan:a\*`, "ab")).toBe(false)
  })
})
