import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { nameSearch } from "@inlethq/core/log/NameSearch"

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
  ["*a*x*b", ["axb"]],
  ["*ack*k*slash", []],
]

/** Matches a pattern of `a`, `b` and `*` by brute force. */
const fitsByTrying = (pattern: string, name: string): boolean => {
  if (pattern === "") return name === ""
  if (!pattern.startsWith("*")) {
    return name.startsWith(pattern.charAt(0)) && fitsByTrying(pattern.slice(1), name.slice(1))
  }
  return Array.from({ length: name.length + 1 }, (_, i) => i).some((i) =>
    fitsByTrying(pattern.slice(1), name.slice(i)),
  )
}

const textOf = (letters: ReadonlyArray<string>) =>
  Schema.Array(Schema.Literals(letters)).check(Schema.isMaxLength(9))

describe("a search for names", () => {
  for (const [search, found] of searches) {
    it(`the search "${search}" finds ${found.length} of ${names.length} names`, () =>
      assert.deepStrictEqual(names.filter(nameSearch(search)), found))
  }

  it.prop(
    "a search for names finds the same names as a simple matcher that tries every possibility",
    [textOf(["a", "b", "*"]), textOf(["a", "b"])],
    ([pattern, name]) => {
      if (pattern.length === 0) return true
      return nameSearch(pattern.join(""))(name.join("")) === fitsByTrying(pattern.join(""), name.join(""))
    },
  )

  it("matching a name with a search takes linear time, however many wildcards the search has", () => {
    const repeated = "a".repeat(2_000_000)
    assert.isFalse(nameSearch(`${"*a".repeat(499)}*b`)(repeated))
    assert.isFalse(nameSearch(`*${"a".repeat(900)}b*`)(repeated))
  })

  it.prop("a search for a name with all operators escaped finds this name", [Schema.String], ([name]) =>
    nameSearch(name.replace(/[*+|\\]/g, "\\$&"))(name),
  )
})
