import { describe, expect, it } from "vitest"
import { activityKeys, activityValues, countriesLike } from "../src/shared/query/activityKeys.ts"
import { complete, completionsAt } from "../src/shared/query/completion.ts"
import { countValues, fitting, type QueryLanguage } from "../src/shared/query/QueryLanguage.ts"
import { withTerm } from "../src/shared/query/queryTerms.ts"
import { rowMatcher, rowsLanguage, type QueryFields } from "../src/shared/query/rowsLanguage.ts"

const names = countValues([
  ["Order Placed", 3],
  ["order_paid", 7],
  ["signed up", 9],
])

const language: QueryLanguage = {
  keys: activityKeys,
  examples: [["-outcome:applied,created", "everything that went wrong"]],
  known: (key, typed) => {
    if (key === "country") return countriesLike(typed, [{ value: "DK", count: 4 }])
    if (key === "name") return fitting(names, typed)
    return fitting(
      Object.entries(activityValues[key] ?? {}).map(([value, hint]) => ({ value, hint })),
      typed,
    )
  },
}

const at = (query: string, caret = query.length) => completionsAt(query, caret, language)
const texts = (query: string, caret?: number) => at(query, caret).map(({ text }) => text)

describe("completion of the query line", () => {
  it("offers examples and keys for an empty query", () => {
    expect(texts("")).toContain("-outcome:applied,created")
    expect(texts("")).toContain("kind:")
  })

  it("completes a key, also after a minus sign", () => {
    expect(texts("ou")).toEqual(["outcome:"])
    expect(texts("kind:event -ou")).toEqual(["-outcome:"])
  })

  it("completes the last of several values of a key", () => {
    expect(texts("outcome:applied,rej")).toEqual(["outcome:applied,rejected"])
  })

  it("offers values that exist, the most frequent first, with how often and in quotes where needed", () => {
    expect(at("name:ord").map(({ hint, text }) => [text, hint])).toEqual([
      ["name:order_paid", "7"],
      ['name:"Order Placed"', "3"],
    ])
    expect(texts('name:"Order Pl')).toEqual(['name:"Order Placed"'])
    expect(texts("name:up")).toEqual(['name:"signed up"'])
  })

  it("completes countries by name and by code, those that were found first", () => {
    expect(texts("country:germ")).toEqual(["country:DE"])
    expect(texts("country:AT,kingdom")).toEqual(["country:AT,GB"])
    expect(texts("country:D").slice(0, 1)).toEqual(["country:DK"])
    expect(texts("country:DE")).toEqual(["country:DK"])
  })

  it("replaces only the term in which the caret is", () => {
    const [found] = completionsAt("ou kind:event", 2, language)
    if (found === undefined) throw new Error("a key must be found")
    expect(complete("ou kind:event", found)).toEqual(["outcome: kind:event", 8])
  })
})

describe("conditions of a query", () => {
  it("a condition more replaces what was asked of the same key, and keeps what it excludes", () => {
    expect(withTerm("kind:event name:a", { key: "name", value: "Order Placed" })).toBe(
      'kind:event name:"Order Placed"',
    )
    expect(withTerm("-name:a", { key: "name", value: "b" })).toBe("-name:a name:b")
    expect(withTerm("-name:a", { key: "name", value: "a" })).toBe("name:a")
    expect(withTerm("name:a", { key: "name", value: "a", isExcluded: true })).toBe("-name:a")
    expect(withTerm("-name:a", { key: "name", value: "b", isExcluded: true })).toBe("-name:a -name:b")
  })
})

interface Row {
  readonly name: string
  readonly plan: string
}

const fields: QueryFields<Row> = {
  fields: { plan: { hint: "plan", texts: ({ plan }) => [plan] } },
  words: ({ name }) => [name],
  weight: () => 1,
  examples: [],
}

const rows: ReadonlyArray<Row> = [
  { name: "Zoë Müller", plan: "pro" },
  { name: "Łukasz Weiß", plan: "free" },
]

const found = (query: string) => rows.filter(rowMatcher(fields, query)).map(({ plan }) => plan)

describe("queries of rows in the browser", () => {
  it("words are found inside, in any order, without case and accents", () => {
    expect(found("mull zoe")).toEqual(["pro"])
    expect(found("weiss lukasz")).toEqual(["free"])
    expect(found("muller -zoe")).toEqual([])
  })

  it("several conditions all hold, and an unknown key holds for nothing", () => {
    expect(found("zoe plan:p*")).toEqual(["pro"])
    expect(found("plan:pro,free")).toEqual(["pro", "free"])
    expect(found("-plan:PRO")).toEqual(["free"])
    expect(found("other:pro")).toEqual([])
  })

  it("values of rows are offered with how many rows have them", () => {
    expect(rowsLanguage(fields, [...rows, ...rows.slice(0, 1)]).known("plan", "")).toEqual([
      { value: "pro", count: 2 },
      { value: "free", count: 1 },
    ])
  })
})
