import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { nameSearch } from "../src/NameSearch.ts"

const names = ["order paid", "order sent", "cart paid", "a*b", "axb", "a+b|c", "back\\slash"]

const searches: ReadonlyArray<readonly [search: string, found: ReadonlyArray<string>]> = [
  ["order paid", ["order paid"]],
  ["order*", ["order paid", "order sent"]],
  ["*paid", ["order paid", "cart paid"]],
  ["*r*p*", ["order paid", "cart paid"]],
  ["order*+cart*", ["order paid", "order sent", "cart paid"]],
  ["order*|*paid", ["order sent"]],
  ["order*+cart*|*paid+axb", ["order sent", "axb"]],
  ["|*paid", ["order sent", "a*b", "axb", "a+b|c", "back\\slash"]],
  ["a*b", ["a*b", "axb"]],
  ["a\\*b", ["a*b"]],
  ["a\\+b\\|c", ["a+b|c"]],
  ["back\\\\slash", ["back\\slash"]],
  ["*", names],
  ["", names],
  ["order paid*order paid", []],
]

describe("a search for names", () => {
  for (const [search, found] of searches) {
    it(`${search} finds ${found.length}`, () =>
      assert.deepStrictEqual(names.filter(nameSearch(search)), found))
  }

  it.prop("finds every name by itself, escaped", [Schema.String], ([name]) =>
    nameSearch(name.replace(/[*+|\\]/g, "\\$&"))(name),
  )
})
