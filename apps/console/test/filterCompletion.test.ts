import { describe, expect, it } from "vitest"
import { complete, completionsAt } from "../src/shared/fields/filterCompletion.ts"

const texts = (filter: string, caret = filter.length) => completionsAt(filter, caret).map(({ text }) => text)

describe("completion of the filter line", () => {
  it("the filter line offers examples and keys for an empty filter", () => {
    expect(texts("")).toContain("-outcome:applied,created")
    expect(texts("")).toContain("kind:")
  })

  it("the filter line completes a key, also after a minus sign", () => {
    expect(texts("ou")).toEqual(["outcome:"])
    expect(texts("kind:event -ou")).toEqual(["-outcome:"])
  })

  it("the filter line completes the last of several values of a key", () => {
    expect(texts("outcome:applied,rej")).toEqual(["outcome:applied,rejected"])
  })

  it("the filter line offers no values for a key that accepts any text", () => {
    expect(texts("name:sig")).toEqual([])
  })

  it("the filter line completes countries by name and by code", () => {
    expect(texts("country:germ")).toEqual(["country:DE"])
    expect(texts("country:AT,kingdom")).toEqual(["country:AT,GB"])
    expect(texts("country:D")).toContain("country:DE")
    expect(texts("country:DE")).toEqual(["country:DK"])
  })

  it("a completion replaces only the term in which the caret is", () => {
    const [found] = completionsAt("ou kind:event", 2)
    if (found === undefined) throw new Error("a key must be found")
    expect(complete("ou kind:event", found)).toEqual(["outcome: kind:event", 8])
  })
})
